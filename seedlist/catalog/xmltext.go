package catalog

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// xmlText reads XML element by element. Names are taken without their namespaces,
// which catalogs get wrong more often than the names, and in lower case.
type xmlText struct {
	decoder *xml.Decoder
	bounded *boundedReader
	open    []string
	texts   [][]byte
	r       *reading
}

// maxXMLDepth is how many elements may be open at once: no catalog is so deep.
const maxXMLDepth = 200

func (r *reading) xml() *xmlText {
	most := max(64<<10, r.opt.MaxMemory/4)
	bounded := &boundedReader{most: most, left: most}
	// What is no character of XML would end the reading.
	bounded.from = transform.NewReader(withoutDeclaration(r.text), transform.Chain(runes.ReplaceIllFormed(), runes.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0xFFFE || c == 0xFFFF {
			return ' '
		}
		return c
	})))
	decoder := xml.NewDecoder(bounded)
	decoder.Strict = false
	decoder.Entity = xml.HTMLEntity
	// it is UTF-8 already
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return &xmlText{decoder: decoder, bounded: bounded, r: r}
}

// withoutDeclaration takes the XML declaration away: the text is UTF-8 by now, and the
// library knows no other version than 1.0.
func withoutDeclaration(text io.Reader) io.Reader {
	in := bufio.NewReaderSize(text, 4096)
	head, _ := in.Peek(1024)
	start := bytes.IndexFunc(head, func(c rune) bool { return !unicode.IsSpace(c) && c != '\uFEFF' })
	if start >= 0 && bytes.HasPrefix(head[start:], []byte("<?xml")) {
		if end := bytes.Index(head, []byte("?>")); end > 0 {
			in.Discard(end + 2)
		}
	}
	return in
}

// walk calls start at each start tag and end at each end tag, with the text that was
// directly in the element. Inside of these, path says where it is.
func (x *xmlText) walk(start func(name string, attrs map[string]string) error, end func(name, text string) error) error {
	for {
		x.bounded.left = x.bounded.most
		token, err := x.decoder.Token()
		if errors.Is(err, io.EOF) {
			if len(x.open) > 0 {
				return damaged("the XML ends inside of <%s>", x.open[len(x.open)-1])
			}
			return nil
		}
		if err != nil && x.bounded.failed != nil {
			return x.bounded.failed
		}
		if err != nil {
			return damaged("the XML can't be read further: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(x.open) >= maxXMLDepth {
				return damaged("elements more than %d deep", maxXMLDepth)
			}
			attrs := make(map[string]string, len(t.Attr))
			for _, a := range t.Attr {
				attrs[strings.ToLower(a.Name.Local)] = a.Value
			}
			name := strings.ToLower(t.Name.Local)
			x.open = append(x.open, name)
			x.texts = append(x.texts, nil)
			if err := start(name, attrs); err != nil {
				return err
			}
		case xml.EndElement:
			if len(x.open) == 0 {
				continue
			}
			name, text := x.open[len(x.open)-1], string(x.texts[len(x.open)-1])
			if err := end(name, strings.TrimFunc(text, unicode.IsSpace)); err != nil {
				return err
			}
			x.open, x.texts = x.open[:len(x.open)-1], x.texts[:len(x.texts)-1]
		case xml.CharData:
			if n := len(x.texts); n > 0 && len(x.texts[n-1]) < maxText {
				x.texts[n-1] = append(x.texts[n-1], t[:min(len(t), maxText)]...)
			}
		}
	}
}

// maxText is how much of an element's text is kept, in bytes: more than a URI may have.
const maxText = 16 << 10

// in says that an element of that name is open.
func (x *xmlText) in(name string) bool {
	for _, open := range x.open {
		if open == name {
			return true
		}
	}
	return false
}

// parent is the element around the current one.
func (x *xmlText) parent() string {
	if len(x.open) < 2 {
		return ""
	}
	return x.open[len(x.open)-2]
}
