package apiserver

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Flux applies everything twice, dry and then in earnest, and again at every reconcile; and so it does in every cluster of a
// fleet, which start from the same objects. What comes of an apply depends on nothing but the object and what is applied, so that
// two of these are known without another merge: the same apply, dry or in earnest, after it was tried on the same object, and the
// same apply to what it has just made. Only times differ.

// A document is a request that was read. Its content is not changed.
type document struct {
	text    string
	content map[string]any
}

// documents are what was read last, by their text.
type documents map[string]*document

// maxDocuments is as many as one batch has, or a few: what is forgotten is read again.
const maxDocuments = 1 << 10

func (d documents) read(text []byte) (*document, error) {
	if known, ok := d[string(text)]; ok {
		return known, nil
	}
	content, err := decode(text)
	if err != nil {
		return nil, err
	}
	if len(d) >= maxDocuments {
		clear(d)
	}
	read := &document{string(text), content}
	d[read.text] = read
	return read, nil
}

// applied is an apply, as far as its outcome depends on it.
type applied struct {
	version *version
	text    string
	ref     Ref
	how     Request
}

func (a applied) is(other applied) bool {
	a.how.DryRun, other.how.DryRun = false, false
	return a == other
}

// A trial is a dry run on an object, and what came of it at a time.
type trial struct {
	applied
	result *Result
	now    *metav1.Time
}

// known is the answer of an apply whose outcome is known; nil where it has to be worked out.
func (s *Server) known(key key, live *object, asked applied, now metav1.Time) *Result {
	if live.rested != nil && live.rested.is(asked) {
		before := &Result{Code: http.StatusOK, object: live, version: asked.version}
		return &Result{Code: http.StatusOK, object: live, version: asked.version, Before: before}
	}
	if live.tried == nil || !live.tried.is(asked) {
		return nil
	}
	result := live.tried.again(now)
	if !asked.how.DryRun {
		s.store(key, live, result)
	}
	return result
}

// again is the result at another time. It is a copy, as an object that is stored becomes another.
func (t *trial) again(now metav1.Time) *Result {
	result, made := *t.result, *t.result.object
	made.content, made.managed = withMetadata(made.content), made.managed.retimed(t.now, &now)
	made.converted, made.tried, made.rested = nil, nil, nil
	result.object = &made
	return &result
}

// remember keeps what an apply of patch to live, at a time, tells of the next one; nil where it was known itself.
func (a applied) remember(live *object, patch map[string]any, result *Result, now *metav1.Time) {
	made := result.object
	if a.how.Subresource != "" || a.how.Manager == "kubectl" || meta(made.content).GetDeletionTimestamp() != nil {
		return
	}
	if a.how.DryRun {
		if result.Code == http.StatusOK && now != nil {
			live.tried = &trial{a, result, now}
		}
		return
	}
	// Rules may compare with the state before, which is another one the next time.
	if made.version == a.version && a.version.rules == nil && contains(made.content, patch) {
		made.rested = &a
	}
}

// contains says that a patch holds nothing but what is in content already, so that merging it again changes nothing and the
// set of its fields is that of the last time. It does not know so of nulls, of what is empty, and of a status, which is left
// out of both.
func contains(content, patch map[string]any) bool {
	if _, ok := patch["status"]; ok {
		return false
	}
	return holds(content, patch)
}

func holds(whole, part any) bool {
	switch part := part.(type) {
	case nil:
		return false
	case map[string]any:
		whole, ok := whole.(map[string]any)
		if !ok || len(part) == 0 {
			return false
		}
		for key, value := range part {
			if there, ok := whole[key]; !ok || !holds(there, value) {
				return false
			}
		}
		return true
	case []any:
		whole, ok := whole.([]any)
		if !ok || len(part) == 0 || len(part) != len(whole) {
			return false
		}
		for i := range part {
			if !holds(whole[i], part[i]) {
				return false
			}
		}
		return true
	}
	return equal(whole, part)
}
