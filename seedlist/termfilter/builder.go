package termfilter

import (
	"bytes"

	"laundromat/internal/commonprefix"
	"laundromat/rdf/quadline"
)

// Builder makes the filter of a clean file from its lines, which are sorted: so most terms are those of the line
// before, and are not looked at again. It holds 8 MB at most beside the filter itself.
type Builder struct {
	keys  []key
	full  [][]byte // blocks of keys that were too many for one filter
	bytes int64

	before                     []byte // the last line of the call before
	subject, predicate         int    // the ends of these terms in the line before
	recentPredicate, lastGraph recent
	recentClass                recent
}

// Reset makes it empty, and keeps its memory where that is little.
func (b *Builder) Reset() {
	keys := b.keys[:0]
	if cap(keys) > mostKept {
		keys = nil
	}
	*b = Builder{keys: keys, before: b.before[:0]}
}

// mostKept is how many keys a Reset keeps memory for.
const mostKept = 4096

// recent are keys that were added last, so that few are added often.
type recent [64]key

func (r *recent) has(k key) bool {
	at := &r[k%64]
	if *at == k {
		return true
	}
	*at = k
	return false
}

// mostShared is the most that is compared of two lines where they are sorted.
const mostShared = 32 << 10

// Lines takes lines as [laundromat/rdf/statistics.Counter.Lines] does.
func (b *Builder) Lines(text []byte, ends, shared []int) {
	if len(ends) == 0 {
		return
	}
	b.bytes += int64(len(text))
	line, from := b.before, 0
	for i, end := range ends {
		before := line
		line = text[from:end]
		n := shared[i]
		if n >= mostShared {
			n = commonprefix.Common(before, line, 0)
		}
		b.line(line[:len(line)-1], n)
		from = end
	}
	b.before = append(b.before[:0], line...)
}

// Line takes the next line, without its end.
func (b *Builder) Line(line []byte) {
	b.bytes += int64(len(line)) + 1
	b.line(line, commonprefix.Common(b.before, line, 0))
	b.before = append(b.before[:0], line...)
}

// line takes a line, of which so many bytes are those of the line before.
func (b *Builder) line(line []byte, shared int) {
	isNew := shared <= b.predicate || b.predicate == 0
	if isNew {
		end := bytes.IndexByte(line, ' ')
		if end < 0 {
			return // no statement
		}
		if shared <= b.subject || b.subject != end {
			b.add(keyOf(Subject, line[:end]))
		}
		b.subject = end
		n := bytes.IndexByte(line[end+1:], ' ')
		if n < 0 {
			return
		}
		b.predicate = end + 1 + n
		if k := keyOf(Predicate, line[end+1:b.predicate]); !b.recentPredicate.has(k) {
			b.add(k)
		}
	}
	object, graph := quadline.CutObject(line[b.predicate+1:])
	if bytes.Equal(line[b.subject+1:b.predicate], typeProperty) {
		if k := keyOf(Class, object); !b.recentClass.has(k) {
			b.add(k)
		}
	}
	if graph != nil {
		if k := keyOf(Graph, graph); !b.lastGraph.has(k) {
			b.add(k)
		}
	}
}

func (b *Builder) add(k key) {
	if len(b.keys) == mostKeys {
		b.full = append(b.full, makeBlocks(b.keys))
		b.keys = b.keys[:0]
	}
	b.keys = append(b.keys, k)
}

// made are the filters, and how many bytes of text they are of.
func (b *Builder) made() (filters [][]byte, bytes int64) {
	return append(b.full, makeBlocks(b.keys)), b.bytes
}
