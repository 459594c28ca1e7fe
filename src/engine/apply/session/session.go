// Package session answers the host's calls (apply-protocol.ts).
package session

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"customizer-lint/apply/apiserver"
)

// A Session holds what one instance of the module holds.
type Session struct{ server *apiserver.Server }

// New is a session without definitions and objects.
func New() *Session { return &Session{apiserver.New()} }

type request struct {
	Op          string            `json:"op"`
	Definitions []json.RawMessage `json:"definitions"`
	Operations  []operation       `json:"operations"`
}

type operation struct {
	Op          string        `json:"op"`
	Manager     string        `json:"manager"`
	DryRun      bool          `json:"dryRun"`
	Force       bool          `json:"force"`
	Subresource string        `json:"subresource"`
	Brief       bool          `json:"brief"`
	Ref         apiserver.Ref `json:"ref"`
	// Object is an object, or the number of the chunk that holds it.
	Object json.RawMessage `json:"object"`
	Patch  json.RawMessage `json:"patch"`

	Preconditions apiserver.Preconditions `json:"preconditions"`

	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`

	apiserver.Cleanup
	Desired map[string]any `json:"desired"`

	Name string `json:"name"`
	Now  string `json:"now"`
	Step *int64 `json:"step"`
}

// Call answers one frame with one JSON document. What the module cannot make sense of is answered as an error of the call.
func (s *Session) Call(frame []byte) (answer []byte) {
	defer func() {
		if r := recover(); r != nil {
			answer = refuse(fmt.Errorf("recovered from a panic: %v", r))
		}
	}()
	chunks, err := cut(frame)
	if err != nil {
		return refuse(err)
	}
	var r request
	if err := json.Unmarshal(chunks[0], &r); err != nil {
		return refuse(err)
	}
	switch r.Op {
	case "define":
		for _, definition := range r.Definitions {
			if err := s.server.Define(definition); err != nil {
				return refuse(err)
			}
		}
		return []byte(`{"ok":true}`)
	case "ask":
		for i := range r.Operations {
			if err := r.Operations[i].locate(chunks); err != nil {
				return refuse(fmt.Errorf("operation %d (%s): %w", i, r.Operations[i].Op, err))
			}
		}
		return s.ask(r.Operations)
	}
	return refuse(fmt.Errorf("no operation %q", r.Op))
}

// cut gives the chunks of a frame, each behind its length; there is at least one.
func cut(frame []byte) ([][]byte, error) {
	var chunks [][]byte
	for len(frame) > 0 || len(chunks) == 0 {
		if len(frame) < 4 || uint64(binary.LittleEndian.Uint32(frame)) > uint64(len(frame)-4) {
			return nil, errors.New("the frame is cut off")
		}
		end := 4 + int(binary.LittleEndian.Uint32(frame))
		chunks = append(chunks, frame[4:end:end])
		frame = frame[end:]
	}
	return chunks, nil
}

// locate puts the object in the place of the number of its chunk.
func (o *operation) locate(chunks [][]byte) error {
	number, err := strconv.Atoi(string(o.Object))
	if err != nil {
		return nil // it is there itself, or there is none
	}
	if number < 1 || number >= len(chunks) {
		return fmt.Errorf("there is no chunk %d", number)
	}
	o.Object = chunks[number]
	return nil
}

func refuse(err error) []byte {
	text, _ := json.Marshal(err.Error())
	return fmt.Appendf(nil, `{"ok":false,"error":{"message":%s}}`, text)
}

func (s *Session) ask(operations []operation) []byte {
	out := []byte(`{"ok":true,"answers":[`)
	for i, operation := range operations {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = s.answer(out, operation); err != nil {
			return refuse(fmt.Errorf("operation %d (%s): %w", i, operation.Op, err))
		}
	}
	return append(out, "]}"...)
}

// answer appends the answer of one operation. An error is one of the call.
func (s *Session) answer(out []byte, o operation) ([]byte, error) {
	how := apiserver.Request{Manager: o.Manager, DryRun: o.DryRun, Force: o.Force, Subresource: o.Subresource}
	one := answering(out, o.Brief)
	switch o.Op {
	case "create":
		return one(s.server.Create(o.Object, how))
	case "update":
		return one(s.server.Update(o.Object, how))
	case "apply":
		result, err := s.server.Apply(o.Ref, o.Object, how)
		if err != nil {
			return refused(out, err), nil
		}
		return fmt.Appendf(begin(out, result, o.Brief), `,"drifted":%t}`, result.Drifted()), nil
	case "merge":
		return one(s.server.Merge(o.Ref, o.Patch, how))
	case "json":
		return one(s.server.JSONPatch(o.Ref, o.Patch, how))
	case "get":
		if o.Brief {
			return s.metadata(out, o.Ref)
		}
		return one(s.server.Get(o.Ref))
	case "delete":
		return one(s.server.Delete(o.Ref, o.DryRun, o.Preconditions))
	case "put-raw":
		return one(s.server.PutRaw(o.Object))
	case "list":
		results, err := s.server.List(o.APIVersion, o.Kind, o.Namespace)
		if err != nil {
			return refused(out, err), nil
		}
		out = append(out, `{"status":200,"objects":[`...)
		for i, result := range results {
			if i > 0 {
				out = append(out, ',')
			}
			out = result.AppendJSON(out)
		}
		return append(out, "]}"...), nil
	case "takeover":
		result, patch, err := s.server.Takeover(o.Ref, o.Desired, o.Cleanup, how)
		if err != nil {
			return refused(out, err), nil
		}
		out = begin(out, result, o.Brief)
		if patch != nil {
			out = append(out, `,"patch":`...)
			out = append(out, patch...)
		}
		return append(out, '}'), nil
	}
	return s.control(out, o)
}

// metadata answers a get that wants no more of an object than what it is and carries.
func (s *Session) metadata(out []byte, ref apiserver.Ref) ([]byte, error) {
	result, err := s.server.Get(ref)
	if err != nil {
		return refused(out, err), nil
	}
	out = fmt.Appendf(out, `{"status":%d,"object":`, result.Code)
	return append(result.AppendMetadata(out), '}'), nil
}

// control answers what no API server is asked.
func (s *Session) control(out []byte, o operation) ([]byte, error) {
	switch o.Op {
	case "reset":
		s.server.Reset()
	case "snapshot":
		s.server.Snapshot(o.Name)
	case "restore":
		if err := s.server.Restore(o.Name); err != nil {
			return nil, err
		}
	case "clock":
		now, err := time.Parse(time.RFC3339, o.Now)
		if err != nil {
			return nil, err
		}
		step := int64(1)
		if o.Step != nil {
			step = *o.Step
		}
		s.server.Clock(now.Truncate(time.Second), time.Duration(step)*time.Second)
	default:
		return nil, errors.New("there is no such operation")
	}
	return append(out, `{"status":200}`...), nil
}

func begin(out []byte, result *apiserver.Result, brief bool) []byte {
	out = fmt.Appendf(out, `{"status":%d`, result.Code)
	if result.Has() && !brief {
		out = append(out, `,"object":`...)
		out = result.AppendJSON(out)
	}
	return out
}

func answering(out []byte, brief bool) func(*apiserver.Result, error) ([]byte, error) {
	return func(result *apiserver.Result, err error) ([]byte, error) {
		if err != nil {
			return refused(out, err), nil
		}
		return append(begin(out, result, brief), '}'), nil
	}
}

func refused(out []byte, err error) []byte {
	status := apiserver.StatusOf(err)
	text, broken := json.Marshal(status)
	if broken != nil {
		panic(broken) // it is made of plain values
	}
	return fmt.Appendf(out, `{"status":%d,"error":%s}`, status.Code, text)
}
