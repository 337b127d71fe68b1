package dump

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/records"
)

// xmlRecords writes an element for each record, and in it one for each field. Attributes of our own say what XML can't,
// so that the records are read back as they were:
//
//	laundromat:kind   what is no text: number, boolean, null, list or object
//	laundromat:name   the name of a field, where it is none of an element
//	laundromat:json   a text with characters or white space that XML can't keep, as JSON
type xmlRecords struct {
	to   *target
	some bool
	line []byte
}

// xmlNamespace is that of our attributes.
const xmlNamespace = "urn:laundromat:records"

func openXML(o *output, _ func(fault.Notice)) recordWriter { return &xmlRecords{to: o.target} }

func (w *xmlRecords) record(r *records.Record) error {
	b := w.line[:0]
	if !w.some {
		b = appendXMLHead(b)
	}
	b = append(b, "<record>"...)
	for i := range r.Fields {
		b = appendElement(b, r.Fields[i].Name, &r.Fields[i].Value)
	}
	if was, any := wasObject(r); any {
		b = appendElement(b, was.Name, &was.Value)
	}
	w.line, w.some = append(b, "</record>\n"...), true
	_, err := w.to.Write(w.line)
	return err
}

func appendXMLHead(b []byte) []byte {
	return append(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<records xmlns:laundromat="`+xmlNamespace+`">`+"\n"...)
}

func (w *xmlRecords) close() error {
	b := w.line[:0]
	if !w.some {
		b = appendXMLHead(b)
	}
	_, err := w.to.Write(append(b, "</records>\n"...))
	return err
}

// xmlKinds are the kinds that an element is not by itself.
var xmlKinds = [...]string{records.Null: "null", records.Number: "number", records.Bool: "boolean", records.List: "list"}

// appendElement appends a field as an element.
func appendElement(b []byte, name string, v *records.Value) []byte {
	element := elementName(name)
	b = append(append(b, '<'), element...)
	if element != name {
		b = appendJSONAttribute(b, "laundromat:name", name)
	}
	kind := ""
	if int(v.Kind) < len(xmlKinds) {
		kind = xmlKinds[v.Kind]
	}
	if v.Kind == records.Object && len(v.Fields) == 0 {
		kind = "object"
	}
	if kind != "" {
		b = append(append(append(b, ` laundromat:kind="`...), kind...), '"')
	}
	if v.Kind == records.Text && !isKeptInMarkup(v.Text) {
		b = appendJSONAttribute(b, "laundromat:json", v.Text)
	}
	b = append(b, '>')
	switch v.Kind {
	case records.List:
		for i := range v.Items {
			b = appendElement(b, "item", &v.Items[i])
		}
	case records.Object:
		for i := range v.Fields {
			b = appendElement(b, v.Fields[i].Name, &v.Fields[i].Value)
		}
	default:
		b = appendMarkupText(b, v.Text)
	}
	return append(append(append(b, "</"...), element...), '>')
}

// elementName is a name that an element may have: that of the field, or one made of it.
func elementName(name string) string {
	if name == "" || len(name) > 200 || len(name) >= 3 && strings.EqualFold(name[:3], "xml") {
		return "field"
	}
	sound := true
	for i, r := range name {
		sound = sound && isNameCharacter(r, i == 0)
	}
	if sound {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if isNameCharacter(r, false) {
			return r
		}
		return '_'
	}, name)
	if first, _ := utf8.DecodeRuneInString(name); !isNameCharacter(first, true) {
		name = "_" + name
	}
	return name
}

// isNameCharacter says that a name of an element may have a character. XML has more of them.
func isNameCharacter(r rune, first bool) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_':
		return true
	case r >= '0' && r <= '9', r == '-', r == '.':
		return !first
	}
	return r >= 0xC0 && r < 0x2000 && r != 0xD7 && r != 0xF7 && r != 0x37E && unicode.IsLetter(r)
}

// isKeptInMarkup says that a text in an element is read as it is. White space within is single blanks, and there is
// none around it. All characters may be there.
func isKeptInMarkup(s string) bool {
	before := ' '
	for i, r := range s {
		switch {
		case r == ' ' && before == ' ', r != ' ' && unicode.IsSpace(r), r < ' ', r >= 0x7F && r < 0xA0, r == 0xFFFE, r == 0xFFFF,
			r == 0xFEFF, r == 0xAD,
			r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			return false
		}
		before = r
	}
	return s == "" || before != ' '
}

// appendMarkupText appends a text as the content of an element. What can't be there becomes U+FFFD; the text as it is
// stands in an attribute then.
func appendMarkupText(b []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '&':
			b = append(b, "&amp;"...)
		case r < ' ' && r != '\t' && r != '\n', r >= 0x7F && r < 0xA0, r == 0xFFFE, r == 0xFFFF:
			b = append(b, "\uFFFD"...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// appendJSONAttribute appends an attribute that has a text as JSON.
func appendJSONAttribute(b []byte, name, text string) []byte {
	return appendAttribute(b, name, string(records.AppendPrintable(nil, string(records.AppendJSONText(nil, text)))))
}

// appendAttribute appends an attribute whose value has printable characters.
func appendAttribute(b []byte, name, value string) []byte {
	b = append(append(append(append(b, ' '), name...), '='), '"')
	for i := range len(value) {
		switch c := value[i]; c {
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '&':
			b = append(b, "&amp;"...)
		case '"':
			b = append(b, "&quot;"...)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
