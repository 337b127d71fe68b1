package text

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Offsets is what offsets in JSON count.
type Offsets uint8

const (
	CodePoints Offsets = iota
	UTF16              // units of UTF-16, as JavaScript and Java count
)

// AppendJSON appends the article as one line of JSON, without a newline at its end.
func (a *Article) AppendJSON(dst []byte, offsets Offsets) []byte {
	w := &jsonWriter{out: dst}
	w.out = append(w.out, '{')
	w.member("id", a.ID)
	w.member("source", a.Source)
	w.member("url", a.URL)
	w.member("created", a.Created)
	w.member("created_from", a.CreatedFrom)
	w.member("added", a.Added)
	w.member("title", a.Title)
	if a.TitleTokens != nil {
		w.key("title_tokens")
		w.tokens(a.TitleTokens, newCounter(a.Title, offsets))
	}
	w.key("text")
	w.out = appendString(w.out, a.Text)
	w.key("attributes")
	w.attributes(a, offsets)
	w.metadata(&a.Metadata)
	return append(w.out, '}')
}

type jsonWriter struct{ out []byte }

// key begins a member of an object or, with an empty name, an element of a list.
func (w *jsonWriter) key(name string) {
	if last := w.out[len(w.out)-1]; last != '{' && last != '[' {
		w.out = append(w.out, ',')
	}
	if name != "" {
		w.out = append(w.out, '"')
		w.out = append(w.out, name...)
		w.out = append(w.out, '"', ':')
	}
}

// member writes a text that is known.
func (w *jsonWriter) member(name, value string) {
	if value != "" {
		w.key(name)
		w.out = appendString(w.out, value)
	}
}

func (w *jsonWriter) attributes(a *Article, offsets Offsets) {
	w.out = append(w.out, '{')
	w.key("blocks")
	c := newCounter(a.Text, offsets)
	w.blocks(a.Blocks, c.again())
	if a.Tokens != nil {
		w.key("tokens")
		w.tokens(a.Tokens, c.again())
	}
	w.key("links")
	w.links(a.Links, c.again())
	w.key("quotes")
	w.out = append(w.out, '[')
	c = c.again()
	for i := range a.Quotes {
		w.span(c, a.Quotes[i].Span)
		w.key("")
		w.out = append(appendString(w.out, a.Quotes[i].Text), ']')
	}
	w.out = append(w.out, ']')
	if a.Languages != nil {
		w.key("languages")
		w.out = append(w.out, '[')
		c := c.again()
		for _, l := range a.Languages {
			w.span(c, l.Span)
			w.key("")
			w.out = appendString(w.out, l.Language)
			w.key("")
			w.out = append(appendFloat(w.out, l.Probability), ']')
		}
		w.out = append(w.out, ']')
	}
	w.out = append(w.out, '}')
}

func (w *jsonWriter) blocks(blocks []Block, c *counter) {
	w.out = append(w.out, '[')
	for i := range blocks {
		b := &blocks[i]
		w.span(c, b.Span)
		w.key("")
		w.out = appendString(w.out, b.Kind.String())
		w.key("")
		w.out = append(w.out, '{')
		if b.Level > 0 {
			w.key("level")
			w.out = strconv.AppendInt(w.out, int64(b.Level), 10)
		}
		if b.Part != "" {
			w.member("part", b.Part)
			w.key("score")
			w.out = appendFloat(w.out, b.Score)
			w.member("reason", b.Reason)
		}
		w.key("bytes")
		w.out = append(w.out, '[')
		w.out = appendOffset(w.out, b.Bytes.Start)
		w.out = append(w.out, ',')
		w.out = appendOffset(w.out, b.Bytes.End)
		w.out = append(w.out, ']', '}', ']')
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) tokens(tokens []Token, c *counter) {
	w.out = append(w.out, '[')
	for i := range tokens {
		w.span(c, Span{tokens[i].Start, tokens[i].End})
		w.key("")
		w.out = append(appendString(w.out, tokens[i].Text), ']')
	}
	w.out = append(w.out, ']')
}

func (w *jsonWriter) links(links []Link, c *counter) {
	w.out = append(w.out, '[')
	for i := range links {
		if links[i].InTitle {
			w.key("")
			w.out = append(w.out, "[-1,-1"...)
		} else {
			w.span(c, links[i].Span)
		}
		w.key("")
		w.out = append(appendString(w.out, links[i].URL), ']')
	}
	w.out = append(w.out, ']')
}

// span begins a list with the two offsets of a stretch.
func (w *jsonWriter) span(c *counter, s Span) {
	w.key("")
	w.out = append(w.out, '[')
	w.out = appendOffset(w.out, c.count(s.Start))
	w.out = append(w.out, ',')
	w.out = appendOffset(w.out, c.count(s.End))
}

// appendOffset appends a number, as most of an article are. It takes less time than strconv, which makes a number
// elsewhere and copies it.
func appendOffset(dst []byte, n int) []byte {
	if n < 0 {
		return strconv.AppendInt(dst, int64(n), 10)
	}
	digits := 1
	for m := n; m >= 10; m /= 10 {
		digits++
	}
	end := len(dst) + digits
	dst = slices.Grow(dst, digits)[:end]
	for i := end - 1; digits > 0; i, digits, n = i-1, digits-1, n/10 {
		dst[i] = byte('0' + n%10)
	}
	return dst
}

func (w *jsonWriter) metadata(m *Metadata) {
	w.key("metadata")
	w.out = append(w.out, '{')
	if m.Languages != nil {
		w.key("languages")
		w.out = append(w.out, '[')
		for _, l := range m.Languages {
			w.key("")
			w.out = append(w.out, '[')
			w.out = append(appendString(w.out, l.Tag), ',')
			w.out = append(appendFloat(w.out, l.Probability), ']')
		}
		w.out = append(w.out, ']')
	}
	w.member("phase", m.Phase)
	if m.HasUseful {
		w.key("useful")
		w.out = appendFloat(w.out, m.Useful)
	}
	if m.IsJudged {
		w.key("garbled")
		w.out = strconv.AppendBool(w.out, m.Garbled)
	}
	if m.Kind != "" {
		w.member("kind", m.Kind)
		w.key("confidence")
		w.out = appendFloat(w.out, m.Confidence)
	}
	w.said("author", m.Author)
	w.said("site", m.Site)
	w.said("description", m.Description)
	if d := m.DuplicateOf; d != nil {
		w.key("duplicate_of")
		w.out = append(w.out, '{')
		w.member("id", d.ID)
		w.key("likeness")
		w.out = append(appendFloat(w.out, d.Likeness), '}')
	}
	w.out = append(w.out, '}')
}

// said writes what a page says of itself.
func (w *jsonWriter) said(name string, s *Said) {
	if s == nil {
		return
	}
	w.key(name)
	w.out = append(w.out, '{')
	w.member("value", s.Value)
	w.member("from", s.From)
	w.out = append(w.out, '}')
}

// counter turns offsets in bytes into those that JSON has. Each is counted from the one before, so that offsets that
// rise cost one pass; one that is lower is counted anew.
type counter struct {
	text    string
	offsets Offsets
	ascii   bool
	at, n   int
}

func newCounter(text string, offsets Offsets) *counter {
	c := &counter{text: text, offsets: offsets, ascii: true}
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			c.ascii = false
			break
		}
	}
	return c
}

// again is a counter of the same text, at its beginning.
func (c *counter) again() *counter {
	return &counter{text: c.text, offsets: c.offsets, ascii: c.ascii}
}

func (c *counter) count(offset int) int {
	if c.ascii {
		return offset
	}
	offset = min(offset, len(c.text))
	if offset < c.at {
		// Spans that follow one another overlap by little: going back is cheaper than beginning again.
		c.n -= c.units(c.text[offset:c.at])
	} else {
		c.n += c.units(c.text[c.at:offset])
	}
	c.at = offset
	return c.n
}

// units counts the code points or units of a stretch.
func (c *counter) units(s string) (n int) {
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
			if c.offsets == UTF16 && s[i] >= 0xF0 {
				n++
			}
		}
	}
	return n
}

const hexDigits = "0123456789abcdef"

// appendString appends a text as a string of JSON. Characters that terminals obey are escaped: controls, those that
// change the direction of text, and line separators. What is no UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= 0x20 && b < 0x7F && b != '"' && b != '\\' {
			i++
			continue
		}
		size := 1
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			size = n
			if !(r == utf8.RuneError && n == 1) && !isEscaped(r) {
				i += n
				continue
			}
		}
		dst = append(dst, s[from:i]...)
		dst = appendEscape(dst, s[i:i+size])
		i += size
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// isEscaped says that a character outside ASCII is written as an escape: controls of ISO 6429, marks of direction,
// and what ends lines.
func isEscaped(r rune) bool {
	return r < 0xA0 || r == 0x61C || 0x200E <= r && r <= 0x200F || 0x2028 <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

func appendEscape(dst []byte, s string) []byte {
	switch s[0] {
	case '"', '\\':
		return append(dst, '\\', s[0])
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	}
	r, _ := utf8.DecodeRuneInString(s)
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

func appendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}
