package feed

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
	"laundromat/text"
)

// jsonFeedVersion is in the member "version" of each JSON Feed (jsonfeed.org, versions 1 and 1.1).
const jsonFeedVersion = "jsonfeed.org/version/1"

// IsJSON says that a document that begins so is a JSON Feed.
func IsJSON(prefix []byte) bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(prefix, []byte("\xEF\xBB\xBF")), " \t\r\n")
	return bytes.HasPrefix(trimmed, []byte("{")) && bytes.Contains(trimmed, []byte(`"version"`)) &&
		bytes.Contains(bytes.ReplaceAll(trimmed, []byte(`\/`), []byte("/")), []byte(jsonFeedVersion))
}

// jsonFeed reads a JSON Feed by its tokens, so that places are known, and what came before a fault is kept.
type jsonFeed struct {
	*reader
	tokens *json.Decoder
	skip   int // bytes of a mark before the text
}

// readJSON makes an article of each item.
func (f *reader) readJSON() (Count, error) {
	skip := len(f.source) - len(bytes.TrimPrefix(f.source, []byte("\xEF\xBB\xBF")))
	j := &jsonFeed{reader: f, tokens: json.NewDecoder(bytes.NewReader(f.source[skip:])), skip: skip}
	j.tokens.UseNumber()
	err := j.object(func(name string) error {
		switch name {
		case "language":
			said, err := j.text()
			f.language = said
			return err
		case "items":
			return j.items()
		}
		return j.pass()
	})
	if broken, isBroken := err.(brokenJSON); isBroken {
		f.to.Notice(fault.Notice{Code: fault.TextCut, Severity: fault.Warning, Pos: f.at(broken.at), Message: "the feed isn't JSON from " +
			"here on, or ends: " + broken.err.Error() + "; the rest is missing",
			Excerpt: fault.Excerpt(f.source[max(0, broken.at-fault.MaxExcerpt/2):])})
		err = nil
	}
	if err == nil {
		f.tellEmpty()
	}
	return f.count, err
}

// brokenJSON is what ends the reading of a feed; what came before it is kept.
type brokenJSON struct {
	at  int
	err error
}

func (b brokenJSON) Error() string { return b.err.Error() }

// at is where the tokens that were read end, in the source.
func (j *jsonFeed) end() int { return j.skip + int(j.tokens.InputOffset()) }

func (j *jsonFeed) next() (json.Token, error) {
	token, err := j.tokens.Token()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, brokenJSON{min(j.end(), len(j.source)), err}
	}
	return token, nil
}

// object reads the members of an object, each value by member; another value is passed over.
func (j *jsonFeed) object(member func(name string) error) error {
	token, err := j.next()
	if err != nil || token != json.Delim('{') {
		return j.rest(token, err)
	}
	for j.tokens.More() {
		name, err := j.next()
		if err != nil {
			return err
		}
		if err := member(name.(string)); err != nil {
			return err
		}
	}
	_, err = j.next()
	return err
}

// items reads the items of a feed.
func (j *jsonFeed) items() error {
	token, err := j.next()
	if err != nil || token != json.Delim('[') {
		return j.rest(token, err)
	}
	for j.tokens.More() {
		if err := j.ctx.Err(); err != nil {
			return err
		}
		if err := j.item(); err != nil {
			return err
		}
	}
	_, err = j.next()
	return err
}

// item makes the article of an item. One that breaks off is made of what it has.
func (j *jsonFeed) item() error {
	e := &entry{at: j.begin()}
	broken := j.object(func(name string) (err error) {
		switch name {
		case "id":
			e.guid, err = j.text()
			e.isPermalink = true
		case "url":
			err = j.address(&e.link)
		case "external_url":
			err = j.address(&e.about)
		case "title":
			err = j.value(&e.titles[ownTitle], true)
		case "content_html":
			err = j.content(&e.texts[encoded], false)
		case "content_text":
			err = j.content(&e.texts[body], true)
		case "summary":
			err = j.content(&e.texts[summary], true)
		case "date_published":
			err = j.date(&e.dates[0])
		case "date_modified":
			err = j.date(&e.dates[3])
		case "language":
			e.language, err = j.text()
		default:
			err = j.pass()
		}
		return err
	})
	if _, isBroken := broken.(brokenJSON); broken != nil && !isBroken {
		return broken
	}
	e.end = j.end()
	if broken != nil && len(e.texts[encoded])+len(e.texts[body])+len(e.texts[summary]) == 0 {
		return broken
	}
	if err := j.make(e); err != nil {
		return err
	}
	return broken
}

// begin is where the next value begins.
func (j *jsonFeed) begin() int {
	at := j.end()
	for at < len(j.source) && strings.IndexByte(" \t\r\n:,", j.source[at]) >= 0 {
		at++
	}
	return at
}

// value notes a text, as it is written between its quotation marks.
func (j *jsonFeed) value(v *value, isPlain bool) error {
	at := j.begin()
	token, err := j.next()
	if err != nil {
		return err
	}
	if _, isText := token.(string); !isText {
		return j.rest(token, nil)
	}
	*v = value{found: true, start: at + 1, end: j.end() - 1, isPlain: isPlain, isJSON: true}
	return nil
}

func (j *jsonFeed) content(to *[]value, isPlain bool) error {
	var v value
	err := j.value(&v, isPlain)
	if v.found {
		*to = append(*to, v)
	}
	return err
}

// text is a text that is no content; empty for another value.
func (j *jsonFeed) text() (string, error) {
	token, err := j.next()
	if err != nil {
		return "", err
	}
	switch said := token.(type) {
	case string:
		return strings.TrimSpace(said), nil
	case json.Number:
		return said.String(), nil
	}
	return "", j.rest(token, nil)
}

func (j *jsonFeed) address(to *string) error {
	said, err := j.text()
	if said != "" {
		*to = resolve("", j.opt.URL, said)
	}
	return err
}

func (j *jsonFeed) date(to *[]string) error {
	said, err := j.text()
	if said != "" {
		*to = append(*to, said)
	}
	return err
}

// pass passes a value over.
func (j *jsonFeed) pass() error {
	token, err := j.next()
	return j.rest(token, err)
}

// rest passes over what belongs to a value that began with token.
func (j *jsonFeed) rest(token json.Token, err error) error {
	for depth := 0; err == nil; token, err = j.next() {
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth <= 0 {
			return nil
		}
	}
	return err
}

// unescaped is a text of JSON without its escapes. Half of a pair is U+FFFD.
func (f *reader) unescaped(v *value) (d decoded) {
	raw := f.source[v.start:v.end]
	from := 0
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			i++
			continue
		}
		d.copy(raw[from:i], v.start+from)
		length := escapeLength(raw[i:])
		run := text.Run{Text: len(d.text), Source: v.start + i, SourceLength: length}
		d.text, _, _ = jsontext.AppendUnescaped(d.text, raw[i:i+length])
		if !utf8.Valid(d.text[run.Text:]) {
			d.text = utf8.AppendRune(d.text[:run.Text], utf8.RuneError)
		}
		run.Length = len(d.text) - run.Text
		d.places = d.places.Append(run)
		i += length
		from = i
	}
	d.copy(raw[from:], v.start+from)
	return d
}

// escapeLength is how many bytes the escape has that a sound text of JSON begins with.
func escapeLength(raw []byte) int {
	if raw[1] != 'u' {
		return 2
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		high, _ := jsontext.Hex4(raw[2:])
		low, _ := jsontext.Hex4(raw[8:])
		if utf16.DecodeRune(high, low) != utf8.RuneError {
			return 12
		}
	}
	return 6
}
