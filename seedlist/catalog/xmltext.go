package catalog

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// xmlText reads XML element by element. Names are taken without their namespaces, which catalogs get
// wrong more often than the names, and in lower case. What is wrong with the XML costs no more than it
// must, and is reported with its line.
type xmlText struct {
	r      *reading
	tokens *xmltext.Reader
	open   []xmlElement
}

// xmlElement is an element that is open.
type xmlElement struct {
	name string
	text []byte        // directly in it
	lost *fault.Notice // why text can't be trusted
	base string        // what references in it are resolved against
}

// maxXMLDepth is how many elements may be open at once: no catalog is so deep.
const maxXMLDepth = 200

// xmlHead is how much of a page is searched for the beginning of the XML, in bytes.
const xmlHead = 16 << 10

func (r *reading) xml() *xmlText {
	x := &xmlText{r: r}
	in := bufio.NewReaderSize(r.text, xmlHead)
	head, _ := in.Peek(xmlHead)
	if start := xmlStart(head); start > 0 {
		in.Discard(start)
		if len(bytes.TrimFunc(head[:start], isXMLSpace)) > 0 {
			r.refuse(r.doc.URI, Mended, fmt.Sprintf("%d bytes before the XML that are none of it", start))
		}
	}
	// What is no character of XML would cost what it is in.
	text := transform.NewReader(in, transform.Chain(runes.ReplaceIllFormed(), runes.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0xFFFE || c == 0xFFFF {
			return ' '
		}
		return c
	})))
	most := int(min(max(64<<10, r.opt.MaxMemory/4), 1<<30))
	x.tokens = xmltext.NewReader(text, xmltext.Options{MaxToken: most, MaxDepth: maxXMLDepth, MaxEntity: most}, x)
	return x
}

func isXMLSpace(c rune) bool { return unicode.IsSpace(c) || c == '\uFEFF' || c == 0 }

// xmlRoots begin what is read as XML. A page of PHP may show its warnings before it.
var xmlRoots = [][]byte{[]byte("<?xml"), []byte("<rss"), []byte("<feed"), []byte("<rdf:rdf"), []byte("<urlset"), []byte("<sitemapindex"),
	[]byte("<listbucketresult")}

// xmlStart is where XML begins in the head of a page, behind what is none of it.
func xmlStart(head []byte) int {
	start := bytes.IndexFunc(head, func(c rune) bool { return !isXMLSpace(c) })
	if start < 0 {
		return 0
	}
	lower := bytes.ToLower(head)
	first := -1
	for _, root := range xmlRoots {
		if at := bytes.Index(lower, root); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	if first < 0 || bytes.Contains(lower[:first], []byte("<html")) || bytes.Contains(lower[:first], []byte("<!doctype")) ||
		bytes.Contains(lower[:first], []byte("<!--")) {
		return start
	}
	return first
}

// Notice takes what is wrong with the XML and costs nothing, or an unknown part.
func (x *xmlText) Notice(n fault.Notice) {
	switch n.Severity {
	case fault.Repair:
		x.report(Mended, &n)
	case fault.Drop:
		x.report(Damaged, &n)
	}
}

func (x *xmlText) report(reason Reason, n *fault.Notice) {
	x.r.refuse(x.r.doc.URI, reason, fmt.Sprintf("line %d, column %d: %s: %s", n.Line, n.Column, n.Code, n.Message))
}

// addressing are elements and attributes that say where something is: others cost nothing.
var addressing = []string{"loc", "link", "guid", "id", "key", "datadumplocation", "nextmarker", "nextcontinuationtoken", "prefix", "href",
	"url", "src", "about", "xml:base"}

// loses reports what can't be trusted of an element or attribute of that name.
func (x *xmlText) loses(name string, n *fault.Notice) {
	if slices.Contains(addressing, name) {
		x.report(Damaged, n)
	} else {
		x.report(Mended, n)
	}
}

// walk calls start at each start tag and end at each end tag, with the text that was directly in the
// element. Inside of these, in and parent say where it is.
func (x *xmlText) walk(start func(name string, attrs map[string]string) error, end func(name, text string) error) error {
	defer x.tokens.Free()
	for {
		kind, err := x.tokens.Next(x.r.ctx)
		if err != nil {
			return err
		}
		switch kind {
		case xmltext.End:
			if cut := x.tokens.Cut(); cut.Inside != "" {
				return damaged("the XML ends inside of %s", cut.Inside)
			}
			return nil
		case xmltext.StartTag:
			if err := x.begin(start); err != nil {
				return err
			}
		case xmltext.EndTag:
			if x.tokens.AtEnd() { // what is open is not whole
				return damaged("the XML ends inside of <%s>", x.open[len(x.open)-1].name)
			}
			if err := x.close(end); err != nil {
				return err
			}
		case xmltext.Text:
			x.keep()
		case xmltext.TooDeep, xmltext.TooLong:
			if n := x.tokens.Lost(); n != nil {
				x.report(Damaged, n)
			}
		}
	}
}

func (x *xmlText) begin(start func(name string, attrs map[string]string) error) error {
	attrs := make(map[string]string, len(x.tokens.Attrs()))
	for i := range x.tokens.Attrs() {
		a := &x.tokens.Attrs()[i]
		name := strings.ToLower(string(a.Local))
		if strings.EqualFold(string(a.Prefix), "xml") {
			name = "xml:" + name
		}
		if a.Lost != nil {
			x.loses(name, a.Lost)
			continue
		}
		attrs[name] = string(a.Value)
	}
	e := xmlElement{name: strings.ToLower(string(x.tokens.Local())), base: x.base()}
	if base := attrs["xml:base"]; base != "" {
		if absolute, err := resolve(e.base, base, true); err == nil {
			e.base = absolute
		}
	}
	x.open = append(x.open, e)
	return start(e.name, attrs)
}

func (x *xmlText) close(end func(name, text string) error) error {
	e := &x.open[len(x.open)-1]
	if e.lost != nil {
		x.loses(e.name, e.lost)
		e.text = nil
	}
	err := end(e.name, strings.TrimFunc(string(e.text), unicode.IsSpace))
	x.open = x.open[:len(x.open)-1]
	return err
}

// keep keeps a piece of text with its element.
func (x *xmlText) keep() {
	if len(x.open) == 0 {
		return
	}
	e := &x.open[len(x.open)-1]
	if n := x.tokens.Lost(); n != nil && e.lost == nil {
		lost := *n
		e.lost = &lost
	}
	if t := x.tokens.Text(); len(e.text) < maxText {
		e.text = append(e.text, t[:min(len(t), maxText)]...)
	}
}

// maxText is how much of an element's text is kept, in bytes: more than a URI may have.
const maxText = 16 << 10

// base is what references in the current element are resolved against (XML Base).
func (x *xmlText) base() string {
	if n := len(x.open); n > 0 {
		return x.open[n-1].base
	}
	return x.r.doc.URI
}

// absolute is a reference of the current element where another base than that of the page is in force.
func (x *xmlText) absolute(ref string) string {
	if base := x.base(); base != x.r.doc.URI {
		if absolute, err := resolve(base, ref, true); err == nil {
			return absolute
		}
	}
	return ref
}

// in says that an element of that name is open.
func (x *xmlText) in(name string) bool {
	return slices.ContainsFunc(x.open, func(e xmlElement) bool { return e.name == name })
}

// parent is the element around the current one.
func (x *xmlText) parent() string {
	if len(x.open) < 2 {
		return ""
	}
	return x.open[len(x.open)-2].name
}
