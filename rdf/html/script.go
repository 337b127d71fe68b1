package html

import (
	"bytes"
	"sort"

	"laundromat/internal/fault"
	"laundromat/markup/page"
)

// script is the text of a script, or of several of JSON-LD, as it is read.
type script struct {
	text     []byte
	repaired bool // what comes of it counts as repaired
	lost     *fault.Notice

	mended  bool      // marks around it were blanked
	mark    fault.Pos // the first of them, in text
	excerpt []byte

	parts []part
}

// part is a script within a text.
type part struct {
	start fault.Pos // where it begins in the text
	from  *page.Script
}

// newScript makes a script of that of a page. Marks around it are left out if what they
// hide can be its text; with nil they stay.
func newScript(from *page.Script, hides func(text []byte, opened, closed bool) bool) script {
	s := script{text: from.Text, repaired: from.Repaired, lost: from.Lost, parts: []part{{fault.Pos{Line: 1, Column: 1}, from}}}
	if hides != nil {
		s.unwrap(hides)
	}
	return s
}

// place is the place in the page of a place in the text.
func (s *script) place(in fault.Pos) fault.Pos {
	i := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].start.Offset > in.Offset })
	p := &s.parts[max(i-1, 0)]
	if in.Line == 0 {
		return p.from.Place(in)
	}
	local := fault.Pos{Line: in.Line - p.start.Line + 1, Column: in.Column, Offset: in.Offset - p.start.Offset}
	if local.Line == 1 {
		local.Column -= p.start.Column - 1
	}
	return p.from.Place(local)
}

// edits are those of the text as edits of the page; none where the page does not have the text as it stands.
func (s *script) edits(all []fault.Edit) []fault.Edit {
	for k := range all {
		e := &all[k]
		for _, offset := range []*int64{&e.From, &e.To} {
			i := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].start.Offset > *offset })
			p := &s.parts[max(i-1, 0)]
			var isThere bool
			if *offset, isThere = p.from.Offset(*offset - p.start.Offset); !isThere {
				return nil
			}
		}
	}
	return all
}

// opening and closing are the marks that scripts were hidden in from browsers that
// did not know them, and from parsers of XML.
var (
	opening = [][]byte{[]byte("<!--"), []byte("-->"), []byte("<![CDATA["), []byte("//"), []byte("/*"), []byte("*/"), []byte("><!--")}
	closing = [][]byte{[]byte("-->"), []byte("<!]]>"), []byte("]]>"), []byte("//"), []byte("/*"), []byte("*/"), []byte("<!--")}
)

const spaces = " \t\r\n\f"

// unwrap blanks the marks of comments and CDATA sections around a text that can be
// within.
func (s *script) unwrap(hides func(text []byte, opened, closed bool) bool) {
	from, to := 0, len(s.text)
	opened, closed := false, false
	for again := true; again; {
		again = false
		from += len(s.text[from:to]) - len(bytes.TrimLeft(s.text[from:to], spaces))
		for _, mark := range opening {
			if bytes.HasPrefix(s.text[from:to], mark) {
				from += len(mark)
				opened = opened || mark[0] == '<'
				again = true
			}
		}
	}
	for again := true; again; {
		again = false
		to -= len(s.text[from:to]) - len(bytes.TrimRight(s.text[from:to], spaces))
		for _, mark := range closing {
			if bytes.HasSuffix(s.text[from:to], mark) {
				to -= len(mark)
				closed = closed || mark[len(mark)-1] == '>'
				again = true
			}
		}
	}
	if !opened && !closed || from == to || !hides(s.text[from:to], opened, closed) {
		return
	}
	old := s.text
	s.text = bytes.Clone(old)
	first := len(old)
	for i, b := range old {
		if (i < from || i >= to) && bytes.IndexByte([]byte(spaces), b) < 0 {
			s.text[i] = ' '
			first = min(first, i)
		}
	}
	s.mended, s.repaired = true, true
	s.mark = fault.Pos{Line: 1, Column: 1}
	s.mark = page.Advance(s.mark, old[:first])
	s.excerpt, _, _ = bytes.Cut(old[first:min(len(old), first+fault.MaxExcerpt)], []byte("\n"))
}

// join makes one text of all scripts: an object that is but a set of what they hold.
func join(all []script) (joined script) {
	end := fault.Pos{Line: 1, Column: 1}
	add := func(text []byte) {
		joined.text = append(joined.text, text...)
		end = page.Advance(end, text)
	}
	add([]byte(`{"@set":[`))
	for i := range all {
		s := &all[i]
		if i > 0 {
			add([]byte(",\n"))
		}
		joined.parts = append(joined.parts, part{end, s.parts[0].from})
		joined.repaired = joined.repaired || s.repaired
		if joined.lost == nil {
			joined.lost = s.lost
		}
		if s.mended && !joined.mended {
			joined.mended, joined.excerpt = true, s.excerpt
			joined.mark = page.Advance(end, s.text[:s.mark.Offset])
		}
		add(s.text)
	}
	add([]byte("\n]}"))
	return joined
}
