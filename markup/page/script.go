package page

import (
	"sort"

	"laundromat/internal/fault"
)

// Script is what is in a script element, and where.
type Script struct {
	// Text is the text as a program of the page gets it: in HTML the bytes of the
	// page, in XML with references expanded.
	Text     []byte
	Pos      fault.Pos     // where the text begins
	Repaired bool          // markup around or in the text was mended
	Lost     *fault.Notice // the text can't be trusted; the notice was not reported
	// IsMarkup says that Text is as it is in the page although that is XML, or is no script. It holds
	// elements, or is an element rdf:RDF itself.
	IsMarkup bool

	end       fault.Pos // the place after Text, in Text
	stretches []stretch
}

// stretch is a part of a script's text, from the place in the text to the next
// stretch. It is in the page as it is; or else, as what an entity means, all of
// it has one place.
type stretch struct {
	text, page fault.Pos
	isOther    bool
}

// add appends a piece of text that comes from a place of the page. isOther says that
// it is not there as it is.
func (s *Script) add(text []byte, at fault.Pos, isOther bool) {
	if len(s.stretches) == 0 {
		s.Pos, s.end = at, fault.Pos{Line: 1, Column: 1}
		s.stretches = append(s.stretches, stretch{s.end, at, isOther})
	} else if last := &s.stretches[len(s.stretches)-1]; isOther || last.isOther ||
		last.page.Offset+s.end.Offset-last.text.Offset != at.Offset {
		s.stretches = append(s.stretches, stretch{s.end, at, isOther})
	}
	s.Text = append(s.Text, text...)
	s.end = Advance(s.end, text)
}

// take is add for the whole text of a script, which is part of the page.
func (s *Script) take(text []byte, at fault.Pos) {
	s.add(nil, at, false)
	s.Text = text[:len(text):len(text)]
	s.end = Advance(s.end, text)
}

// Offset is where a byte of the script's text is in the page. False means that it is not there as it stands.
func (s *Script) Offset(in int64) (offset int64, isThere bool) {
	i := sort.Search(len(s.stretches), func(i int) bool { return s.stretches[i].text.Offset > in })
	if i == 0 || s.stretches[i-1].isOther {
		return 0, false
	}
	from := &s.stretches[i-1]
	return from.page.Offset + in - from.text.Offset, true
}

// Place is the place in the page of a place in the script's text; what lies after the
// text is where that ends.
func (s *Script) Place(in fault.Pos) fault.Pos {
	if in.Offset > s.end.Offset {
		in = s.end
	}
	i := sort.Search(len(s.stretches), func(i int) bool { return s.stretches[i].text.Offset > in.Offset })
	if in.Line == 0 || i == 0 {
		return s.Pos
	}
	from := &s.stretches[i-1]
	if from.isOther {
		return from.page
	}
	out := fault.Pos{Line: from.page.Line + in.Line - from.text.Line, Column: in.Column, Offset: from.page.Offset +
		in.Offset - from.text.Offset}
	if in.Line == from.text.Line {
		out.Column += from.page.Column - from.text.Column
	}
	return out
}
