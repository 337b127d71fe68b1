package jsonread

import "bytes"

// behind is how far from here the first byte from n on is that is no white space, and in nothing
// that says as little.
func (p *parser) behind(n int) int {
	for end := n + nearBytes; n < end; n++ {
		b, ok := p.ahead(n)
		if !ok {
			break
		}
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			f := p.source.fillerAt(n, false, true)
			if f.size == 0 {
				break
			}
			n += f.size - 1
			end += f.size
		}
	}
	return n
}

// sound says that what follows an item of an array is what can follow one.
func (p *parser) sound(outer []shape) bool {
	n := p.behind(0)
	switch b, ok := p.ahead(n); {
	case !ok:
		return !p.long
	case b == ']':
		return p.closesAt(n, outer)
	case b != ',':
		return false
	}
	n = p.behind(n + 1)
	switch b, ok := p.ahead(n); {
	case !ok:
		return !p.long
	case p.faulty && outer[len(outer)-1].nodes && b != '{':
		return false
	case b == '"':
		return !p.nameAt(n)
	case b == '{' || b == '[' || b == '-' || '0' <= b && b <= '9' || b == 't' || b == 'f' || b == 'n':
		return true
	}
	return false
}

// closingBytes is how far what follows a bracket is looked at.
const closingBytes = 64 << 10

// closesAt says that what follows the bracket at n is what can follow the array. It looks up to the
// end of the brackets around it, as far as they are looked at. An item that has a bracket too many is
// followed by its own rest.
func (p *parser) closesAt(n int, outer []shape) bool {
	ok, _ := p.followsAt(n+1, outer, false)
	return ok || !p.rules.on(bracketOutside)
}

// followsAt says so of what is at n or behind it, the innermost bracket having ended;
// comma says that a comma stands before. It is sure if the end of the brackets around was seen.
func (p *parser) followsAt(n int, outer []shape, comma bool) (ok, sure bool) {
	most := n + closingBytes
	for open := len(outer) - 1; ; n++ {
		n = p.behind(n)
		b, ok := p.ahead(n)
		if comma && ok && b != ',' {
			comma, b = false, ','
			n--
		}
		switch {
		case !ok:
			return !p.long, !p.long
		case n > most:
			return true, false
		case open == 0 && b == ',' && p.until > 0 && p.offset()+int64(p.behind(n+1)) == p.until:
			return true, true // it separates nothing
		case open == 0:
			return beginsItem(b) && b != '"' && p.begins(n) && !p.isItem(n, most), true
		case tokenKind(b) == outer[open-1].closer():
			open--
		case b != ',':
			return false, true
		case !outer[open-1].object:
			b, ok = p.ahead(p.behind(n + 1))
			return ok && beginsItem(b) && b != '"', false
		default:
			if n = p.behind(n + 1); !p.memberAt(n) {
				return false, true
			}
			if n = p.behindMember(n, most); n < 0 {
				return true, false
			}
			n--
		}
	}
}

// memberAt says that a string is at n, with a colon behind it.
func (p *parser) memberAt(n int) bool {
	b, _ := p.ahead(n)
	return b == '"' && p.nameAt(n)
}

// behindMember is how far from here the member at n ends; -1 if that is not seen, as for behindValue.
func (p *parser) behindMember(n, most int) int {
	if n = p.behindValue(n, most); n < 0 { // the name
		return n
	}
	return p.behindValue(p.behind(p.behind(n)+1), most)
}

// isItem says that the object at n, behind the bracket of a top-level array, is one of its items. What
// separates it from the next, or ends the array, follows it.
func (p *parser) isItem(n, most int) bool {
	if b, _ := p.ahead(n); b != '{' {
		return false
	}
	if n = p.behindValue(n, most); n < 0 {
		return false
	}
	b, _ := p.ahead(p.behind(n))
	return b == ',' || b == ']'
}

// behindValue is how far from here the value at n ends, as far as brackets and quotation marks show.
// It is -1 if that is more than most, or if what follows a quotation mark shows that one is missing.
func (p *parser) behindValue(n, most int) int {
	for depth := 0; n < most; n++ {
		b, ok := p.ahead(n)
		switch {
		case !ok && depth > 0:
			return -1
		case !ok:
			return n
		case b == '"':
			for n++; n < most; n++ {
				if b, ok = p.ahead(n); !ok || b == '"' {
					break
				}
				if b == '\\' {
					n++
				}
			}
			if depth == 0 {
				return n + 1
			}
			if b, ok = p.ahead(p.behind(n + 1)); ok && b > ' ' && bytes.IndexByte([]byte(`,:{}[]"`), b) < 0 {
				return -1
			}
		case b == '/' || b == '#':
			n += max(1, p.source.fillerAt(n, false, true).size) - 1
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			if depth--; depth == 0 {
				return n + 1
			} else if depth < 0 {
				return n
			}
		case b == ',' && depth == 0:
			return n
		}
	}
	return -1
}

// maxName is how long a name may be that is looked for.
const maxName = 512

// nameAt says that a string begins at n, with a colon behind it.
func (p *parser) nameAt(n int) bool {
	end := n + maxName
	for n++; n < end; n++ {
		switch b, ok := p.ahead(n); {
		case !ok:
			return false
		case b == '\\':
			n++
		case b == '"':
			b, _ = p.ahead(p.behind(n + 1))
			return b == ':'
		}
	}
	return false
}

// nameBehind is the name that follows n, as it is written, and the place of what follows its colon;
// -1 if there is none.
func (p *parser) nameBehind(n int) (string, int) {
	n = p.behind(n)
	if !p.memberAt(n) {
		return "", -1
	}
	end := n + 1
	for b, _ := p.ahead(end); b != '"'; b, _ = p.ahead(end) {
		if end++; b == '\\' {
			end++
		}
	}
	name := string(p.window[p.at+n+1 : p.at+end])
	return name, p.behind(p.behind(end+1) + 1)
}
