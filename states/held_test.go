package states_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/states"
	"laundromat/states/articles"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// madeOf makes all products of a text, one after another, and says how often its bytes were read for those after the
// first.
func madeOf(t *testing.T, text, contentType string, held *states.Held) (all string, readings int) {
	t.Helper()
	d := states.Document{Name: "page", Size: int64(len(text)), ContentType: contentType, Base: "http://a.example/page",
		Open: func(context.Context) (io.ReadCloser, error) {
			readings++
			return io.NopCloser(strings.NewReader(text)), nil
		}}
	ctx := context.Background()
	guessed, err := states.Guess(ctx, d, states.Given{})
	if err != nil && guessed.Kind == "" {
		t.Fatal(err)
	}
	readings = 0
	var out strings.Builder
	told := func(product string) func(fault.Notice) {
		return func(n fault.Notice) { fmt.Fprintf(&out, "%s %+v\n", product, n) }
	}
	opt := states.ParseOptions{Hashes: states.ForNothing, Held: held}
	opt.MaxMemory = 64 << 20
	document := told("document")
	if guessed.Format != "" {
		lines := clean.Lines(func(text []byte, _ int) error {
			out.Write(text)
			return nil
		})
		reading, err := states.Parse(ctx, d, guessed, opt, states.Output{Begin: func() (clean.Lines, func(fault.Notice), error) {
			out.Reset()
			return lines, told("statements"), nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		guessed, document, readings = reading.Proved(), nil, 0
	}
	makes := guessed.Kind.Makes([]string{kind.Statements, kind.Records, kind.Articles})
	for _, product := range []states.Product{recordset.Product{}, articles.Product{}} {
		if !strings.Contains(strings.Join(makes, " "), product.Name()) {
			continue
		}
		reading, made, err := states.MakeProduct(ctx, states.Decoded{Document: d, URL: d.Base, Key: "k"}, guessed, opt,
			states.ProductOutput{Product: product, Begin: func() (*states.Making, error) {
				return &states.Making{Memory: 64 << 20, Notice: told(product.Name()), Document: document, Temp: t.TempDir(),
					Line: func(line []byte) error {
						out.Write(line)
						return nil
					}}, nil
			}})
		fmt.Fprintf(&out, "%s %+v %v %v\n", product.Name(), made, made.Schema == nil, err)
		if document != nil && err == nil {
			guessed, document, readings = reading.Proved(), nil, 0
		}
	}
	return out.String(), readings
}

const (
	heldRow   = "<table><tr><th>name<th>age<tr><td>Ann<td>7<tr><td>Ben<td>8</table>"
	heldData  = `<div vocab="http://schema.org/" typeof="Person"><b property="name">Ann</b></div>`
	heldWords = "<p>Words of a page, of which there are some.</p>"
)

// heldPages are documents of which several products are made, and how often their bytes have to be read again.
var heldPages = []struct {
	title, text, contentType string
	readings                 int
}{
	{"a page with all", "<html><body>" + heldData + heldRow + heldWords + "</body></html>", "text/html", 0},
	{"a page without data", "<html><body>" + heldRow + heldWords + "</body></html>", "text/html", 0},
	{"a page without tables", "<html><body>" + heldData + heldWords + "</body></html>", "text/html", 0},
	{"a page in Latin-1", "<html><body>" + heldData + heldRow + "<p>caf\xe9, na\xefve, d\xe9j\xe0 vu</p></body></html>", "text/html", 0},
	{"a page in UTF-16", utf16("<html><body>" + heldData + heldRow + heldWords + "</body></html>"), "text/html", 0},
	{"a page that is cut", "<html><body>" + heldData + heldRow + "<p>Words <b", "text/html", 0},
	{"a page with MathML", "<html><body>" + heldData + heldRow + "<p>a <math><mi>x</mi></math> b</p></body></html>", "text/html", 0},
	{"a page with a marked character", "<html><body>" + heldData + heldRow + "<p>a\x01b words</p></body></html>", "text/html", 0},
	{"a page with RDF/XML in it", "<html><body><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description " +
		"rdf:about='http://a/'><b xmlns='http://b/'>c</b></rdf:Description></rdf:RDF>" + heldRow + heldWords + "</body></html>",
		"text/html", 0},
	{"a page with JSON-LD",
		`<html><head><script type="application/ld+json">{"@context":"http://schema.org/","@type":"Article","datePublished":` +
			`"2012-03-04"}</script></head><body>` + heldRow + heldWords + "</body></html>", "text/html", 0},
	{"a page with stray bytes", "<html><body>" + heldData + "<table><tr><th>n<th>m<tr><td>It\x92s gr\xc3\xbcn<td>7</table><p>" +
		strings.Repeat("gr\xc3\xbcn ", 100) + "It\x92s</p></body></html>", "text/html; charset=utf-8", 2},
	{"XHTML",
		`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>` + heldData + "<table><tr><th>a</th><th>b</th></tr>" +
			"<tr><td>1</td><td>2</td></tr></table>" + heldWords + "</body></html>", "text/html", 0},
	{"RSS in RDF", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel ` +
		`rdf:about="http://a/"><title>T</title></channel><item rdf:about="http://a/1"><title>A</title><link>http://a/1</link>` +
		`<description>Words of an entry.</description></item></rdf:RDF>`, "application/rdf+xml", 0},
}

func utf16(text string) string {
	var b bytes.Buffer
	b.WriteString("\xFF\xFE")
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}

func TestADocumentThatIsHeldGivesTheProductsThatItGivesReadAnew(t *testing.T) {
	for _, c := range heldPages {
		want, _ := madeOf(t, c.text, c.contentType, nil)
		got, readings := madeOf(t, c.text, c.contentType, &states.Held{})
		if got != want {
			t.Errorf("%s: held\n%s\nread anew\n%s", c.title, got, want)
		}
		if readings != c.readings {
			t.Errorf("%s is read %d times", c.title, readings)
		}
		if again, _ := madeOf(t, c.text, c.contentType, &states.Held{}); !strings.Contains(again, "articles {") {
			t.Errorf("%s has no article: %s", c.title, again)
		}
	}
}

// A product that ends in a panic costs none of the others.
func TestAPanicOfAProductLeavesTheHeldPage(t *testing.T) {
	ctx, held := context.Background(), &states.Held{}
	page := heldPages[0]
	d := states.Document{Name: "page", Size: int64(len(page.text)), ContentType: page.contentType,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(page.text)), nil }}
	guessed, err := states.Guess(ctx, d, states.Given{})
	if err != nil {
		t.Fatal(err)
	}
	opt := states.ParseOptions{Held: held}
	lines := 0
	for _, product := range []states.Product{recordset.Product{}, broken{}, articles.Product{}} {
		_, _, err := states.MakeProduct(ctx, states.Decoded{Document: d, Key: "k"}, guessed, opt, states.ProductOutput{Product: product,
			Begin: func() (*states.Making, error) {
				return &states.Making{Memory: 64 << 20, Notice: func(fault.Notice) {}, Temp: t.TempDir(), Line: func([]byte) error {
					lines++
					return nil
				}}, nil
			}})
		if _, isBroken := product.(broken); isBroken != (err != nil) {
			t.Errorf("%s: %v", product.Name(), err)
		}
	}
	if lines != 3 {
		t.Errorf("%d lines of two records and an article", lines)
	}
}

type broken struct{}

func (broken) Name() string { return kind.Records }

func (broken) Make(context.Context, *states.Decoded, *states.Making) (states.Made, error) {
	panic("broken")
}
