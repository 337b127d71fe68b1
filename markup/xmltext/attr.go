package xmltext

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// Attr is an attribute of a start tag.
type Attr struct {
	Prefix, Local []byte
	// Value has its references expanded and its white space normalised as that of
	// an attribute of type CDATA.
	Value []byte
	// NameAt and ValueAt are where name and value begin, from the beginning of the
	// tag; see [Reader.PosAt]. Those of a default attribute are the tag's own.
	NameAt, ValueAt int
	// Repaired says that a fault of this attribute was repaired and reported.
	Repaired bool
	// Lost is the notice, not reported yet, of why Value can't be trusted; nil if it
	// can. The caller sets what it costs, and reports it.
	Lost *fault.Notice

	faulty bool   // Lost will be set when the tag is certain
	raw    []byte // the value as written between two quotation marks; nil if it is not, or empty
}

// parseAttr reads the attribute at b[i]. It returns where it ends. joined says that no
// white space is before it; word is reported where one without a value begins.
func (r *Reader) parseAttr(b []byte, i int, joined, whole bool, word func(int)) (next int, hasValue bool, result outcome) {
	attr := Attr{NameAt: i, ValueAt: i}
	i, odd := nameEnd(b, i)
	name, end := b[attr.NameAt:i], i
	for i < len(b) && class[b[i]]&space != 0 {
		i++
	}
	if i == len(b) {
		return 0, false, unfinished
	}
	if b[i] != '=' {
		word(attr.NameAt)
	}
	if last := len(r.attrs) - 1; joined && !(last >= 0 && r.attrs[last].faulty) {
		r.repair(fault.XMLMissingSpace, attr.NameAt, "no space is between this and the attribute or sign before it")
		r.edit(attr.NameAt, attr.NameAt, " ")
		r.repaired = true
	}
	if odd {
		r.odd = true
		if name = cleanName(name); len(SoundName(name)) == 0 {
			r.repair(fault.XMLBadAttribute, attr.NameAt, "something inside a tag isn't an attribute; it was left out")
			r.edit(attr.NameAt, end, "")
			r.repaired = true
			r.junk = true
			return end, false, done
		}
	}
	attr.Prefix, attr.Local = splitName(name)
	if len(name) < end-attr.NameAt {
		attr.faulty = true // add notes why
	}
	if b[i] != '=' {
		if r.add(&attr, name) {
			r.lose(fault.XMLBadAttribute, attr.NameAt, fmt.Sprintf("the attribute %s has no value", name))
		}
		return end, false, done
	}
	i++
	for i < len(b) && class[b[i]]&space != 0 {
		i++
	}
	if i == len(b) {
		return 0, false, unfinished
	}
	if q := b[i]; q == '"' || q == '\'' {
		next, result = r.parseQuoted(b, i, whole, &attr, name)
		return next, true, result
	}
	return r.parseUnquoted(b, i, whole, &attr, name)
}

// parseUnquoted reads the value that begins at b[i], without a quotation mark. If one
// closes it, only the opening mark is missing.
func (r *Reader) parseUnquoted(b []byte, i int, whole bool, attr *Attr, name []byte) (next int, hasValue bool, result outcome) {
	attr.ValueAt = i
	if typographic(b[i:]) > 0 {
		if next, result = r.parseTypographic(b, whole, attr, name); result != noTag {
			return next, result == done, result
		}
	}
	for i < len(b) && class[b[i]]&space == 0 && b[i] != '>' && b[i] != '<' && b[i] != '"' {
		i++
	}
	if next, result = r.parseUnopened(b, i, whole, attr, name); result != noTag {
		return next, result == done, result
	}
	quote := b[i] == '"'
	if quote {
		for i < len(b) && class[b[i]]&space == 0 && b[i] != '>' && b[i] != '<' {
			i++
		}
	}
	if i == len(b) {
		return 0, false, unfinished
	}
	if b[i] == '>' && i > attr.ValueAt && b[i-1] == '/' {
		i--
	}
	if i == attr.ValueAt {
		if r.add(attr, name) {
			r.lose(fault.XMLBadAttribute, attr.NameAt, fmt.Sprintf("the attribute %s has no value", name))
		}
		return i, true, done
	}
	if r.addRepaired(attr, name, b[attr.ValueAt:i], "the value of the attribute %s has no quotation marks",
		stretch{attr.ValueAt, attr.ValueAt}, stretch{i, i}) {
		r.bare = len(r.attrs) - 1
		if quote || bytes.IndexByte(b[attr.ValueAt:i], '\'') >= 0 {
			r.lose(fault.XMLBadAttribute, attr.NameAt, fmt.Sprintf("a quotation mark is in the value of the attribute %s, which does "+
				"not begin with one", name))
		}
	}
	return i, true, done
}

// stretch is from one byte of the token to another.
type stretch [2]int

// addRepaired adds an attribute whose value had no sound quotation marks, unless there is one of that name.
// message has a %s for the name. Quotation marks are due in the stretches of marks.
func (r *Reader) addRepaired(attr *Attr, name, value []byte, message string, marks ...stretch) bool {
	if !r.add(attr, name) {
		return false
	}
	r.repair(fault.XMLUnquotedValue, attr.ValueAt, fmt.Sprintf(message, name))
	for _, at := range marks {
		r.edit(at[0], at[1], `"`)
	}
	r.setValue(value)
	r.attrs[len(r.attrs)-1].Repaired = true
	return true
}

// parseTypographic reads a value between two quotation marks that only books have. The outcome is noTag if
// there is no second one.
func (r *Reader) parseTypographic(b []byte, whole bool, attr *Attr, name []byte) (int, outcome) {
	from := attr.ValueAt + typographic(b[attr.ValueAt:])
	k := from
	for k < len(b) && b[k] != '<' && b[k] != '>' && b[k] != '"' && b[k] != '=' && typographic(b[k:]) == 0 {
		k++
	}
	if len(b)-k < utf8.UTFMax && !whole {
		return 0, unfinished
	}
	m := typographic(b[k:])
	if m == 0 {
		return 0, noTag
	}
	r.addRepaired(attr, name, b[from:k], "the value of the attribute %s is between quotation marks of typography",
		stretch{attr.ValueAt, from}, stretch{k, k + m})
	return k + m, done
}

// parseUnopened reads a value that a quotation mark closes, and whose first word ends at b[i]. The outcome
// is noTag if none does.
func (r *Reader) parseUnopened(b []byte, i int, whole bool, attr *Attr, name []byte) (int, outcome) {
	for i < len(b) && b[i] != '>' && b[i] != '<' && b[i] != '=' && b[i] != '"' {
		i++
	}
	if i == len(b) {
		return 0, unfinished
	}
	if b[i] != '"' || i == attr.ValueAt {
		return 0, noTag
	}
	result := goesOn(b, i+1, whole, true)
	if result == done {
		r.addRepaired(attr, name, b[attr.ValueAt:i], "the value of the attribute %s has no opening quotation mark",
			stretch{attr.ValueAt, attr.ValueAt})
	}
	return i + 1, result
}

// typographic is the length of a quotation mark that only books have, at the beginning of b; 0 if
// there is none.
func typographic(b []byte) int {
	switch r, size := utf8.DecodeRune(b); r {
	case '“', '”', '„', '«', '»', '‘', '’':
		return size
	}
	return 0
}

// parseQuoted reads the value that begins with the quotation mark b[i].
func (r *Reader) parseQuoted(b []byte, i int, whole bool, attr *Attr, name []byte) (int, outcome) {
	attr.ValueAt = i + 1
	value := b[i+1:]
	n, seen, result := quoted(b, i, whole)
	switch result {
	case unfinished:
		return 0, unfinished
	case done:
		attr.raw = value[:n]
		if r.add(attr, name) {
			if seen&delicate == 0 {
				r.attrs[len(r.attrs)-1].Value = value[:n]
			} else {
				r.setValue(value[:n])
			}
		}
		return i + 1 + n + 1, done
	}
	plain := n >= 0 && !bytes.ContainsAny(value[:n], "<>")
	if !plain {
		k := bytes.IndexAny(value, "<>")
		if k < 0 {
			return 0, unfinished
		}
		if value[k] == '>' && k > 0 && value[k-1] == '/' {
			k--
		}
		n = k
	}
	if r.add(attr, name) {
		message := "the value of the attribute %s has no closing quotation mark"
		if plain {
			message = "the value of the attribute %s has no closing quotation mark, or one that is not escaped is in it"
		}
		r.lose(fault.XMLUnclosedQuote, attr.NameAt, fmt.Sprintf(message, name))
	}
	if !plain {
		return attr.ValueAt + n, done
	}
	if k := nameBeforeEquals(value[:n]); k > 0 {
		return attr.ValueAt + k, done
	}
	// Quotation marks are in the value: go on after the last.
	k := i + 1 + n + 1
	for ; k < len(b) && b[k] != '<' && b[k] != '>'; k++ {
		if b[k] != b[i] {
			continue
		}
		switch goesOn(b, k+1, whole, false) {
		case unfinished:
			return 0, unfinished
		case done:
			return k + 1, done
		}
	}
	if k == len(b) {
		return 0, unfinished
	}
	return i + 1 + n + 1, done
}

func endsInEquals(value []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(value, " \t\r\n"), []byte("="))
}

// nameBeforeEquals is where a name begins, after white space, if a value ends in it and a sign =. The next
// attribute is in what was taken for the value. It is 0 if there is none.
func nameBeforeEquals(value []byte) int {
	if !endsInEquals(value) {
		return 0
	}
	k := len(bytes.TrimRight(value, " \t\r\n")) - 1
	k = len(bytes.TrimRight(value[:k], " \t\r\n"))
	for k > 0 && class[value[k-1]]&(tagByte|dubious) != 0 {
		k--
	}
	if k > 0 && class[value[k-1]]&space == 0 {
		return 0
	}
	return k
}

// add appends attr, unless there is one of that name: of two with one name no value can be trusted,
// unless both are the same.
func (r *Reader) add(attr *Attr, name []byte) bool {
	same := r.sameName(attr, name)
	if same < 0 {
		if attr.faulty {
			r.losses = append(r.losses, finding{code: fault.XMLControl, severity: fault.Drop, at: attr.NameAt, attr: len(r.attrs),
				message: "control characters are in the name of an attribute, so that nobody knows which is meant"})
		}
		r.attrs = append(r.attrs, *attr)
		return true
	}
	if r.attrs[same].faulty {
		return false
	}
	if !attr.faulty && len(attr.raw) > 0 && bytes.Equal(attr.raw, r.attrs[same].raw) {
		r.repair(fault.XMLDuplicateAttribute, attr.NameAt, fmt.Sprintf("the attribute %s occurs twice in one tag, with the same value",
			name))
		r.edit(spaceBefore(r, attr.NameAt), attr.ValueAt+len(attr.raw)+1, "")
		r.attrs[same].Repaired = true
		return false
	}
	r.attrs[same].faulty = true
	r.losses = append(r.losses, finding{code: fault.XMLDuplicateAttribute, severity: fault.Drop, at: attr.NameAt,
		message: fmt.Sprintf("the attribute %s occurs twice in one tag", name), attr: same})
	return false
}

// manyAttrs is how many attributes are compared one by one; beyond, by a map.
const manyAttrs = 32

// sameName is the attribute of the tag that has the same name as attr; -1 if there is none, and attr is to be added.
func (r *Reader) sameName(attr *Attr, name []byte) int {
	if len(r.attrs) >= manyAttrs {
		return r.addToMany(name)
	}
	for i := range r.attrs {
		if bytes.Equal(r.attrs[i].Local, attr.Local) && bytes.Equal(r.attrs[i].Prefix, attr.Prefix) {
			return i
		}
	}
	return -1
}

func (r *Reader) addToMany(name []byte) int {
	if len(r.attrs) == manyAttrs || r.seen == nil {
		r.seen = map[string]int{}
		for i := range r.attrs {
			r.seen[attrKey(r.attrs[i].Prefix, r.attrs[i].Local)] = i
		}
	}
	key := attrKey(splitName(name))
	if i, ok := r.seen[key]; ok {
		return i
	}
	r.seen[key] = len(r.attrs)
	return -1
}

func attrKey(prefix, local []byte) string { return string(prefix) + ":" + string(local) }

// setValue gives the attribute added last its value.
func (r *Reader) setValue(raw []byte) {
	attr := &r.attrs[len(r.attrs)-1]
	attr.Value = raw
	for _, b := range raw {
		if class[b]&delicate != 0 {
			from := len(r.scratch)
			r.expandValue(raw, attr, nil)
			attr.Value = r.scratch[from:len(r.scratch):len(r.scratch)]
			return
		}
	}
}

// lose notes that the attribute added last can't be trusted, unless that is known.
func (r *Reader) lose(code fault.Code, at int, message string) {
	last := len(r.attrs) - 1
	if r.attrs[last].faulty {
		return
	}
	r.attrs[last].faulty = true
	r.losses = append(r.losses, finding{code: code, severity: fault.Drop, at: at, message: message, attr: last})
}

// loseAttr notes that an attribute can't be trusted, unless that is known.
func (r *Reader) loseAttr(i int, code fault.Code, message string) {
	if a := &r.attrs[i]; !a.faulty {
		a.faulty = true
		r.losses = append(r.losses, finding{code: code, severity: fault.Drop, at: a.NameAt, message: message, attr: i})
	}
}

// Declares says that the attribute declares the namespace of a prefix (Namespaces in XML §3); nil
// is that of names without one.
func (a *Attr) Declares() (prefix []byte, ok bool) {
	switch {
	case string(a.Prefix) == "xmlns":
		return a.Local, true
	case len(a.Prefix) == 0 && string(a.Local) == "xmlns":
		return nil, true
	}
	return nil, false
}
