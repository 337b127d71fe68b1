package microformats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
)

func TestTheParseIsThatOfTheSuite(t *testing.T) {
	suite := rdftest.Shared(t, "conformance/microformats/tests")
	ran := 0
	err := filepath.WalkDir(suite, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") {
			return err
		}
		ran++
		name, _ := filepath.Rel(suite, strings.TrimSuffix(path, ".json"))
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(strings.TrimSuffix(path, ".json") + ".html")
			if err != nil {
				t.Fatal(err)
			}
			var expected any
			if err := json.Unmarshal(want, &expected); err != nil {
				t.Fatal(err)
			}
			base := "http://example.com/"
			if strings.HasPrefix(name, "microformats-v2-unit") {
				base = "http://example.test" // the base of that part
			}
			got := asJSON(t, text, base)
			for _, difference := range differences(got, expected, "") {
				t.Error(difference)
			}
		})
		return nil
	})
	if err != nil || ran != 140 {
		t.Errorf("%d tests ran, %v", ran, err)
	}
}

// differences says where two values of JSON differ.
func differences(got, want any, at string) (all []string) {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for name := range w {
			all = append(all, differences(g[name], w[name], at+"."+name)...)
		}
		for name := range g {
			if _, ok := w[name]; !ok {
				all = append(all, fmt.Sprintf("%s.%s is %v, expected nothing", at, name, g[name]))
			}
		}
		return all
	case []any:
		g, _ := got.([]any)
		if len(g) == len(w) {
			for i := range w {
				all = append(all, differences(g[i], w[i], fmt.Sprintf("%s[%d]", at, i))...)
			}
			return all
		}
	}
	if !reflect.DeepEqual(got, want) {
		all = append(all, fmt.Sprintf("%s is %q, expected %q", at, got, want))
	}
	return all
}

func asJSON(t *testing.T, text []byte, base string) (parsed any) {
	t.Helper()
	p, err := page.Read(t.Context(), bytes.NewReader(text), page.Options{Host: page.HTML}, &rdftest.Collector{})
	if err != nil {
		t.Fatal(err)
	}
	document := Parse(p, base)
	parser := newParser(p, base)
	parser.document = *document
	written, err := json.Marshal(parser.json())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(written, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}

// json is the document in the form of the microformats2 parsing specification.
func (p *parser) json() map[string]any {
	rels, urls := map[string][]string{}, map[string]any{}
	for _, l := range p.document.Links {
		for _, rel := range l.Rels {
			rels[rel] = append(rels[rel], l.URL)
		}
		url := map[string]any{"text": l.Text, "rels": l.Rels}
		for _, a := range l.Attrs {
			url[a.Name] = a.Value
		}
		urls[l.URL] = url
	}
	items := []any{}
	for _, item := range p.document.Items {
		items = append(items, p.itemJSON(item))
	}
	return map[string]any{"items": items, "rels": rels, "rel-urls": urls}
}

func (p *parser) itemJSON(i *Item) map[string]any {
	properties := map[string]any{}
	for _, property := range i.Properties {
		var values []any
		for _, v := range property.Values {
			var one any = v.Text
			switch {
			case v.Item != nil:
				m := p.itemJSON(v.Item)
				m["value"] = v.Text
				if v.prefix == 'e' {
					m["html"] = p.inner(v.Element)
				}
				if v.Alt != nil {
					m["value"] = map[string]any{"value": v.Text, "alt": *v.Alt}
				}
				one = m
			case v.prefix == 'e':
				one = map[string]any{"value": v.Text, "html": p.inner(v.Element)}
			case v.Alt != nil:
				one = map[string]any{"value": v.Text, "alt": *v.Alt}
			}
			values = append(values, one)
		}
		properties[property.Name] = values
	}
	m := map[string]any{"type": i.Types, "properties": properties}
	if i.ID != "" {
		m["id"] = i.ID
	}
	var children []any
	for _, c := range i.Children {
		children = append(children, p.itemJSON(c))
	}
	if children != nil {
		m["children"] = children
	}
	return m
}

// inner is the markup in an element, with absolute URLs.
func (p *parser) inner(e *page.Element) string {
	var b strings.Builder
	p.writeInner(&b, e)
	return trim(b.String())
}

var (
	escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;")
	escapeAttr = strings.NewReplacer("&", "&amp;", "\"", "&quot;", "\u00a0", "&nbsp;")
)

func (p *parser) writeInner(b *strings.Builder, e *page.Element) {
	for _, c := range e.Children {
		switch {
		case c.Markup:
			b.WriteString(c.Text)
		case c.Element == nil:
			b.WriteString(escapeText.Replace(c.Text))
		default:
			b.WriteString("<" + c.Element.Name)
			for _, a := range c.Element.Attrs {
				value := a.Value
				if a.Name == "href" || a.Name == "src" {
					value = p.resolve(value)
				}
				b.WriteString(" " + a.Name + `="` + escapeAttr.Replace(value) + `"`)
			}
			b.WriteString(">")
			switch c.Element.Name {
			case "br", "img", "hr", "input", "area", "link", "meta":
				continue
			}
			p.writeInner(b, c.Element)
			b.WriteString("</" + c.Element.Name + ">")
		}
	}
}
