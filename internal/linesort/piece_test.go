package linesort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// filled returns a piece of about size bytes of lines like those of DBpedia, shuffled.
func filled(size int) *piece {
	random := rand.New(rand.NewPCG(3, 3))
	p := new(piece)
	for len(p.text) < size {
		p.text = append(p.text, 0, 0, 0, 0)
		start := len(p.text)
		p.text = fmt.Appendf(p.text,
			"<http://dbpedia.org/resource/Thing_%d> <http://dbpedia.org/ontology/property%d> <http://dbpedia.org/resource/Other_%d> .",
			random.IntN(size/800), random.IntN(8), random.IntN(1000))
		p.entries = append(p.entries, entry{offset: uint32(start), length: uint32(len(p.text) - start)})
	}
	return p
}

// prefixed is the other way that was tried. It is a general sort of entries that hold the
// first eight bytes after what all lines have in common.
func (p *piece) prefixed() {
	p.text = append(p.text, make([]byte, slack)...)
	o := order{p.text}
	depth := o.common(p.entries, 0)
	for i := range p.entries {
		p.entries[i].word = o.word(&p.entries[i], depth)
	}
	slices.SortFunc(p.entries, func(a, b entry) int {
		if a.word != b.word {
			return cmp.Compare(a.word, b.word)
		}
		return bytes.Compare(o.line(&a)[depth:], o.line(&b)[depth:])
	})
}

// BenchmarkPiece compares ways to sort a piece, and sizes of pieces.
func BenchmarkPiece(b *testing.B) {
	for _, size := range []int{1 << 20, 8 << 20, 64 << 20} {
		from := filled(size)
		for _, way := range []struct {
			name string
			sort func(*piece)
		}{{"eight bytes at a time", func(p *piece) { p.each(false, func([]entry, int) {}) }}, {"cached prefix", (*piece).prefixed}} {
			b.Run(fmt.Sprintf("%d MiB/%s", size>>20, way.name), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					p := &piece{text: slices.Clone(from.text), entries: slices.Clone(from.entries)}
					b.StartTimer()
					way.sort(p)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(from.entries)), "ns/line")
			})
		}
	}
}

func TestStretchIsTheLinesOfAPieceInOrderEachOnce(t *testing.T) {
	p := filled(1 << 20)
	var lines [][]byte
	for _, e := range p.entries {
		lines = append(lines, bytes.Clone(p.text[e.offset:e.offset+e.length]))
	}
	slices.SortFunc(lines, bytes.Compare)
	var want, got stretch
	var last []byte
	for i, line := range lines {
		if i > 0 && bytes.Equal(line, last) {
			if n := len(want.repeats); n == 0 || want.repeats[n-1].line != uint32(len(want.ends)-1) {
				want.repeats = append(want.repeats, repeat{uint32(len(want.ends) - 1), 0})
			}
			want.repeats = append(want.repeats, repeat{uint32(len(want.ends) - 1), 0})
			continue
		}
		shared := 0
		for shared < min(len(line), len(last)) && line[shared] == last[shared] {
			shared++
		}
		want.text = append(append(want.text, line...), '\n')
		want.ends, want.shared = append(want.ends, len(want.text)), append(want.shared, shared)
		last = line
	}
	got.gather(p, false)
	if len(want.repeats) == 0 {
		t.Fatal("no line is there twice")
	}
	if !bytes.Equal(got.text, want.text) || !slices.Equal(got.ends, want.ends) || !slices.Equal(got.shared, want.shared) ||
		!slices.Equal(got.repeats, want.repeats) {
		t.Errorf("%d lines, %d repeated; want %d, %d, or other ones", len(got.ends), len(got.repeats), len(want.ends), len(want.repeats))
	}
}

// A sequence made to give bad pivots ends in the general sort, and is still sorted.
func TestBadPivotsCostNoOrder(t *testing.T) {
	p := new(piece)
	for i := range 5000 {
		p.text = append(p.text, 0, 0, 0, 0)
		start := len(p.text)
		p.text = binary.BigEndian.AppendUint32(p.text, uint32(i*2654435761))
		p.entries = append(p.entries, entry{offset: uint32(start), length: 4})
	}
	p.text = append(p.text, make([]byte, slack)...)
	o := order{p.text}
	for i := range p.entries {
		p.entries[i].word = o.word(&p.entries[i], 0)
	}
	o.byWord(p.entries, 0, 1)
	if !slices.IsSortedFunc(p.entries, func(a, b entry) int { return bytes.Compare(o.line(&a), o.line(&b)) }) {
		t.Error("not in order")
	}
}
