package xmltext

import (
	"bytes"
	"fmt"
	"strings"

	"laundromat/internal/fault"
)

// edit adds an edit to the last repair of the token, of which bytes from one to another become with.
func (r *Reader) edit(from, to int, with string) {
	if n := len(r.faults); n > 0 {
		r.editIn(&r.faults[n-1], from, to, with)
	}
}

// editIn adds an edit to a finding, if edits are asked for. The text of an entity has no place for one.
func (r *Reader) editIn(f *finding, from, to int, with string) {
	if r.opt.Edits && len(r.outer) == 0 {
		f.edits = append(f.edits, fault.Edit{From: r.offset(r.start + from), To: r.offset(r.start + to), With: with})
	}
}

// Edit is the edit by which bytes of the token from one to another become with. It is none if edits are not asked for,
// or have no place.
func Edit(r *Reader, from, to int, with string) []fault.Edit {
	var f finding
	r.editIn(&f, from, to, with)
	return f.edits
}

// EditName gives an attribute of the tag another name.
func EditName(r *Reader, a *Attr, name string) []fault.Edit {
	if a.raw == nil || a.faulty {
		return nil
	}
	n := len(a.Local)
	if len(a.Prefix) > 0 {
		n += len(a.Prefix) + len(":")
	}
	return Edit(r, a.NameAt, a.NameAt+n, name)
}

// EditValue gives an attribute of the tag another value.
func EditValue(r *Reader, a *Attr, value string) []fault.Edit {
	if a.raw == nil || a.faulty || strings.ContainsAny(value, `&<"'`) {
		return nil
	}
	return Edit(r, a.ValueAt, a.ValueAt+len(a.raw), value)
}

// EditTrimmed takes the white space around the value of an attribute of the tag away.
func EditTrimmed(r *Reader, a *Attr) []fault.Edit {
	from, to := 0, len(a.raw)
	for from < to && class[a.raw[from]]&space != 0 {
		from++
	}
	for to > from && class[a.raw[to-1]]&space != 0 {
		to--
	}
	if a.faulty || to-from == len(a.raw) {
		return nil
	}
	return append(Edit(r, a.ValueAt, a.ValueAt+from, ""), Edit(r, a.ValueAt+to, a.ValueAt+len(a.raw), "")...)
}

// EditBegin gives an attribute of the tag another name, and puts a text before its value, if it has that not yet.
func EditBegin(r *Reader, a *Attr, name, begin string) []fault.Edit {
	if a.raw == nil || a.faulty || len(bytes.TrimSpace(a.raw)) < len(a.raw) {
		return nil
	}
	if bytes.HasPrefix(a.raw, []byte(begin)) {
		begin = ""
	}
	return Edit(r, a.NameAt, a.ValueAt, name+"="+string(r.buf[r.start+a.ValueAt-1])+begin)
}

// EditBlankContent takes out the white space that follows the tag, if an end tag follows that.
func EditBlankContent(r *Reader) []fault.Edit {
	i := r.pos
	for i < r.end && class[r.buf[i]]&space != 0 {
		i++
	}
	if !bytes.HasPrefix(r.buf[i:r.end], []byte("</")) {
		return nil
	}
	return Edit(r, r.pos-r.start, i-r.start, "")
}

// EditAway takes an attribute out of the tag, with the white space before it.
func EditAway(r *Reader, a *Attr) []fault.Edit {
	if a.raw == nil || a.faulty {
		return nil
	}
	return Edit(r, spaceBefore(r, a.NameAt), a.ValueAt+len(a.raw)+1, "")
}

// EditDeclaration takes out a declaration that declares nothing: of no namespace, or of a prefix that XML keeps for
// itself.
func EditDeclaration(r *Reader, a *Attr, prefix, iri []byte) []fault.Edit {
	if len(iri) > 0 && string(prefix) != "xml" && string(prefix) != "xmlns" {
		return nil
	}
	return EditAway(r, a)
}

// EditStray takes a text out of the document.
func EditStray(r *Reader, s *Stray) []fault.Edit {
	if !r.opt.Edits || s.within {
		return nil
	}
	return []fault.Edit{{From: s.Pos.Offset, To: s.Pos.Offset + s.Bytes}}
}

// spaceBefore is where the white space before a byte of the token begins.
func spaceBefore(r *Reader, i int) int {
	for i > 0 && class[r.buf[r.start+i-1]]&space != 0 {
		i--
	}
	return i
}

// editSigns writes each of the first n bytes of the token as a reference.
func editSigns(r *Reader, f *finding, n int, reference string) {
	for i := 0; i < n && r.opt.Edits; i++ {
		r.editIn(f, i, i+1, reference)
	}
}

// editReference writes a reference that names no entity, at a byte of the token, as XML has it.
func editReference(r *Reader, f *finding, at int, ref *reference) {
	switch {
	case !ref.character:
		r.editIn(f, at, at+1, "&amp;")
	case ref.pair:
		r.editIn(f, at, at+ref.size, fmt.Sprintf("&#x%X;", ref.char))
	case ref.unclosed && !forbidden(ref.char):
		r.editIn(f, at+ref.size, at+ref.size, ";")
	}
}

// editEntity writes the reference to an entity that is not declared, at a byte of the token, as what it means.
func editEntity(r *Reader, f *finding, at, size int, text []byte) {
	if !r.opt.Edits {
		return
	}
	var with strings.Builder
	switch f.code {
	case fault.XMLNamespaceEntity:
		with.Write(text)
	case fault.XMLHTMLEntity:
		for _, c := range string(text) {
			fmt.Fprintf(&with, "&#%d;", c)
		}
	default:
		return
	}
	r.editIn(f, at, at+size, with.String())
}
