package csvw

import (
	"strings"
	"unicode/utf8"

	"laundromat/internal/rfc3986"
	"laundromat/rdf"
)

// template is a URI template (RFC 6570, level 4), of which nothing is refused that a document may say.
type template struct {
	parts []templatePart
}

// templatePart is text that stands as it is, or an expression.
type templatePart struct {
	text      string
	operator  byte
	variables []variable // nil for a text
}

type variable struct {
	name    string
	prefix  int // how many characters of the value are wanted; 0: all
	explode bool
}

// operators are the signs of RFC 6570 §3.2.1: how an expansion begins, the separator of its values, whether they are
// named, and whether reserved characters stay.
var operators = map[byte]struct {
	first, separator string
	named            bool
	empty            string
	reserved         bool
}{
	0: {"", ",", false, "", false}, '+': {"", ",", false, "", true}, '#': {"#", ",", false, "", true},
	'.': {".", ".", false, "", false}, '/': {"/", "/", false, "", false}, ';': {";", ";", true, "", false},
	'?': {"?", "&", true, "=", false}, '&': {"&", "&", true, "=", false},
}

// compileTemplate takes a template apart; nil if it is none.
func compileTemplate(text string) *template {
	t := &template{}
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			open = len(text)
		}
		if strings.IndexByte(text[:open], '}') >= 0 {
			return nil
		}
		if open > 0 {
			t.parts = append(t.parts, templatePart{text: encodeLiteral(text[:open])})
			text = text[open:]
			continue
		}
		end := strings.IndexByte(text, '}')
		if end < 2 {
			return nil
		}
		p, ok := compileExpression(text[1:end])
		if !ok {
			return nil
		}
		t.parts = append(t.parts, p)
		text = text[end+1:]
	}
	return t
}

func compileExpression(text string) (p templatePart, ok bool) {
	if _, known := operators[text[0]]; known {
		p.operator, text = text[0], text[1:]
	}
	for name := range strings.SplitSeq(text, ",") {
		v := variable{name: name}
		if rest, found := strings.CutSuffix(name, "*"); found {
			v.name, v.explode = rest, true
		} else if head, digits, found := strings.Cut(name, ":"); found {
			for _, c := range []byte(digits) {
				if c < '0' || c > '9' || v.prefix > 999 {
					return p, false
				}
				v.prefix = v.prefix*10 + int(c-'0')
			}
			if v.name = head; v.prefix == 0 {
				return p, false
			}
		}
		if !isVariable(v.name) {
			return p, false
		}
		p.variables = append(p.variables, v)
	}
	return p, true
}

// isVariable says that a text is the name of a variable (RFC 6570 §2.3).
func isVariable(name string) bool {
	if name == "" || name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, "..") {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case isWord(c) || c == '.':
		default:
			if _, ok := rfc3986.Octet(name[i:]); !ok {
				return false
			}
			i += 2
		}
	}
	return true
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// encodeName makes the name of a column of a title: all that is in no name of a variable is percent-encoded.
func encodeName(title string) string {
	var dst []byte
	for i := range len(title) {
		if c := title[i]; isWord(c) || c == '.' {
			dst = append(dst, c)
		} else {
			dst = rfc3986.AppendOctet(dst, c)
		}
	}
	return string(dst)
}

// encodeLiteral is text outside of expressions, as it comes into the URI. Characters beyond ASCII stay: the result is
// an IRI.
func encodeLiteral(text string) string {
	var dst []byte
	for i := range len(text) {
		if c := text[i]; c <= ' ' || strings.IndexByte("<>\"\\^`|", c) >= 0 {
			dst = rfc3986.AppendOctet(dst, c)
		} else {
			dst = append(dst, c)
		}
	}
	return string(dst)
}

// appendEncoded appends a value, with all encoded but what is unreserved, or also what is reserved.
func appendEncoded(dst []byte, text string, reserved bool) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		_, isOctet := rfc3986.Octet(text[i:])
		switch {
		case isWord(c) || c == '-' || c == '.' || c == '~':
			dst = append(dst, c)
		case reserved && (isOctet || strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0):
			dst = append(dst, c)
		default:
			dst = rfc3986.AppendOctet(dst, c)
		}
	}
	return dst
}

// binding finds the values of a variable. ok is false for one that is not defined. A list has several.
type binding func(name string) (values []string, isList, ok bool)

// appendExpanded appends the expansion of a template.
func (t *template) appendExpanded(dst []byte, of binding) []byte {
	for i := range t.parts {
		p := &t.parts[i]
		if p.variables == nil {
			dst = append(dst, p.text...)
			continue
		}
		op := operators[p.operator]
		begun := false
		next := func() {
			if begun {
				dst = append(dst, op.separator...)
			} else {
				dst = append(dst, op.first...)
			}
			begun = true
		}
		for _, v := range p.variables {
			values, isList, ok := of(v.name)
			if !ok || isList && len(values) == 0 {
				continue
			}
			for j, value := range values {
				if j == 0 || v.explode {
					next()
					if op.named {
						dst = append(dst, v.name...)
						if value == "" {
							dst = append(dst, op.empty...)
						} else {
							dst = append(dst, '=')
						}
					}
				} else {
					dst = append(dst, ',')
				}
				dst = appendEncoded(dst, prefixOf(value, v.prefix), op.reserved)
			}
		}
	}
	return dst
}

func prefixOf(s string, n int) string {
	if n == 0 || utf8.RuneCountInString(s) <= n {
		return s
	}
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at]
}

// appendIRI appends the IRI that a text means: a prefixed name, or a reference that is relative to base.
func appendIRI(dst []byte, base string, ref []byte) []byte {
	if iri, ok := expandPrefix(string(ref)); ok {
		return append(dst, iri...)
	}
	if base == "" {
		return append(dst, ref...)
	}
	return rfc3986.AppendResolved(dst, []byte(base), ref)
}

// expandPrefix is the IRI of a name with a prefix that metadata may use.
func expandPrefix(name string) (string, bool) {
	prefix, local, found := strings.Cut(name, ":")
	if !found || strings.HasPrefix(local, "//") {
		return "", false
	}
	if prefix == "csvw" {
		return Namespace + local, true
	}
	space, known := rdf.InitialContext[prefix]
	return space + local, known
}

// resolve is the URL that ref means against base.
func resolve(base, ref string) string {
	if base == "" {
		return ref
	}
	return string(rfc3986.AppendResolved(nil, []byte(base), []byte(ref)))
}
