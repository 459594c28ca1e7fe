// Package session answers the host's calls (helm-protocol.ts).
package session

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"customizer-lint/helm/charts"
)

// A Session holds the charts that were loaded.
type Session struct{ charts map[string]*charts.Chart }

// New is a session without charts.
func New() *Session { return &Session{map[string]*charts.Chart{}} }

type request struct {
	Op    string `json:"op"`
	Chart string `json:"chart"`
	load
	render
}

type load struct {
	Files     []file `json:"files"`
	Libraries []struct {
		Name  string `json:"name"`
		Files []file `json:"files"`
	} `json:"libraries"`
	ValuesFiles []string `json:"valuesFiles"`
	// Archive is the number of the chunk of a packed chart.
	Archive int `json:"archive"`
}

// A file is a name, and the number of the chunk that it holds.
type file struct {
	Path  string `json:"path"`
	Chunk int    `json:"chunk"`
}

type render struct {
	Release     charts.Release   `json:"release"`
	Values      map[string]any   `json:"values"`
	KubeVersion string           `json:"kubeVersion"`
	APIVersions []string         `json:"apiVersions"`
	Objects     []map[string]any `json:"objects"`
	Chance      int              `json:"chance"`
	PostRender  bool             `json:"postRender"`
	// Definitions says that those of `crds/` are answered in full.
	Definitions bool `json:"definitions"`
}

type answer struct {
	OK    bool            `json:"ok"`
	Error *problem        `json:"error,omitempty"`
	Chart *about          `json:"chart,omitempty"`
	Fails *charts.Failure `json:"failed,omitempty"`
	Asked *charts.Asked   `json:"consulted,omitempty"`
	// Found is written as `objects`.
	Found *[]charts.Object `json:"-"`
}

type problem struct {
	Message string `json:"message"`
}

type about struct {
	Name        string         `json:"name"`
	Version     string         `json:"version"`
	AppVersion  string         `json:"appVersion,omitempty"`
	KubeVersion string         `json:"kubeVersion,omitempty"`
	Values      map[string]any `json:"values"`
}

// Call answers one frame with one JSON document. What the module cannot make sense of is answered as an error of the call.
func (s *Session) Call(frame []byte) (out []byte) {
	defer func() {
		if r := recover(); r != nil {
			out = written(refuse(fmt.Errorf("recovered from a panic: %v", r)))
		}
	}()
	return written(s.answer(frame))
}

func written(a answer) []byte {
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(refuse(err))
		return text
	}
	if a.Found == nil {
		return text
	}
	// The objects are JSON, which the library would read once more.
	text = append(text[:len(text)-1], `,"objects":[`...)
	for i, object := range *a.Found {
		if i > 0 {
			text = append(text, ',')
		}
		text = object.AppendJSON(text)
	}
	return append(text, "]}"...)
}

func (s *Session) answer(frame []byte) answer {
	chunks, err := cut(frame)
	if err != nil {
		return refuse(err)
	}
	var r request
	if err := json.Unmarshal(chunks[0], &r); err != nil {
		return refuse(err)
	}
	switch r.Op {
	case "load":
		return s.load(r, chunks)
	case "render":
		return s.render(r)
	case "forget":
		delete(s.charts, r.Chart)
		return answer{OK: true}
	}
	return refuse(fmt.Errorf("no operation %q", r.Op))
}

func (s *Session) load(r request, chunks [][]byte) answer {
	chart, err := r.read(chunks)
	if err != nil {
		if bad := (invalid{}); errors.As(err, &bad) {
			return refuse(bad)
		}
		return answer{OK: true, Fails: charts.LoadFailure(err)}
	}
	s.charts[r.Chart] = chart
	m := chart.Metadata
	return answer{OK: true, Chart: &about{m.Name, m.Version, m.AppVersion, m.KubeVersion, chart.Values}}
}

// invalid is a call that makes no sense.
type invalid struct{ error }

func (l load) read(chunks [][]byte) (*charts.Chart, error) {
	if l.Archive != 0 {
		if l.Archive < 0 || l.Archive >= len(chunks) {
			return nil, invalid{fmt.Errorf("there is no chunk %d", l.Archive)}
		}
		return charts.LoadArchive(chunks[l.Archive])
	}
	files, err := located(l.Files, chunks)
	if err != nil {
		return nil, err
	}
	var libraries []charts.Library
	for _, library := range l.Libraries {
		of, err := located(library.Files, chunks)
		if err != nil {
			return nil, err
		}
		libraries = append(libraries, charts.Library{Name: library.Name, Files: of})
	}
	assembled, err := charts.Assemble(files, libraries, l.ValuesFiles)
	if err != nil {
		return nil, err
	}
	return charts.Load(assembled)
}

func located(files []file, chunks [][]byte) ([]charts.File, error) {
	var out []charts.File
	for _, f := range files {
		if f.Chunk < 1 || f.Chunk >= len(chunks) {
			return nil, invalid{fmt.Errorf("there is no chunk %d", f.Chunk)}
		}
		out = append(out, charts.File{Name: f.Path, Data: chunks[f.Chunk]})
	}
	return out, nil
}

func (s *Session) render(r request) answer {
	chart, ok := s.charts[r.Chart]
	if !ok {
		return refuse(fmt.Errorf("no chart %q is loaded", r.Chart))
	}
	if r.Values == nil {
		r.Values = map[string]any{}
	}
	world := charts.World{KubeVersion: r.KubeVersion, APIVersions: r.APIVersions, Objects: r.Objects, Chance: r.Chance, PostRender: r.PostRender}
	objects, consulted, failure := chart.Render(r.Release, r.Values, world)
	s.forget(chart)
	asked := consulted.Told()
	if failure != nil {
		return answer{OK: true, Fails: failure, Asked: &asked}
	}
	for i, object := range objects {
		if !r.Definitions {
			objects[i] = object.Brief()
		}
	}
	return answer{OK: true, Found: &objects, Asked: &asked}
}

// maxKept bounds the bytes of the files that all charts together keep.
const maxKept = 16 << 20

// forget makes room where there is too much of the charts but for the one that was rendered last.
func (s *Session) forget(last *charts.Chart) {
	kept := 0
	for _, chart := range s.charts {
		kept += chart.Kept()
	}
	for _, chart := range s.charts {
		if kept > maxKept && chart != last {
			chart.Forget()
		}
	}
}

func refuse(err error) answer { return answer{Error: &problem{err.Error()}} }

// cut gives the chunks of a frame, each behind its length.
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
