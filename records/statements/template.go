package statements

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"laundromat/internal/rfc3986"
	"laundromat/records"
	"laundromat/records/spec"
)

// template is an IRI in which {name} stands for the value of a field (RFC 6570, level 1).
type template struct {
	text  string
	parts []part
}

// part is text that stands as it is, or the name of a field.
type part struct {
	text, field string // one of them is empty
}

// compileTemplate takes a template apart. A text with anything beyond level 1 is refused at its place.
func compileTemplate(node *spec.Node) (*template, error) {
	if err := node.Want(spec.Text); err != nil {
		return nil, err
	}
	t := &template{text: node.Text}
	at := func(offset int) *spec.Node { return node.Within(1, utf8.RuneCountInString(node.Text[:offset])) }
	for from := 0; from < len(t.text); {
		rest := t.text[from:]
		end := strings.IndexAny(rest, "{}")
		if end != 0 {
			if end < 0 {
				end = len(rest)
			}
			if i := strings.IndexAny(rest[:end], " \t\r\n<>\"\\^`|"); i >= 0 {
				return nil, at(from+i).Errorf("an IRI has no %q", rest[i])
			}
			t.parts = append(t.parts, part{text: rest[:end]})
			from += end
			continue
		}
		end = strings.IndexByte(rest, '}')
		if rest[0] == '}' || end < 0 {
			return nil, at(from).Errorf("this brace has no counterpart: fields are written as {name}")
		}
		name, err := fieldName(rest[1:end])
		if err != nil {
			return nil, at(from).Errorf("%s: %s", rest[:end+1], err)
		}
		t.parts = append(t.parts, part{field: name})
		from += end + 1
	}
	return t, nil
}

// fieldName is the field that an expression names. What level 1 does not have is an error.
func fieldName(expression string) (string, error) {
	switch {
	case expression == "":
		return "", errors.New("no field is named")
	case strings.Contains("+#./;?&=,!@|", expression[:1]):
		return "", fmt.Errorf("the operator %s is not of level 1 of RFC 6570, the only one that is read", expression[:1])
	case strings.ContainsAny(expression, "{*:,"):
		return "", errors.New("one name is wanted, without modifiers: only level 1 of RFC 6570 is read; %2C is a comma in a name, %3A a colon")
	}
	name, err := url.PathUnescape(expression)
	if err != nil {
		return "", errors.New("a percent sign in a name is written as %25")
	}
	return name, nil
}

// fields says whether any field is named.
func (t *template) fields() bool {
	for _, p := range t.parts {
		if p.field != "" {
			return true
		}
	}
	return false
}

// values finds the values of a template's fields.
type values func(field string) (records.Value, bool)

// missing says of what the template can't be made.
type missing struct {
	field string
	kind  records.Kind // of the value, where it is of a kind that gives no text
	has   bool
}

func (m *missing) Error() string {
	switch {
	case !m.has:
		return fmt.Sprintf("there is no field %q", m.field)
	case m.kind == records.Text:
		return fmt.Sprintf("the field %q is empty", m.field)
	}
	return fmt.Sprintf("the field %q is of kind %s", m.field, m.kind)
}

// expand is the IRI for the values.
func (t *template) expand(dst []byte, of values) ([]byte, *missing) {
	for _, p := range t.parts {
		if p.field == "" {
			dst = append(dst, p.text...)
			continue
		}
		v, ok := of(p.field)
		if !ok || v.Kind == records.Null || v.Kind > records.Bool || v.Text == "" {
			return nil, &missing{p.field, v.Kind, ok}
		}
		dst = appendEncoded(dst, v.Text)
	}
	return dst, nil
}

// appendEncoded appends s with all percent-encoded but what an IRI has unreserved (RFC 3987 §2.2).
func appendEncoded(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if isUnreserved(r) && (r != utf8.RuneError || size > 1) {
			dst = append(dst, s[i:i+size]...)
		} else {
			for _, b := range []byte(s[i : i+size]) {
				dst = rfc3986.AppendOctet(dst, b)
			}
		}
		i += size
	}
	return dst
}

// isUnreserved says that a character stands for itself in any part of an IRI.
func isUnreserved(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '.', r == '_', r == '~':
		return true
	case r < 0xA0:
		return false
	case r <= 0xFFEF: // without surrogates, private use, noncharacters and the marks of direction
		return r <= 0xD7FF && !(0x200E <= r && r <= 0x200F) && !(0x202A <= r && r <= 0x202E) ||
			0xF900 <= r && r <= 0xFDCF || r >= 0xFDF0
	}
	return r < 0xF0000 && r&0xFFFF < 0xFFFE && (r < 0xE0000 || r >= 0xE1000)
}
