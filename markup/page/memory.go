package page

import (
	"bytes"

	"laundromat/internal/fault"
)

// MemoryFactor is how many bytes of memory the process takes at most for a byte of a page, whatever is
// read from it. The heap is bounded to that. Measured on 6 MiB, unbounded: 18 for plain paragraphs, 45
// where Microdata or RDFa is dense, 110 to 120 for nothing but empty elements. Of those, 70 are live;
// the rest is what the collector leaves.
const MemoryFactor = 90

// leastFactor is the same for a page without any tags.
const leastFactor = 15

// The parts of what a page takes, in bytes: a byte of text and of a tag, a tag, and an
// attribute. They are rounded up from what the pages above take.
const (
	textFactor  = 15
	tagFactor   = 37
	needTag     = 250
	needAttrib  = 150
	needAtLeast = 1 << 10
)

// The same parts where only the texts of a page are found. Its attributes are read for few elements, and their values
// are parts of the page.
const (
	textsByte   = 8
	textsInTag  = 12
	textsTag    = 350
	textsAttrib = 80
)

// measured is what the memory that a page takes depends on: its start tags, their attributes, the bytes in them, and
// all bytes.
type measured struct{ tags, attributes, inTags, all int64 }

// need estimates the memory that a page takes, by its tags and attributes.
func (m *measured) need() int64 {
	text := m.all - m.inTags
	return min(MemoryFactor*m.all, text*textFactor+m.inTags*tagFactor+m.tags*needTag+m.attributes*needAttrib) + needAtLeast
}

// needTexts estimates what a page takes of which the texts are found.
func (m *measured) needTexts() int64 {
	text := m.all - m.inTags
	return min(MemoryFactor*m.all, text*textsByte+m.inTags*textsInTag+m.tags*textsTag+m.attributes*textsAttrib) + needAtLeast
}

func measure(source []byte) measured {
	m := measured{all: int64(len(source))}
	for rest := source; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 || i+1 == len(rest) {
			break
		}
		rest = rest[i+1:]
		if c := rest[0] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		n, found := measureTag(rest)
		m.tags++
		m.attributes += found
		m.inTags += int64(n)
		rest = rest[n:]
	}
	return m
}

// measureTag is the length of a start tag without its angle bracket, and how many
// attributes it may have.
func measureTag(tag []byte) (length int, attributes int64) {
	blank := false
	for i := 0; i < len(tag); i++ {
		switch b := tag[i]; {
		case b == '>':
			return i, attributes
		case (b == '"' || b == '\'') && tag[i-1] == '=':
			n := bytes.IndexByte(tag[i+1:], b)
			if n < 0 {
				return len(tag), attributes
			}
			i += n + 1
			blank = true
		case b == ' ' || b == '\n' || b == '\t' || b == '\r' || b == '\f' || b == '/':
			blank = true
		case blank:
			blank = false
			attributes++
		}
	}
	return len(tag), attributes
}

// tooMuch is the error of a page that takes more memory than it may.
func tooMuch(message string, args ...any) error {
	return fault.New("page.Read", fault.Limit, fault.LimitMemory, message, args...)
}
