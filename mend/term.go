package mend

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/encoding"
)

// iri finds the IRI that a repair is about; ok is false where it is not found.
func (v *view) iri(r *repair) (found extent, ok bool) {
	if v.family <= turtle {
		return v.angled(r)
	}
	whole, complete := unexcerpt(r.Excerpt)
	fits := func(at extent) bool {
		text := value(v.units(at))
		if !complete {
			return strings.HasPrefix(text, whole)
		}
		return text == whole || len(text) > 0 && strings.HasSuffix(strings.TrimSpace(whole), strings.TrimSpace(text))
	}
	for _, at := range v.quoted() {
		if fits(at) {
			return at, true
		}
	}
	return found, false
}

// angled finds the IRI in <> that the place is at or in. A literal's is its datatype.
func (v *view) angled(r *repair) (found extent, ok bool) {
	from := v.here
	switch {
	case from < len(v.text) && v.text[from] == '<':
	case from < len(v.text) && (v.text[from] == '"' || v.text[from] == '\''):
		end := v.stringEnd(from)
		if end < 0 || !bytes.HasPrefix(v.text[end:], []byte("^^<")) {
			return found, false
		}
		from = end + 2
	default:
		for from--; from >= 0 && v.text[from] != '<'; from-- {
			if b := v.text[from]; b == '\n' || b == '>' {
				return found, false
			}
		}
		if from < 0 {
			return found, false
		}
	}
	n := bytes.IndexAny(v.text[from:], ">\n")
	if n < 0 || v.text[from+n] != '>' {
		return found, false
	}
	return extent{from + 1, from + n}, true
}

// stringEnd is the index after the quoted string that begins at one; -1 if it is not known.
func (v *view) stringEnd(from int) int {
	quote := v.text[from : from+1]
	if three := bytes.Repeat(quote, 3); bytes.HasPrefix(v.text[from:], three) {
		for i := from + 3; i < len(v.text); i++ {
			if v.text[i] == '\\' {
				i++
			} else if bytes.HasPrefix(v.text[i:], three) && !bytes.HasPrefix(v.text[i+1:], three) {
				return i + 3
			}
		}
		return -1
	}
	for i := from + 1; i < len(v.text); i++ {
		switch v.text[i] {
		case '\\':
			i++
		case quote[0]:
			return i + 1
		}
	}
	return -1
}

// quoted are the stretches in quotation marks from the place on. In mark-up they are those of its tag,
// else the string at the place or near it.
func (v *view) quoted() (all []extent) {
	i := v.here
	if v.family == markup && i > 0 && (v.text[i-1] == '"' || v.text[i-1] == '\'') {
		i-- // the place is that of the value
	}
	if v.family != jsonld && i < len(v.text) && v.text[i] == '<' {
		i++
	}
	for i < len(v.text) && i < v.here+8<<10 && len(all) < 16 {
		switch b := v.text[i]; {
		case b == '>' && v.family == markup:
			return all
		case b == '"' || b == '\'' && v.family != jsonld:
			end := v.valueEnd(i)
			if end < 0 {
				return all
			}
			all = append(all, extent{i + 1, end})
			i = end
		}
		i++
	}
	return all
}

// valueEnd is the index of the quotation mark that ends what begins with one.
func (v *view) valueEnd(from int) int {
	if v.family == jsonld {
		return v.stringEnd(from) - 1
	}
	n := bytes.IndexByte(v.text[from+1:], v.text[from])
	if n < 0 {
		return -1
	}
	return from + 1 + n
}

// unexcerpt is the text that an excerpt shows; whole is false if it shows the beginning of it.
func unexcerpt(excerpt string) (text string, whole bool) {
	text, cut := strings.CutSuffix(excerpt, "…")
	for i := 0; ; {
		n := strings.Index(text[i:], `\x`)
		if n < 0 {
			return text, !cut
		}
		i += n
		if i+4 <= len(text) {
			if b, err := strconv.ParseUint(text[i+2:i+4], 16, 8); err == nil && b >= 0x80 {
				text = text[:i] + string([]byte{byte(b)}) + text[i+4:]
			}
		}
		i++
	}
}

func encoded(r rune) string {
	var b strings.Builder
	for _, c := range utf8.AppendRune(nil, r) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// eachIn writes each character of an IRI that is wanted as its percent-encoding.
func eachIn(wanted func(units []unit, i int) bool) writer {
	return func(v *view, r *repair) (all []edit) {
		at, ok := v.iri(r)
		if !ok {
			return nil
		}
		units := v.units(at)
		for len(units) > 0 && isTrimmed(units[0]) {
			units = units[1:]
		}
		for len(units) > 0 && isTrimmed(units[len(units)-1]) {
			units = units[:len(units)-1]
		}
		for i, u := range units {
			if u.raw == "" && wanted(units, i) {
				all = append(all, v.replace(u.from, u.to, encoded(u.r))...)
			}
		}
		return all
	}
}

// isTrimmed recognises white space that is as it is: an escape is meant.
func isTrimmed(u unit) bool {
	return u.to == u.from+1 && (u.r == ' ' || u.r == '\t' || u.r == '\n' || u.r == '\r')
}

func iriSpace(units []unit, i int) bool { return units[i].r == ' ' }

func iriCharacter(units []unit, i int) bool {
	return units[i].r < utf8.RuneSelf && strings.ContainsRune("<>\"{}|\\^`", units[i].r)
}

// iriBracket recognises square brackets, but not those around an address in the host.
func iriBracket(units []unit, i int) bool {
	if units[i].r != '[' && units[i].r != ']' {
		return false
	}
	before := value(units[:i])
	_, behind, ok := strings.Cut(before, "//")
	return !ok || strings.ContainsAny(behind, "/?#")
}

func iriFragment(units []unit, i int) bool {
	return units[i].r == '#' && strings.Contains(value(units[:i]), "#")
}

func iriPrivate(units []unit, i int) bool {
	before := value(units[:i])
	query := strings.Contains(before, "?") && !strings.Contains(before, "#")
	return unicode.Is(unicode.Co, units[i].r) && !query
}

// iriTrimmed takes the white space around an IRI away.
func iriTrimmed(v *view, r *repair) (all []edit) {
	at, ok := v.iri(r)
	if !ok {
		return nil
	}
	units := v.units(at)
	front, back := 0, len(units)
	for front < back && isTrimmed(units[front]) {
		front++
	}
	for back > front && isTrimmed(units[back-1]) {
		back--
	}
	if front == back {
		return nil
	}
	if front > 0 {
		all = v.replace(at.from, units[front].from, "")
	}
	if back < len(units) {
		all = append(all, v.replace(units[back].from, at.to, "")...)
	}
	return all
}

// tag finds the text of the language tag that a repair is about.
func (v *view) tag(r *repair) (found extent, ok bool) {
	if v.family <= turtle {
		from := v.here
		if from < len(v.text) && (v.text[from] == '"' || v.text[from] == '\'') {
			if from = v.stringEnd(from); from < 0 {
				return found, false
			}
		}
		if from >= len(v.text) || v.text[from] != '@' {
			return found, false
		}
		to := from + 1
		for to < len(v.text) && (v.text[to] == '-' || v.text[to] == '_' || isAlphanumeric(v.text[to])) {
			to++
		}
		return extent{from + 1, to}, true
	}
	// The nearest value of that text, of a keyword or attribute for languages.
	best := -1
	for _, quote := range []string{`"`, `'`} {
		wanted := []byte(quote + r.Excerpt + quote)
		for i := 0; ; {
			n := bytes.Index(v.text[i:], wanted)
			if n < 0 {
				break
			}
			i += n + 1
			at := v.before(i - 1)
			if at > 0 && (v.text[at-1] == ':' || v.text[at-1] == '=') {
				at = v.before(at - 1)
			}
			named := bytes.HasSuffix(v.text[:at], []byte(`"@language"`)) || bytes.HasSuffix(v.text[:at], []byte("lang"))
			if named && (best < 0 || distance(i, v.here) < distance(best, v.here)) {
				best = i
			}
		}
	}
	if best < 0 {
		return found, false
	}
	return extent{best, best + len(r.Excerpt)}, true
}

func distance(a, b int) int { return max(a-b, b-a) }

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

func languageAs(write func(string) string) writer {
	return func(v *view, r *repair) []edit {
		at, ok := v.tag(r)
		if !ok {
			return nil
		}
		was := string(v.text[at.from:at.to])
		is := write(was)
		if is == was {
			return nil
		}
		return v.replace(at.from, at.to, is)
	}
}

func hyphens(tag string) string { return strings.ReplaceAll(tag, "_", "-") }

// mixedBytes writes stray bytes of a term as the letters that they were read as.
func mixedBytes(v *view, r *repair) (all []edit) {
	decode := encoding.SingleByte(r.Meant)
	at, ok := v.strayed(r)
	if decode == nil || !ok {
		return nil
	}
	for _, u := range v.units(at) {
		if u.raw != "" {
			all = append(all, v.replace(u.from, u.to, string(decode(u.raw[0])))...)
		}
	}
	return all
}

// strayed finds the term whose bytes are not UTF-8.
func (v *view) strayed(r *repair) (found extent, ok bool) {
	if v.family <= turtle && v.here < len(v.text) {
		switch v.text[v.here] {
		case '"', '\'':
			if end := v.stringEnd(v.here); end > 0 {
				if bytes.HasPrefix(v.text[end:], []byte("^^<")) {
					if n := bytes.IndexAny(v.text[end:], ">\n"); n > 0 {
						end += n
					}
				}
				return extent{v.here, end}, true
			}
		case '<':
			return v.angled(r)
		}
		return found, false
	}
	text, _ := unexcerpt(r.Excerpt)
	n := bytes.Index(v.rest(), []byte(text))
	if n < 0 || n > 8<<10 || text == "" {
		return found, false
	}
	return extent{v.here + n, v.here + n + len(text)}, true
}
