package feed

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/article"
)

// value is the content of an element, as it is written.
type value struct {
	found       bool
	start, end  int
	scope       scope
	isPlain     bool // text, in which nothing is markup
	isXHTML     bool
	isLoose     bool // the title of RSS: text in which elements may be meant as such
	isMedia     bool // a picture or the like, or content that is elsewhere
	isBase64    bool
	isJSON      bool // of a JSON Feed: what stands between the quotation marks
	isMultipart bool
	isEither    bool // of a multipart content: its parts are the same content
}

// typed reads the attributes that say how a value of Atom is written. What a media type is does not depend on its
// parameters, and all that begins with text/ is text.
func (v *value) typed(t *page.Tags) {
	typ, _, _ := strings.Cut(strings.ToLower(t.Attr("type")), ";")
	typ = strings.TrimSpace(typ)
	mode := strings.ToLower(strings.TrimSpace(t.Attr("mode")))
	v.isBase64 = mode == "base64"
	switch {
	case t.Attr("src") != "" || t.Attr("url") != "":
		v.isMedia = true
	case strings.HasPrefix(typ, "multipart/"):
		v.isMultipart, v.isEither = true, typ == "multipart/alternative"
	case typ == "xhtml" || typ == "application/xhtml+xml":
		v.isXHTML = true
	case typ == "html" || typ == "text/html" || strings.HasSuffix(typ, "xml"):
	case typ == "" && mode == "escaped":
	case typ == "" || strings.HasPrefix(typ, "text"):
		v.isPlain = true
	case strings.Contains(typ, "/"):
		v.isMedia = true
	}
}

// maxParts is how deeply contents are looked for in contents.
const maxParts = 4

// parts are the contents in a content of several parts. Of parts that are the same content it is one, HTML before text.
func (f *reader) parts(v value, depth int) []value {
	if !v.isMultipart || depth == maxParts {
		return []value{v}
	}
	var parts []value
	t := page.NewTags(f.source[:v.end])
	t.Seek(v.start)
	for kind := t.Next(); kind != page.EndOfTags; kind = t.Next() {
		if kind != page.StartTag || t.SelfEnds() {
			continue
		}
		part := value{found: true, start: t.To, end: v.end, scope: v.scope.within(t, f.source, f.opt.URL)}
		part.typed(t)
		name := t.Name()
		for open := 1; open > 0; {
			kind := t.Next()
			if kind == page.EndOfTags {
				break
			}
			switch {
			case kind == page.StartTag && !t.SelfEnds() && t.Name() == name:
				open++
			case kind == page.EndTag && t.Name() == name:
				open--
			}
			part.end = t.From
		}
		parts = append(parts, f.parts(part, depth+1)...)
	}
	if !v.isEither {
		return parts
	}
	best := -1
	for i := range parts {
		if p := &parts[i]; !p.isMedia && !f.isBlank(p) && (best < 0 || parts[best].isPlain && !p.isPlain) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return parts[best : best+1]
}

// decoded is a value without its escapes, and where each byte of it stands.
type decoded struct {
	text     []byte
	places   text.Places
	isMarkup bool // it has elements that are not escaped: beside them, text is as it is written
}

func (d *decoded) copy(raw []byte, at int) {
	if len(raw) > 0 {
		d.places = d.places.Append(text.Run{Text: len(d.text), Length: len(raw), Source: at, SourceLength: len(raw)})
		d.text = append(d.text, raw...)
	}
}

// decode takes the escapes of XML off a value. Where it has elements, it stays as XML: but a section of CDATA that
// holds HTML is HTML there, too, unless the value is XHTML.
func (f *reader) decode(v *value) decoded {
	d := f.flatten(v, false)
	if v.isBase64 && !d.isMarkup {
		return d.fromBase64()
	}
	return d
}

// flatten writes the tokens of a value one after another; if loose, the text beside elements is decoded, too.
func (f *reader) flatten(v *value, loose bool) (d decoded) {
	if v.isJSON {
		return f.unescaped(v)
	}
	inner := f.source[v.start:v.end]
	d.isMarkup = !loose && hasElements(inner)
	tags := page.NewTags(inner)
	for {
		kind := tags.Next()
		raw, at := inner[tags.From:tags.To], v.start+tags.From
		switch kind {
		case page.EndOfTags:
			if rest := inner[tags.From:]; len(rest) > 0 { // a tag that the value ends in
				d = f.decodeText(d, rest, v.start+tags.From)
			}
			return d
		case page.Chars:
			if d.isMarkup {
				d = f.copyText(d, raw, at)
			} else {
				d = f.decodeText(d, raw, at)
			}
		case page.Section:
			section := inner[tags.Inner[0]:tags.Inner[1]]
			if d.isMarkup && (v.isXHTML || v.isPlain || !article.HasMarkup(section)) {
				d.copy(raw, at)
			} else {
				d.copy(section, v.start+tags.Inner[0])
			}
		case page.StartTag, page.EndTag:
			if d.isMarkup || loose {
				d.copy(raw, at)
			}
		}
	}
}

// hasElements says that a value has elements that are not escaped.
func hasElements(inner []byte) bool {
	if bytes.IndexByte(inner, '<') < 0 {
		return false
	}
	tags := page.NewTags(inner)
	for {
		switch tags.Next() {
		case page.EndOfTags:
			return false
		case page.StartTag:
			return true
		}
	}
}

// fromBase64 decodes Base64; what is none stays as it is. Each three bytes stand in four letters.
func (d decoded) fromBase64() decoded {
	var letters []byte
	var at []int
	for i, c := range d.text {
		if c > ' ' {
			letters, at = append(letters, c), append(at, d.places.Source(text.Span{Start: i, End: i + 1}).Start)
		}
	}
	letters = bytes.TrimRight(letters, "=")
	whole := make([]byte, base64.RawStdEncoding.DecodedLen(len(letters)))
	if bytes.ContainsAny(letters, "-_") {
		letters = bytes.ReplaceAll(bytes.ReplaceAll(letters, []byte("-"), []byte("+")), []byte("_"), []byte("/"))
	}
	if n, err := base64.RawStdEncoding.Decode(whole, letters); err != nil || n == 0 {
		return d
	}
	out := decoded{}
	for from := 0; from < len(whole); {
		r, size := utf8.DecodeRune(whole[from:])
		first, last := from/3*4, min((from+size-1)/3*4+3, len(letters)-1)
		run := text.Run{Text: len(out.text), Source: at[first], SourceLength: at[last] + 1 - at[first]}
		out.text = utf8.AppendRune(out.text, r)
		run.Length = len(out.text) - run.Text
		if n := len(out.places) - 1; n >= 0 && out.places[n].Source == run.Source && out.places[n].SourceLength == run.SourceLength {
			out.places[n].Length += run.Length // several characters stand in the same letters
		} else {
			out.places = append(out.places, run)
		}
		from += size
	}
	return out
}

// shown is a value as one line of text.
func (f *reader) shown(v *value) string {
	return strings.Join(strings.Fields(string(f.decode(v).text)), " ")
}

// isBlank says that a value has no text.
func (f *reader) isBlank(v *value) bool { return len(bytes.TrimSpace(f.flatten(v, true).text)) == 0 }
