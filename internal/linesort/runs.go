package linesort

import (
	"bytes"
	"encoding/binary"
)

// runs are the lines of a piece that came one after the other and begin with the same word,
// as those of one subject do. The words are sorted, and then the few lines that begin with
// each. That is half the work of sorting all lines as if they had nothing in common. Where
// runs are short, they are given up.
type runs struct {
	heads  []entry // the first word of each run, without its lines
	first  int     // where the lines of the last run begin among the piece's entries
	off    bool
	joined []entry // the lines of several runs of a word
}

const (
	// runSize is the size of what precedes the first line of a run in a piece's text. That is
	// where its lines begin among the entries, and how many they are.
	runSize = 8
	// leastRun is how many lines runs must have, on average, to pay.
	leastRun = 4
	// fewRuns don't show yet how long runs are.
	fewRuns = 256
)

func (r *runs) reset(off bool) { r.heads, r.first, r.off = r.heads[:0], 0, off }

// pay says that the piece is to be sorted by them.
func (r *runs) pay() bool { return !r.off && len(r.heads) > 0 }

// open makes room in the text for a run, whose first line is appended next.
func (r *runs) open(p *piece) {
	p.text = append(p.text, make([]byte, runSize)...)
}

// begin begins the run that was opened: its first line is the last entry of the piece.
func (r *runs) begin(p *piece) {
	r.end(p, len(p.entries)-1)
	if n := len(r.heads); n%fewRuns == 0 && n*leastRun > len(p.entries) {
		r.off = n > 0
	}
	r.first = len(p.entries) - 1
	head := p.entries[r.first]
	head.length = min(head.length, uint32(firstWord(p.text[head.offset:])))
	r.heads = append(r.heads, head)
}

// end ends the last run before that entry.
func (r *runs) end(p *piece, before int) {
	if n := len(r.heads); n > 0 {
		at := p.text[r.heads[n-1].offset-documentSize-runSize:]
		binary.LittleEndian.PutUint32(at, uint32(r.first))
		binary.LittleEndian.PutUint32(at[4:], uint32(before-r.first))
	}
}

// each passes the entries of a piece on in order, those of a word at a time, with its length. They
// are valid until the next.
func (r *runs) each(o *order, p *piece, lines func(entries []entry, word int)) {
	r.end(p, len(p.entries))
	o.sort(r.heads, 0)
	for i := 0; i < len(r.heads); {
		word, run := o.line(&r.heads[i]), r.lines(p, i)
		i++
		if i < len(r.heads) && bytes.Equal(o.line(&r.heads[i]), word) {
			r.joined = append(r.joined[:0], run...)
			for ; i < len(r.heads) && bytes.Equal(o.line(&r.heads[i]), word); i++ {
				r.joined = append(r.joined, r.lines(p, i)...)
			}
			run = r.joined
		}
		if len(run) > 1 {
			o.sort(run, len(word))
		}
		lines(run, len(word))
	}
}

// lines are the entries of a run.
func (r *runs) lines(p *piece, run int) []entry {
	at := p.text[r.heads[run].offset-documentSize-runSize:]
	first := binary.LittleEndian.Uint32(at)
	return p.entries[first : first+binary.LittleEndian.Uint32(at[4:])]
}

// firstWord is the length of the first word of a line with the blank after it; more than
// the line has if there is none.
func firstWord(line []byte) int {
	if i := bytes.IndexByte(line, ' '); i >= 0 {
		return i + 1
	}
	return len(line) + 1
}
