package extract

import (
	"bufio"
	"io"
)

// formats is every format that can be read.
func formats() []format {
	return []format{
		{"csv", []string{"csv", "txt", "psv", "ssv", "dat"}, []string{"text/csv", "application/csv", "text/plain"}, false, readCSV},
		{"tsv", []string{"tsv", "tab"}, []string{"text/tab-separated-values"}, false, readTSV},
	}
}

func formatNamed(name string) *format {
	for _, f := range formats() {
		if f.name == name {
			return &f
		}
	}
	return nil
}

func formatNames() (names []string) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// headBytes is how much of a document is looked at to detect its format.
const headBytes = 4 << 10

// peek shows the beginning of the document, which is read again from there.
func (d *Document) peek() ([]byte, error) {
	if d.Text == nil && d.Raw != nil {
		d.Text = io.NewSectionReader(d.Raw, 0, d.Size)
	}
	r := bufio.NewReaderSize(d.Text, headBytes)
	d.Text = r
	head, err := r.Peek(headBytes)
	if err == io.EOF {
		err = nil
	}
	return head, err
}

// Detect says which format a text is in, and why: by its first bytes, the extension of its name and its
// media type.
func Detect(name, mediaType string, head []byte) (format, evidence string) {
	return "csv", "TODO"
}
