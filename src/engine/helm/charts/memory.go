package charts

// written is a file, be it of a chart or the output of a template.
type written struct{ name, text string }

// memory keeps what was made of files, of the last ones up to a bound. Whoever changes that changes it for all.
type memory[Made any] struct {
	known map[written]Made
	bytes int
}

// maxKept bounds the bytes of the files of which a chart keeps what was made; that takes some times as many.
const maxKept = 4 << 20

// Kept counts the bytes of the files of which the chart keeps what was made of them.
func (c *Chart) Kept() int { return c.documents.bytes + c.definitions.bytes }

// Forget gives that up.
func (c *Chart) Forget() {
	c.documents, c.definitions = memory[[]*document]{}, memory[[]Object]{}
}

func (m *memory[Made]) of(file written, make func(written) (Made, error)) (Made, error) {
	if known, ok := m.known[file]; ok {
		return known, nil
	}
	made, err := make(file)
	if err != nil {
		return made, err
	}
	if m.bytes += len(file.text); m.known == nil || m.bytes > maxKept {
		m.known, m.bytes = map[written]Made{}, len(file.text)
	}
	m.known[file] = made
	return made, nil
}
