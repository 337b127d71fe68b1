package xmltext

import (
	"bytes"
	"context"
	"unicode/utf8"
)

// Ahead is a tag, or a stretch of text, that is in front of the token being read.
// It was looked at only lightly: nothing of it is reported, expanded or mended.
type Ahead struct {
	Kind AheadKind
	// Name is that of a tag, or the first word of a text, and Attrs the raw rest of a start tag.
	// Both are valid until the guide returns, or calls Ahead again.
	Name, Attrs []byte
	At          int // from the beginning of the token
	// Indent is how many characters are before a tag that is the first thing on its
	// line; -1 if it is not.
	Indent int
	Broken bool // it is a start tag without its >
	// Meant is what a text would be with a < before it: a start tag or an empty-element tag, whose name
	// has a prefix. It is AheadText if neither. The text then has Attrs.
	Meant AheadKind
}

// AheadKind distinguishes what is in front.
type AheadKind uint8

const (
	AheadText  AheadKind = iota // text that is more than white space
	AheadStart                  // a start tag
	AheadEmpty                  // an empty-element tag
	AheadEnd                    // an end tag
)

// Ahead appends to dst what is in the size bytes from byte from of the token on. The
// parameter most bounds their number. If the document, or the entity being read, ends there, whole is
// true. What it finds does not depend on how the text arrived.
func (r *Reader) Ahead(ctx context.Context, from, size, most int, dst []Ahead) (found []Ahead, whole bool, err error) {
	if len(r.outer) == 0 {
		// That the source fails farther on is reported when it is read up to there.
		if err := r.need(ctx, from+size); err != nil && r.err == nil {
			return dst, false, err
		}
	}
	b := r.window()
	if whole = len(b) <= from+size && (r.ended && r.err == nil || len(r.outer) > 0); !whole {
		b = b[:min(len(b), from+size)]
	}
	indent := -1
	if from == 0 {
		indent = r.indent
	} else if from <= len(b) {
		indent = behind(b[:from])
	}
	for i := min(from, len(b)); i < len(b); {
		if len(dst) >= most {
			return dst, false, nil
		}
		if b[i] != '<' {
			n := bytes.IndexByte(b[i:], '<')
			if n < 0 {
				n = len(b) - i
			}
			text := b[i : i+n]
			if isBlank(text) {
				indent = indentation(indent, text)
			} else {
				next := lookAtText(text)
				next.At, next.Indent = i, -1
				dst = append(dst, next)
				indent = behind(text)
			}
			i += n
			continue
		}
		n, next := lookAt(b[i:])
		if n == 0 {
			break // it does not end here
		}
		switch next.Kind {
		case AheadText:
			if next.At > 0 { // a comment or the like
				break
			}
			dst = append(dst, Ahead{Kind: AheadText, At: i, Indent: -1})
		default:
			next.At, next.Indent = i, indent
			dst = append(dst, next)
		}
		indent = behind(b[i : i+n])
		i += n
	}
	return dst, whole, nil
}

// indentation is how far text, which is blank, goes on from a place on its line: -1 is
// one after something else.
func indentation(before int, text []byte) int {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '\n' || text[i] == '\r' {
			return len(text) - i - 1
		}
	}
	if before < 0 {
		return -1
	}
	return before + len(text)
}

// lookAtText finds the name that text begins with, and whether it is a start tag except for its <.
func lookAtText(text []byte) Ahead {
	text = bytes.Trim(text, " \t\r\n")
	if len(text) == 0 || class[text[0]]&nameStart == 0 {
		return Ahead{}
	}
	n, _ := nameEnd(text, 0)
	word := Ahead{Name: text[:n]}
	if text[len(text)-1] != '>' || bytes.IndexByte(word.Name, ':') <= 0 {
		return word
	}
	tag := Ahead{}
	if n, tag = lookAtStart(text, 0); n < len(text) || tag.Kind == AheadText {
		return word // its > is not the last
	}
	tag.Kind, tag.Meant = AheadText, tag.Kind
	return tag
}

// behind is how far from the beginning of its line something is that follows text, or a tag with white
// space after it. It is -1 if something is between.
func behind(text []byte) int {
	n := len(text)
	for n > 0 && text[n-1] <= ' ' && class[text[n-1]]&space != 0 {
		n--
	}
	return indentation(-1, text[n:])
}

// lookAt reads the mark-up at the beginning of b and returns its length; 0 if it does
// not end in b. Text with At set is mark-up that makes neither tag nor text.
func lookAt(b []byte) (int, Ahead) {
	ends := func(from int, end string) (int, Ahead) {
		if i := bytes.Index(b[min(from, len(b)):], []byte(end)); i >= 0 {
			return from + i + len(end), Ahead{Kind: AheadText, At: 1}
		}
		return 0, Ahead{}
	}
	switch {
	case len(b) < 2:
		return 0, Ahead{}
	case b[1] == '/':
		i, odd := nameEnd(b, 2)
		a := Ahead{Kind: AheadEnd, Name: b[2:i]}
		if odd {
			a.Name = SoundName(a.Name)
		}
		for i < len(b) && b[i] != '>' && b[i] != '<' {
			i++
		}
		switch {
		case i == len(b):
			return 0, Ahead{}
		case b[i] == '>':
			i++
		case i == 2:
			return 1, Ahead{}
		}
		return i, a
	case b[1] == '?':
		return ends(2, "?>")
	case bytes.HasPrefix(b, []byte("<!--")):
		return ends(4, "-->")
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		n, _ := ends(9, "]]>")
		return n, Ahead{}
	case b[1] == '!':
		return ends(2, ">")
	case class[b[1]]&(nameStart|dubious) == 0:
		return 1, Ahead{}
	}
	return lookAtStart(b, 1)
}

// lookAtStart reads a start tag whose name begins at b[at], as lookAt does.
func lookAtStart(b []byte, at int) (int, Ahead) {
	i, odd := nameEnd(b, at)
	a := Ahead{Kind: AheadStart, Name: b[at:i]}
	if odd {
		a.Name = SoundName(a.Name)
	}
	from, valued := i, false
	for ; i < len(b); i++ {
		switch b[i] {
		case '>':
			a.Attrs = b[from:i]
			k := i - 1
			for b[k] <= ' ' {
				k--
			}
			if b[k] == '/' {
				a.Kind = AheadEmpty
			}
			return i + 1, a
		case '<':
			a.Attrs, a.Broken = b[from:i], true
			if !valued {
				return 1, Ahead{}
			}
			if bytes.HasSuffix(bytes.TrimRight(a.Attrs, " \t\r\n"), []byte("/")) {
				a.Kind = AheadEmpty
			}
			return i, a
		case '=':
			valued = true
		case '"', '\'':
			n, _, result := quoted(b, i, true)
			if result == unfinished {
				return 0, Ahead{}
			}
			if result == done {
				i += n + 1
			}
		}
	}
	return 0, Ahead{}
}

// quoted finds the end of the value that begins with the quotation mark b[i]. If done, n is its
// length, and seen the classes of its bytes. The result is noTag if the closing mark is missing:
// the mark at n is none, or n is -1 for no mark at all.
//
// A value may not hold a <, and seldom holds a >. Where one does, it closes the value only if the tag
// goes on soundly after it. The same holds where something other than white space or the tag's end
// follows the mark.
func quoted(b []byte, i int, whole bool) (n int, seen uint8, result outcome) {
	quote := b[i]
	value := b[i+1:]
	n = bytes.IndexByte(value[:min(len(value), longestBroken)], quote)
	if n < 0 {
		if len(value) >= longestBroken {
			if bytes.IndexByte(value[:longestBroken], '<') >= 0 {
				return -1, 0, noTag
			}
			n = bytes.IndexByte(value, quote)
		}
		if n < 0 && whole {
			return -1, 0, noTag
		}
		if n < 0 {
			return 0, 0, unfinished
		}
	}
	after := i + 1 + n + 1
	if after == len(b) {
		if !whole {
			return 0, 0, unfinished
		}
		return n, 0xFF, done
	}
	for _, c := range value[:n] {
		seen |= class[c]
	}
	c := b[after]
	plain := seen&angle == 0
	if plain && (class[c]&space != 0 || c == '>' || c == '/') {
		return n, seen, done
	}
	switch result := goesOn(b, after, whole, plain); {
	case result == done && !(endsInEquals(value[:n]) && !plain):
		return n, seen, done
	case result == unfinished:
		return 0, 0, unfinished
	}
	if plain && !endsInEquals(value[:n]) {
		// Text up to the next tag: the > is missing, not the mark.
		for _, c := range b[after:] {
			if c == '<' {
				return n, seen, done
			}
			if c == '>' || c == quote {
				return n, seen, noTag
			}
		}
		if !whole {
			return 0, 0, unfinished
		}
	}
	return n, seen, noTag
}

// longestBroken is how far the closing mark of a value that holds a < is looked for.
const longestBroken = 64 << 10

// unseenAt is the length of what can't be seen at the beginning of b, and is no white space of XML. It
// is a control character, a no-break space, a space without width or a byte order mark. After a value
// it is no part of that.
func unseenAt(b []byte) int {
	if b[0] < ' ' {
		return 1
	}
	switch r, size := utf8.DecodeRune(b); r {
	case '\u00A0', '\u200B', '\uFEFF':
		return size
	}
	return 0
}

// passClass skips the bytes of some classes that begin at b[i], as many as a name may have.
func passClass(b []byte, i int, of uint8) int {
	for end := i + longestName; i < len(b) && i < end && class[b[i]]&of != 0; {
		i++
	}
	return i
}

// goesOn says that a tag goes on soundly after a value that ends before b[i]. It ends, or an
// attribute with a value in quotation marks follows. Where joined is set that need not be set off by
// white space.
func goesOn(b []byte, i int, whole, joined bool) outcome {
	short := func() outcome {
		if whole {
			return noTag
		}
		return unfinished
	}
	from := i
	for i < len(b) {
		size := unseenAt(b[i:])
		if class[b[i]]&space != 0 {
			size = 1
		}
		if i += size; size == 0 {
			break
		}
	}
	if i == len(b) || b[i] >= utf8.RuneSelf && !utf8.FullRune(b[i:]) {
		return short()
	}
	switch {
	case b[i] == '>':
		return done
	case b[i] == '/':
		if i+1 == len(b) {
			return short()
		}
		if b[i+1] == '>' {
			return done
		}
		return noTag
	case from == i && !joined, class[b[i]]&nameStart == 0:
		return noTag
	}
	i = passClass(b, i, tagByte|dubious)
	i = passClass(b, i, space)
	if i == len(b) {
		return short()
	}
	if b[i] != '=' {
		return noTag
	}
	i = passClass(b, i+1, space)
	if i == len(b) {
		return short()
	}
	if b[i] == '"' || b[i] == '\'' {
		return done
	}
	return noTag
}
