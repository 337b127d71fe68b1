package linesort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"

	"laundromat/internal/commonprefix"
)

// piece is a part of the lines that is sorted at once. It holds their text, each after the
// number of its document, and an entry for each. What all lines begin with is held once.
type piece struct {
	common  []byte
	text    []byte
	entries []entry
	runs    runs
}

// entry is a line in a piece; word holds the eight bytes by which it is compared next.
type entry struct {
	word   uint64
	offset uint32
	length uint32
}

const (
	entrySize    = 16
	documentSize = 4
	// the most that a line takes in addition to its text
	lineSize = documentSize + 2*entrySize + (entrySize+runSize)/leastRun

	// slack lies after the text, so that eight bytes can be read at its last.
	slack = 8
)

// reset makes p empty, for about as many lines and bytes as a task has.
func (p *piece) reset(t *task) {
	bytes := t.bytes - t.lines*int64(len(t.common))
	p.common = t.common
	p.text = emptied(p.text, int(max(bytes, 0)+t.lines*documentSize+(t.lines/leastRun+fewRuns)*runSize+slack))
	p.entries = emptied(p.entries, int(t.lines))
	p.runs.reset(t.ordered)
}

// emptied returns s without its elements, and with room for n. Unlike slices.Grow it does not
// copy what is there.
func emptied[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, 0, n)
		wishHuge(unsafe.Pointer(unsafe.SliceData(s)), n*int(unsafe.Sizeof(*new(T))))
	}
	return s[:0]
}

// each sorts the entries, unless they are in order, and passes them on, some at a time, which begin with
// so many bytes in common. They are valid until the next.
func (p *piece) each(ordered bool, lines func(entries []entry, shared int)) {
	p.text = append(p.text, make([]byte, slack)...)
	o := order{p.text}
	switch {
	case ordered:
	case p.runs.pay():
		p.runs.each(&o, p, lines)
		return
	default:
		o.sort(p.entries, 0)
	}
	lines(p.entries, 0)
}

// order sorts entries by their text: quicksort in three parts by eight bytes at a
// time, which are in the entries. Lines that agree in them go on with the next
// eight. What all lines of a part have in common is skipped.
type order struct {
	text []byte
}

// few is the number of entries below which they are sorted by insertion.
const few = 12

// sort sorts entries whose lines agree in the first depth bytes.
func (o *order) sort(entries []entry, depth int) {
	if len(entries) > 2 {
		depth = o.common(entries, depth)
	}
	for i := range entries {
		entries[i].word = o.word(&entries[i], depth)
	}
	o.byWord(entries, depth, 2*bits.Len(uint(len(entries))))
}

// word is the eight bytes of a line from depth on, zeros where it has ended.
func (o *order) word(e *entry, depth int) uint64 {
	left := int(e.length) - depth
	if left <= 0 {
		return 0
	}
	word := binary.BigEndian.Uint64(o.text[int(e.offset)+depth:])
	if left < 8 {
		word &= ^uint64(0) << (64 - 8*left)
	}
	return word
}

func (o *order) line(e *entry) []byte { return o.text[e.offset : e.offset+e.length] }

// common is the length of the common prefix of all entries, depth at least.
func (o *order) common(entries []entry, depth int) int {
	first := o.line(&entries[0])
	least := len(first)
	for i := 1; i < len(entries) && least >= depth+8; i++ {
		least = commonprefix.Common(first[:least], o.line(&entries[i]), depth)
	}
	if least < depth+8 {
		return depth
	}
	return least
}

// byWord sorts entries that agree before depth and whose words are those at depth.
// turns is how many bad pivots are put up with.
func (o *order) byWord(entries []entry, depth, turns int) {
	for len(entries) > few {
		if turns--; turns < 0 {
			slices.SortFunc(entries, func(a, b entry) int { return o.compare(&a, &b, depth) })
			return
		}
		pivot := pivotOf(entries)
		low, i, high := 0, 0, len(entries)
		for i < high {
			switch w := entries[i].word; {
			case w < pivot:
				entries[low], entries[i] = entries[i], entries[low]
				low++
				i++
			case w > pivot:
				high--
				entries[high], entries[i] = entries[i], entries[high]
			default:
				i++
			}
		}
		o.agreeing(entries[low:high], depth)
		if low < len(entries)-high {
			o.byWord(entries[:low], depth, turns)
			entries = entries[high:]
		} else {
			o.byWord(entries[high:], depth, turns)
			entries = entries[:low]
		}
	}
	for i := 1; i < len(entries); i++ {
		e := entries[i]
		j := i
		for ; j > 0 && o.compare(&e, &entries[j-1], depth) < 0; j-- {
			entries[j] = entries[j-1]
		}
		entries[j] = e
	}
}

// agreeing sorts entries that have the same word at depth. First come those that end with
// it, of which the shorter is a prefix of the longer (the rest is zeros).
func (o *order) agreeing(entries []entry, depth int) {
	ended := 0
	for i := range entries {
		if int(entries[i].length) <= depth+8 {
			entries[ended], entries[i] = entries[i], entries[ended]
			ended++
		}
	}
	if ended > 1 {
		slices.SortFunc(entries[:ended], func(a, b entry) int { return cmp.Compare(a.length, b.length) })
	}
	if len(entries)-ended > 1 {
		o.sort(entries[ended:], depth+8)
	}
}

func (o *order) compare(a, b *entry, depth int) int {
	if a.word != b.word {
		return cmp.Compare(a.word, b.word)
	}
	x, y := o.line(a), o.line(b)
	depth = min(depth, len(x), len(y))
	return bytes.Compare(x[depth:], y[depth:])
}

// pivotOf is the median of three words; of three such medians where there are many.
func pivotOf(entries []entry) uint64 {
	n := len(entries)
	at := func(i int) uint64 { return entries[i].word }
	if n < 128 {
		return median(at(0), at(n/2), at(n-1))
	}
	return median(
		median(at(0), at(n/8), at(n/4)),
		median(at(n/2-n/8), at(n/2), at(n/2+n/8)),
		median(at(n-1-n/4), at(n-1-n/8), at(n-1)),
	)
}

func median(a, b, c uint64) uint64 {
	if a > b {
		a, b = b, a
	}
	return max(a, min(b, c))
}
