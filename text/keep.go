package text

import (
	"slices"
	"sort"
)

// Main is the part of a block that is main content.
const Main = "main"

// KeepMain leaves only the main content of an article whose blocks were judged: its text, its blocks, and the links
// and quotes in them. An article without a block that is main content stays as it is. Tokens are made of what is
// left.
func (a *Article) KeepMain() {
	if !slices.ContainsFunc(a.Blocks, func(b Block) bool { return b.Part == Main }) {
		return
	}
	var out []byte
	var moved []moves
	var blocks []Block
	last := -1
	for i := range a.Blocks {
		b := a.Blocks[i]
		if b.Part != Main {
			continue
		}
		switch {
		case last >= 0 && last == i-1:
			out = append(out, a.Text[a.Blocks[last].End:b.Start]...)
		case last >= 0:
			out = append(out, "\n\n"...)
		}
		last = i
		moved = append(moved, moves{b.Span, len(out)})
		out = append(out, a.Text[b.Start:b.End]...)
		b.Span = Span{len(out) - (b.End - b.Start), len(out)}
		blocks = append(blocks, b)
	}
	var places Places
	at := 0
	for _, r := range a.Places {
		for at < len(moved) && moved[at].from.End <= r.Text {
			at++
		}
		for k := at; k < len(moved) && moved[k].from.Start < r.Text+r.Length; k++ {
			from, to := max(r.Text, moved[k].from.Start), min(r.Text+r.Length, moved[k].from.End)
			run := Run{from - moved[k].from.Start + moved[k].to, to - from, r.Source, r.SourceLength}
			if r.isCopy() {
				run.Source, run.SourceLength = r.Source+from-r.Text, to-from
			}
			places = places.Append(run)
		}
	}
	links := a.Links[:0:0]
	for _, l := range a.Links {
		if l.InTitle {
			links = append(links, l)
		} else if s, ok := movedTo(moved, l.Span); ok {
			l.Span = s
			links = append(links, l)
		}
	}
	quotes := a.Quotes[:0:0]
	for _, q := range a.Quotes {
		if s, ok := movedTo(moved, q.Span); ok && s.End-s.Start == q.End-q.Start {
			q.Span = s
			quotes = append(quotes, q)
		}
	}
	a.Text, a.Blocks, a.Places, a.Links, a.Quotes = string(out), blocks, places, links, quotes
}

// moves is a stretch that is kept, and where it begins now.
type moves struct {
	from Span
	to   int
}

// movedTo is where a stretch is now, as far as it is kept; not ok if none of it is. An empty one is kept with the
// byte that follows it.
func movedTo(all []moves, s Span) (Span, bool) {
	out, found := Span{}, false
	first := sort.Search(len(all), func(i int) bool { return all[i].from.End > s.Start })
	for _, m := range all[first:] {
		if m.from.Start > s.End {
			break
		}
		isEmpty := s.Start == s.End && m.from.Start <= s.Start && s.Start < m.from.End
		from, to := max(s.Start, m.from.Start), min(s.End, m.from.End)
		if from >= to && !isEmpty {
			continue
		}
		if !found {
			out.Start, found = from-m.from.Start+m.to, true
		}
		out.End = max(from, to) - m.from.Start + m.to
	}
	return out, found
}
