package artifact

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// Lost is a file of the repository that the artifact does not hold.
type Lost struct {
	Path string `json:"path"`
	// Because is "link", "submodule" or "ignored".
	Because string `json:"because"`
	// Pattern dropped an ignored file; From is the .sourceignore it stands in, empty for a default or spec.ignore.
	Pattern string `json:"pattern,omitempty"`
	From    string `json:"from,omitempty"`
}

// Repository is what git has checked out.
type Repository struct {
	// Files by path relative to the root, with forward slashes; a nil content is a file that the host does not send.
	Files      map[string][]byte
	Links      []string
	Submodules []string
	// Ignore is spec.ignore of the GitRepository.
	Ignore string
}

// Archive takes the lost files out of r.Files and lists them, sorted by path.
func (r Repository) Archive() []Lost {
	var lost []Lost
	for _, link := range r.Links {
		delete(r.Files, link)
		lost = append(lost, Lost{Path: link, Because: "link"})
	}
	for _, module := range r.Submodules {
		for name := range r.Files {
			if strings.HasPrefix(name, module+"/") {
				delete(r.Files, name)
			}
		}
		lost = append(lost, Lost{Path: module, Because: "submodule"})
	}
	rules := r.rules()
	for name := range r.Files {
		if by, ignored := rules.match(name); ignored {
			delete(r.Files, name)
			lost = append(lost, Lost{Path: name, Because: "ignored", Pattern: by.text, From: by.from})
		}
	}
	slices.SortFunc(lost, func(a, b Lost) int { return strings.Compare(a.Path, b.Path) })
	return lost
}

// A rule is a pattern that remembers where it stands.
type rule struct {
	gitignore.Pattern
	text, from string
	// literal stands in every path that the pattern matches, which tells most paths without matching.
	literal string
}

func newRule(text string, domain []string, from string) rule {
	return rule{gitignore.ParsePattern(text, domain), text, from, literalOf(text)}
}

// literalOf returns the longest part of a pattern that stands for itself.
func literalOf(pattern string) string {
	if strings.ContainsAny(pattern, `[\`) {
		return ""
	}
	longest := ""
	for part := range strings.FieldsFuncSeq(strings.TrimRight(strings.TrimPrefix(pattern, "!"), " "), func(c rune) bool {
		return strings.ContainsRune("/*?", c)
	}) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

type rules []rule

// rules collects the patterns in the order of their weight, the last that matches a file decides
// (sourceignore.LoadIgnorePatterns, source-controller gitrepository_controller.go). Any pattern of the user's leaves of the
// defaults only those for version control (fluxcd/pkg artifact/storage/archive.go SourceIgnoreFilter).
func (r Repository) rules() rules {
	own := r.load()
	own = append(own, read(strings.NewReader(r.Ignore), nil, "")...)
	all := defaults(sourceignore.ExcludeVCS)
	if len(own) == 0 {
		return append(all, defaults(sourceignore.ExcludeExt, sourceignore.ExcludeCI, sourceignore.ExcludeExtra)...)
	}
	return append(all, own...)
}

func defaults(lists ...string) rules {
	var out rules
	for _, text := range strings.Split(strings.Join(lists, ","), ",") {
		out = append(out, newRule(text, nil, ""))
	}
	return out
}

// load reads the .sourceignore files, a directory's own before those of its subdirectories in lexical order.
func (r Repository) load() rules {
	var dirs [][]string
	for name := range r.Files {
		dir, base := path.Split(name)
		if base != sourceignore.IgnoreFile {
			continue
		}
		domain := strings.FieldsFunc(dir, func(c rune) bool { return c == '/' })
		if !slices.Contains(domain, ".git") {
			dirs = append(dirs, domain)
		}
	}
	slices.SortFunc(dirs, slices.Compare)
	var out rules
	for _, domain := range dirs {
		name := path.Join(path.Join(domain...), sourceignore.IgnoreFile)
		out = append(out, read(bytes.NewReader(r.Files[name]), domain, name)...)
	}
	return out
}

// read parses a list of patterns as sourceignore.ReadPatterns does.
func read(from io.Reader, domain []string, name string) rules {
	var out rules
	scanner := bufio.NewScanner(from)
	for scanner.Scan() {
		text := scanner.Text()
		if !strings.HasPrefix(text, "#") && strings.TrimSpace(text) != "" {
			out = append(out, newRule(text, domain, name))
		}
	}
	return out
}

func (rs rules) match(name string) (rule, bool) {
	segments := strings.Split(name, "/")
	for i := len(rs) - 1; i >= 0; i-- {
		if !strings.Contains(name, rs[i].literal) {
			continue
		}
		if result := rs[i].Match(segments, false); result != gitignore.NoMatch {
			return rs[i], result == gitignore.Exclude
		}
	}
	return rule{}, false
}
