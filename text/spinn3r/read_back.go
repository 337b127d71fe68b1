package spinn3r

import (
	"sort"
	"strings"
	"unicode/utf8"

	"laundromat/encoding"
)

// Texts are the texts of a record that its reader may see: the title and the content, in tokens and as they were.
func (r *Record) Texts() string {
	var b strings.Builder
	for i := range r.Fields {
		if strings.IndexByte("TFCH", r.Fields[i].Letter) >= 0 {
			b.WriteString(r.Fields[i].Value)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// ReadLatin1 reads all fields that are not UTF-8 as Latin-1, and says whether there are any. Places stay: a byte
// counts as a character before and after.
func (r *Record) ReadLatin1() (found bool) {
	for i := range r.Fields {
		f := &r.Fields[i]
		if utf8.ValidString(f.Value) {
			continue
		}
		found = true
		text := make([]byte, 0, len(f.Value)*2)
		for j := range len(f.Value) {
			text = utf8.AppendRune(text, rune(f.Value[j]))
		}
		f.Value = string(text)
	}
	if found {
		r.raw = nil
	}
	return found
}

// ReadBack reads back a record in which each character outside ASCII is there as several. The places of links and
// quotes move with the content. The address of the article stays as it is, since it may be known by that.
func (r *Record) ReadBack() {
	before := r.index()
	content, _ := r.Value('C')
	moved := encoding.Undouble(content)
	after := newIndex(moved.Text)
	for i := range r.Fields {
		f := &r.Fields[i]
		switch f.Letter {
		case 'T', 'F', 'C', 'H':
			f.Value = encoding.Undouble(f.Value).Text
		case 'L', 'Q':
			p, rest, ok := place(f.Value, r.Form.separator(), before)
			if !ok {
				continue
			}
			if from, ok := before.offset(p.Start); ok {
				end, isInside := before.offset(p.Start + max(p.Length, 0))
				p.Start = after.number(moved.Offset(from))
				if isInside && p.Length >= 0 {
					p.Length = after.number(moved.Offset(end)) - p.Start
				}
			}
			w := writer{record: r, form: r.Form}
			f.Value = w.place(p) + encoding.Undouble(rest).Text
		}
	}
	r.raw = nil
}

// number is how many code points stand before an offset.
func (x *index) number(offset int) int {
	if x.marks == nil {
		return offset
	}
	i := sort.SearchInts(x.marks, offset+1) - 1
	return i*step + utf8.RuneCountInString(x.text[x.marks[i]:offset])
}
