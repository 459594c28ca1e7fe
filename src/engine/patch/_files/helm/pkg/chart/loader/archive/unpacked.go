package archive

import "fmt"

// What a chart may hold together with the archives in it, for each of which Helm has a bound of its own alone.
const (
	mostBytes = 200 << 20
	mostFiles = 50_000
)

var unpacked struct {
	bytes int64
	files int
}

// Begin counts from nothing: another chart is loaded.
func Begin() { unpacked.bytes, unpacked.files = 0, 0 }

// A LimitError says that a chart is larger than is unpacked here.
type LimitError struct{ why string }

func (e *LimitError) Error() string { return e.why }

func count(bytes int64) error {
	unpacked.files++
	if unpacked.bytes += bytes; unpacked.bytes > mostBytes || unpacked.files > mostFiles {
		return &LimitError{fmt.Sprintf("the chart and the archives in it have more than %d files or %d MiB", mostFiles, mostBytes>>20)}
	}
	return nil
}
