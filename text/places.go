package text

import "sort"

// Places says where the bytes of a text stand in the document that it was made of. It is a list of runs, in rising
// order of the text. What is between runs was made: the space that stands for several, what keeps blocks apart.
type Places []Run

// Run is a stretch of text that is written in the document. If Length and SourceLength are equal, the bytes are the
// same; if not, all of the run is one reference or the like.
type Run struct {
	Text, Length         int
	Source, SourceLength int
}

// isCopy says that the bytes of a run stand in the document as they are.
func (r *Run) isCopy() bool { return r.Length == r.SourceLength }

// Append adds a stretch behind the last one.
func (p Places) Append(r Run) Places {
	if n := len(p) - 1; n >= 0 && r.isCopy() && p[n].isCopy() && p[n].Text+p[n].Length == r.Text &&
		p[n].Source+p[n].SourceLength == r.Source {
		p[n].Length += r.Length
		p[n].SourceLength += r.SourceLength
		return p
	}
	return append(p, r)
}

// Source is where in the document a stretch of text stands: from the place of its first byte to that behind its last.
// Of a stretch that was made it is the empty one behind what stands before it. Where the text is not in the order of
// the document, the end is never before the start.
func (p Places) Source(s Span) Span {
	from := p.at(s.Start, true)
	if s.End <= s.Start {
		return Span{from, from}
	}
	return Span{from, max(from, p.at(s.End, false))}
}

// at is the place in the document of an offset: of the byte that follows it, or of what ends there.
func (p Places) at(offset int, start bool) int {
	i := sort.Search(len(p), func(i int) bool { return p[i].Text > offset || !start && p[i].Text == offset }) - 1
	if i < 0 {
		if len(p) == 0 {
			return 0
		}
		return p[0].Source
	}
	r := &p[i]
	switch in := offset - r.Text; {
	case in >= r.Length:
		if start && in > r.Length && i+1 < len(p) {
			return p[i+1].Source // what was made belongs to what follows
		}
		if start && i+1 < len(p) && p[i+1].Text == offset {
			return p[i+1].Source
		}
		return r.Source + r.SourceLength
	case r.isCopy():
		return r.Source + in
	case start || in == 0:
		return r.Source
	}
	return r.Source + r.SourceLength
}

// Text is the offset in the text of a place in the document. It is that of the byte that stands there, or of the next
// one of the text behind it. The runs must be in the order of the document.
func (p Places) Text(source int) int {
	i := sort.Search(len(p), func(i int) bool { return p[i].Source+p[i].SourceLength > source })
	switch {
	case i == len(p) && i == 0:
		return 0
	case i == len(p):
		return p[i-1].Text + p[i-1].Length
	case source <= p[i].Source || !p[i].isCopy():
		return p[i].Text
	}
	return p[i].Text + source - p[i].Source
}

// Through is where a text stands in a document, if p is where it stands in a part that was decoded. The bytes of that
// part stand in the document where outer says.
func (p Places) Through(outer Places) (through Places) {
	next := 0 // the first of outer that is not before the run
	for _, r := range p {
		for next < len(outer) && outer[next].Text+outer[next].Length <= r.Source {
			next++
		}
		if !r.isCopy() {
			s := outer.Source(Span{r.Source, r.Source + r.SourceLength})
			through = through.Append(Run{r.Text, r.Length, s.Start, s.End - s.Start})
			continue
		}
		end := r.Source + r.SourceLength
		for i := next; i < len(outer) && outer[i].Text < end; i++ {
			o := outer[i]
			from, to := max(r.Source, o.Text), min(end, o.Text+o.Length)
			if to <= from {
				continue
			}
			run := Run{r.Text + from - r.Source, to - from, o.Source, o.SourceLength}
			if o.isCopy() {
				run.Source, run.SourceLength = o.Source+from-o.Text, to-from
			}
			through = through.Append(run)
		}
	}
	return through
}
