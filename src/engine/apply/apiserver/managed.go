package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// managed is metadata.managedFields, decoded: sets and times by the manager's identifier, which is the entry as JSON without
// its fields and time (k8s.io/apimachinery/pkg/util/managedfields/internal). It is not changed once an object holds it.
type managed struct {
	fields fieldpath.ManagedFields
	times  map[string]*metav1.Time
	// encoded keeps the JSON of sets that do not change from one object to the next.
	encoded map[*fieldpath.Set][]byte
	// names are identifiers, read; sorted is what lines gives. Both are made when they are asked for.
	names  map[string]metav1.ManagedFieldsEntry
	sorted []line
}

func noneManaged() *managed {
	return &managed{
		fields:  fieldpath.ManagedFields{},
		times:   map[string]*metav1.Time{},
		encoded: map[*fieldpath.Set][]byte{},
		names:   map[string]metav1.ManagedFieldsEntry{},
	}
}

func (m *managed) copy() *managed {
	out := noneManaged()
	for id, set := range m.fields {
		out.fields[id] = set
		if t, ok := m.times[id]; ok {
			out.times[id] = t
		}
		if text, ok := m.encoded[set.Set()]; ok {
			out.encoded[set.Set()] = text
		}
		if name, ok := m.names[id]; ok {
			out.names[id] = name
		}
	}
	return out
}

// retimed is the same with another time where it has that of before. What does not depend on that is shared.
func (m *managed) retimed(before, now *metav1.Time) *managed {
	out := *m
	out.times, out.sorted = maps.Clone(m.times), nil
	for id, then := range out.times {
		if then == before {
			out.times[id] = now
		}
	}
	return &out
}

// identify is BuildManagerIdentifier.
func identify(entry metav1.ManagedFieldsEntry) string {
	entry.FieldsType, entry.FieldsV1, entry.Time = "", nil, nil
	if entry.Operation == metav1.ManagedFieldsOperationApply {
		entry.APIVersion = ""
	}
	text, err := json.Marshal(&entry)
	if err != nil {
		panic(err) // it is made of strings
	}
	return string(text)
}

// decodeManaged is DecodeManagedFields.
func decodeManaged(entries []metav1.ManagedFieldsEntry) (*managed, error) {
	out := noneManaged()
	for i, entry := range entries {
		switch entry.Operation {
		case metav1.ManagedFieldsOperationApply, metav1.ManagedFieldsOperationUpdate:
		default:
			return nil, fmt.Errorf("operation must be `Apply` or `Update`")
		}
		if entry.APIVersion == "" {
			return nil, fmt.Errorf("apiVersion must not be empty")
		}
		switch entry.FieldsType {
		case "FieldsV1":
		case "":
			return nil, fmt.Errorf("missing fieldsType in managed fields entry %d", i)
		default:
			return nil, fmt.Errorf("invalid fieldsType %q in managed fields entry %d", entry.FieldsType, i)
		}
		fields := []byte("{}")
		if entry.FieldsV1 != nil {
			fields = entry.FieldsV1.Raw
		}
		set := &fieldpath.Set{}
		if err := set.FromJSON(bytes.NewReader(fields)); err != nil {
			return nil, fmt.Errorf("error decoding versioned set from %v: error decoding set: %v", entry, err)
		}
		id := identify(entry)
		applied := entry.Operation == metav1.ManagedFieldsOperationApply
		out.fields[id] = fieldpath.NewVersionedSet(set, fieldpath.APIVersion(entry.APIVersion), applied)
		out.times[id] = entry.Time
	}
	return out, nil
}

// isReset is the form by which a request asks for managedFields to be dropped: an empty list, or one empty entry.
func isReset(entries []metav1.ManagedFieldsEntry) bool {
	if len(entries) == 0 {
		return entries != nil
	}
	return len(entries) == 1 && reflect.DeepEqual(entries[0], metav1.ManagedFieldsEntry{})
}

// A line is one entry of managedFields, in the order that the server writes them.
type line struct {
	manager, operation, apiVersion, subresource string
	time                                        *metav1.Time
	set                                         *fieldpath.Set
}

func (m *managed) lines() []line {
	if m.sorted == nil {
		m.sorted = m.sort()
	}
	return m.sorted
}

func (m *managed) name(id string) metav1.ManagedFieldsEntry {
	entry, ok := m.names[id]
	if !ok {
		if err := json.Unmarshal([]byte(id), &entry); err != nil {
			panic(err) // identify made it
		}
		m.names[id] = entry
	}
	return entry
}

func (m *managed) sort() []line {
	out := make([]line, 0, len(m.fields))
	for id, versioned := range m.fields {
		entry := m.name(id)
		operation := string(entry.Operation)
		if versioned.Applied() {
			operation = string(metav1.ManagedFieldsOperationApply)
		}
		out = append(out, line{
			entry.Manager, operation, string(versioned.APIVersion()), entry.Subresource, m.times[id], versioned.Set(),
		})
	}
	sort.Slice(out, func(i, j int) bool {
		p, q := out[i], out[j]
		switch {
		case p.operation != q.operation:
			return p.operation < q.operation
		case seconds(p.time) != seconds(q.time):
			return seconds(p.time) < seconds(q.time)
		case p.manager != q.manager:
			return p.manager < q.manager
		case p.apiVersion != q.apiVersion:
			return p.apiVersion < q.apiVersion
		}
		return p.subresource < q.subresource
	})
	return out
}

func seconds(t *metav1.Time) int64 {
	if t == nil {
		return 0
	}
	return t.Unix()
}

// append writes managedFields as JSON.
func (m *managed) append(out []byte) []byte {
	out = append(out, '[')
	for i, l := range m.lines() {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"apiVersion":`...)
		out = appendString(out, l.apiVersion)
		out = append(out, `,"fieldsType":"FieldsV1","fieldsV1":`...)
		out = append(out, m.json(l.set)...)
		if l.manager != "" {
			out = append(out, `,"manager":`...)
			out = appendString(out, l.manager)
		}
		out = append(out, `,"operation":`...)
		out = appendString(out, l.operation)
		if l.subresource != "" {
			out = append(out, `,"subresource":`...)
			out = appendString(out, l.subresource)
		}
		if l.time != nil {
			out = append(out, `,"time":`...)
			out = appendString(out, l.time.UTC().Format("2006-01-02T15:04:05Z"))
		}
		out = append(out, '}')
	}
	return append(out, ']')
}

func (m *managed) json(set *fieldpath.Set) []byte {
	if text, ok := m.encoded[set]; ok {
		return text
	}
	text, err := set.ToJSON()
	if err != nil {
		panic(err) // every set came from a value or from JSON
	}
	m.encoded[set] = text
	return text
}

// settle gives every set the form that it has after it was encoded and decoded, in which a node that is left without
// children has become a member.
func (m *managed) settle() *managed {
	for id, versioned := range m.fields {
		if _, ok := m.encoded[versioned.Set()]; ok {
			continue
		}
		text := m.json(versioned.Set())
		if !hollow(versioned.Set()) {
			continue
		}
		set := &fieldpath.Set{}
		if err := set.FromJSON(bytes.NewReader(text)); err != nil {
			panic(err) // it has just been written
		}
		delete(m.encoded, versioned.Set())
		m.encoded[set] = text
		m.fields[id] = fieldpath.NewVersionedSet(set, versioned.APIVersion(), versioned.Applied())
	}
	return m
}

// hollow says that a node has neither members nor children.
func hollow(set *fieldpath.Set) bool {
	found := false
	set.Children.Iterate(func(name fieldpath.PathElement) {
		if below, ok := set.Children.Get(name); ok && !found {
			found = below.Members.Size() == 0 && below.Children.Empty() || hollow(below)
		}
	})
	return found
}

// same compares in the server's order; without times, they are not looked at.
func (m *managed) same(other *managed, times bool) bool {
	if len(m.fields) != len(other.fields) {
		return false
	}
	mine, theirs := m.lines(), other.lines()
	for i := range mine {
		p, q := mine[i], theirs[i]
		if p.manager != q.manager || p.operation != q.operation || p.apiVersion != q.apiVersion || p.subresource != q.subresource {
			return false
		}
		if times && !p.time.Equal(q.time) {
			return false
		}
		if p.set != q.set && string(m.json(p.set)) != string(other.json(q.set)) {
			return false
		}
	}
	return true
}
