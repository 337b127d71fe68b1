package rdfxml_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/rdfxml"
)

// codes counts notices by code, and checks that those of want are among them and no others do.
func codes(t *testing.T, notices []fault.Notice, want map[fault.Code]int) {
	t.Helper()
	have := map[fault.Code]int{}
	for _, n := range notices {
		have[n.Code]++
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("notices %v, want %v", have, want)
	}
}

func TestEntitiesThatGrowAreALimitAndNotMemory(t *testing.T) {
	var dtd strings.Builder
	dtd.WriteString(`<!DOCTYPE rdf:RDF [<!ENTITY l0 "lol">`)
	for i := range 40 {
		fmt.Fprintf(&dtd, `<!ENTITY l%d "&l%d;&l%[2]d;">`, i+1, i)
	}
	dtd.WriteString("]>")
	for name, body := range map[string]string{
		"text":      "<e:p>&l40;</e:p>",
		"attribute": `<e:p rdf:resource="&l40;"/>`,
		"literal":   `<e:p rdf:parseType="Literal">&l40;</e:p>`,
	} {
		t.Run(name, func(t *testing.T) {
			var c counter
			doc := dtd.String() + head + sp + body + "<e:q>after</e:q>" + ps + foot
			if err := rdfxml.Read(context.Background(), strings.NewReader(doc), rdf.Input{}, rdfxml.Options{MaxEntity: 1 << 16},
				&c); err != nil {
				t.Fatal(err)
			}
			if c.quads != 1 || c.lost != 1 {
				t.Errorf("%d quads, %d lost", c.quads, c.lost)
			}
			if len(c.notices) != 1 || c.notices[0].Code != fault.LimitEntities || c.notices[0].Excerpt == "" {
				t.Fatalf("%+v", c.notices)
			}
		})
	}
}

// TestALimitOfEntitiesIsToldOnceForEachStatement writes many references past the limit into one
// statement, and into many.
func TestALimitOfEntitiesIsToldOnceForEachStatement(t *testing.T) {
	const n = 3000
	dtd := `<!DOCTYPE rdf:RDF [<!ENTITY e "` + strings.Repeat("x", 4000) + `"><!ATTLIST e:d e:a CDATA "` + strings.Repeat("y", 4000) +
		`" e:b CDATA "1">]>` + "\n"
	for _, row := range []struct {
		name, body    string
		notices, lost int
	}{
		{"one text", "<e:p>" + strings.Repeat("&e;", n) + "</e:p>", 1, 1},
		{"one XML literal", `<e:p rdf:parseType="Literal">` + strings.Repeat("<b>&e;</b>", n) + "</e:p>", 1, 1},
		{"text of no statement", strings.Repeat("&e;", n), 1, 1},
		{"two stretches of it", strings.Repeat("&e;", n) + "<e:r>v</e:r>" + strings.Repeat("&e;", n), 2, 2},
		{"one attribute", `<e:p e:r="` + strings.Repeat("&e;", n) + `"/>`, 1, 1},
		{"default attributes", strings.Repeat("&e;", n) + "<e:r/>" + strings.Repeat("<e:d/>", 10), 11, 11},
		{"beside another fault", "<e:p>&nope;" + strings.Repeat("&e;", n) + "&nope;</e:p>", 2, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			var c counter
			doc := dtd + head + sp + row.body + "<e:q>after</e:q>" + ps + foot
			if err := rdfxml.Read(context.Background(), strings.NewReader(doc), rdf.Input{}, rdfxml.Options{MaxEntity: 16 << 10},
				&c); err != nil {
				t.Fatal(err)
			}
			told := 0
			for _, n := range c.notices {
				if n.Code != fault.RDFXMLStrayText {
					told++
				}
			}
			if told != row.notices || c.lost != row.lost {
				t.Errorf("%d notices, %d lost: %+v", told, c.lost, c.notices[:min(3, len(c.notices))])
			}
		})
	}
	var c counter
	doc := dtd + head + sp + strings.Repeat("<e:p>&e;</e:p>\n", n) + ps + foot
	if err := rdfxml.Read(context.Background(), strings.NewReader(doc), rdf.Input{}, rdfxml.Options{MaxEntity: 16 << 10}, &c); err != nil {
		t.Fatal(err)
	}
	if c.lost == 0 || c.lost != len(c.notices) || c.quads+c.lost != n || c.notices[1].Line != c.notices[0].Line+1 {
		t.Errorf("%d kept, %d lost, %d notices", c.quads, c.lost, len(c.notices))
	}
}

// TestReferencesInAnAttributeAreALimitAndNotMemory lets a long document, whose entities may expand
// to much, say so much in one attribute.
func TestReferencesInAnAttributeAreALimitAndNotMemory(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1000), "&lt;" + strings.Repeat("x", 1000)} {
		doc := `<!DOCTYPE rdf:RDF [<!ENTITY e "` + text + `">]>` + head + sp + strings.Repeat("<e:p>v</e:p>\n", 5000) + `<e:q e:r="` +
			strings.Repeat("&e;", 1000) + `"/>` + ps + foot
		c := read(t, doc, rdf.Input{}, rdfxml.Options{MaxToken: 64 << 10})
		codes(t, c.Notices, map[fault.Code]int{fault.LimitToken: 1})
		if len(c.Quads) != 5001 || c.Lost() != 1 {
			t.Errorf("%d kept, %d lost", len(c.Quads), c.Lost())
		}
	}
}

// TestAllDefaultAttributesAreApplied declares more of them than anybody would.
func TestAllDefaultAttributesAreApplied(t *testing.T) {
	var dtd strings.Builder
	for i := range 100 {
		fmt.Fprintf(&dtd, `<!ATTLIST e:p e:a%d CDATA "%[1]d" e:a%[1]d CDATA "again">`, i)
	}
	doc := "<!DOCTYPE rdf:RDF [" + dtd.String() + "]>" + head + sp + `<e:p e:a0="own" e:a99="own"/>` + ps + foot
	c := read(t, doc, rdf.Input{}, rdfxml.Options{})
	said := strings.Join(c.Lines(), "\n")
	if len(c.Quads) != 101 || len(c.Notices) > 0 || strings.Count(said, `"own"`) != 2 || strings.Contains(said, "again") ||
		!strings.Contains(said, `<http://e/a98> "98"`) {
		t.Errorf("%d statements, %v\n%s", len(c.Quads), c.Notices, said)
	}
}

// A large ontology uses its short entities all over; that is no attack.
func TestManyShortEntitiesAreNoLimit(t *testing.T) {
	doc := `<!DOCTYPE rdf:RDF [<!ENTITY o "http://purl.obolibrary.org/obo/">]>` + head + sp +
		strings.Repeat(`<e:p rdf:resource="&o;x"/>`, 20_000) + ps + foot
	c := read(t, doc, rdf.Input{}, rdfxml.Options{MaxEntity: 1 << 10})
	if len(c.Quads) != 20_000 || len(c.Notices) > 0 {
		t.Errorf("%d quads, notices %+v", len(c.Quads), c.Notices)
	}
}

func TestTooDeepElementsArePassedOver(t *testing.T) {
	deep := strings.Repeat("<e:p><e:T>", 100) + strings.Repeat("</e:T></e:p>", 100)
	c := read(t, head+sp+deep+"<e:q>after</e:q>"+ps+foot, rdf.Input{}, rdfxml.Options{MaxDepth: 10})
	codes(t, c.Notices, map[fault.Code]int{fault.LimitNesting: 1})
	n := c.Notices[0]
	if want := int64(len(deep) - 8*len("<e:p>") - 4*2*len("</e:p>") + 1); n.Lost != 1 || n.Bytes < want/2 {
		t.Errorf("%+v", n)
	}
	lines := c.Lines()
	if len(lines) != 9 || lines[8] != `<http://e/s> <http://e/q> "after" .` {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

func TestTooLongTokensArePassedOver(t *testing.T) {
	long := strings.Repeat("long ", 200)
	for name, body := range map[string]string{
		"tag":         `<e:p e:q="` + long + `"/>`,
		"text":        `<e:p>` + long + `</e:p>`,
		"XML literal": `<e:p rdf:parseType="Literal"><e:b>` + long + `</e:b></e:p>`,
		"entities":    `<e:p rdf:parseType="Literal">` + strings.Repeat("&lt;", 200) + `</e:p>`,
	} {
		t.Run(name, func(t *testing.T) {
			c := read(t, head+sp+body+"<e:q>after</e:q>"+ps+foot, rdf.Input{}, rdfxml.Options{MaxToken: 500})
			codes(t, c.Notices, map[fault.Code]int{fault.LimitToken: 1})
			if c.Lost() != 1 || len(c.Quads) != 1 {
				t.Errorf("%d lost: %s", c.Lost(), c.Lines())
			}
		})
	}
}

func TestRelativeIRIsNeedABase(t *testing.T) {
	doc := head + `<e:T rdf:about="a"/><e:T rdf:about="http://e/s"><e:p rdf:resource="b"/><e:p rdf:ID="i">v</e:p></e:T><e:T xml:base="http://other/" rdf:about="c"/>` +
		foot
	t.Run("none", func(t *testing.T) {
		c := read(t, doc, rdf.Input{}, rdfxml.Options{})
		// The type of a, the resource b, the four statements of the reification.
		if c.Lost() != 6 || len(c.Quads) != 3 {
			t.Errorf("%d lost, quads: %s", c.Lost(), strings.Join(c.Lines(), "\n"))
		}
		codes(t, c.Notices, map[fault.Code]int{fault.IRINoBase: 3, fault.RDFXMLLostPart: 4})
	})
	t.Run("file", func(t *testing.T) {
		c := read(t, doc, rdf.Input{Base: "file:///tmp/x.rdf", BaseIsFile: true}, rdfxml.Options{})
		codes(t, c.Notices, map[fault.Code]int{fault.IRIRelative: 1})
		if c.Lost() != 0 || len(c.Quads) != 9 || c.Notices[0].Severity != fault.Warning {
			t.Errorf("%+v", c)
		}
	})
	t.Run("in the document", func(t *testing.T) {
		c := read(t, strings.Replace(doc, "xmlns:e", `xml:base="http://b/" xmlns:e`, 1),
			rdf.Input{Base: "file:///tmp/x.rdf", BaseIsFile: true}, rdfxml.Options{})
		codes(t, c.Notices, map[fault.Code]int{})
	})
}

type full struct{ counter }

func (f *full) Quad(q *rdf.Quad) error {
	f.quads++
	return syscall.ENOSPC
}

func TestFullDiskIsNotTheDocumentsFault(t *testing.T) {
	var f full
	err := rdfxml.Read(context.Background(), strings.NewReader(head+`<e:T rdf:about="http://e/1" e:p="v"/><e:T/>`+foot), rdf.Input{},
		rdfxml.Options{}, &f)
	var sink *rdf.SinkError
	if !errors.As(err, &sink) || rdf.Blame(err) != fault.Local || f.quads != 1 {
		t.Errorf("%v after %d quads", err, f.quads)
	}
}

func TestBrokenSourceIsNotTheDocumentsFault(t *testing.T) {
	reset := fault.New("test", fault.Remote, "transport/reset", "reset")
	text := io.MultiReader(strings.NewReader(head+`<e:T rdf:about="http://e/1"/>`), iotest.ErrReader(reset))
	var c counter
	err := rdfxml.Read(context.Background(), text, rdf.Input{}, rdfxml.Options{}, &c)
	if rdf.Blame(err) != fault.Remote || c.quads != 1 || len(c.notices) != 0 {
		t.Errorf("%v, %+v", err, c)
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := rdfxml.Read(ctx, &endless{of: 1 << 60}, rdf.Input{}, rdfxml.Options{}, &counter{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Each is cheap if every byte is looked at a few times, and takes hours if not.
func TestHostileDocumentsTakeNoLongerThanTheirLength(t *testing.T) {
	const n = 50_000
	var declarations, uses strings.Builder
	for i := range n / 4 {
		fmt.Fprintf(&declarations, " xmlns:p%d='http://e/'", i)
		fmt.Fprintf(&uses, " p%d:a%[1]d='v'", i)
	}
	for name, doc := range map[string]string{
		"attributes": head + "<e:T " + strings.Repeat("e:p ", n) + "/>" + foot,
		"different attributes": head + "<e:T " + func() string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "e:p%d='v' ", i)
			}
			return b.String()
		}() + "/>" + foot,
		"prefixes": head + "<e:T" + declarations.String() + "><e:p rdf:parseType='Literal'><a" + uses.String() + "/></e:p>" +
			strings.Repeat("<b/>", n),
		"open elements":           head + strings.Repeat("<e:a>", n),
		"stray end tags":          head + strings.Repeat("</e:a>", n),
		"quotation marks":         head + strings.Repeat(`<e:a b="`, n),
		"apostrophes, no end":     head + strings.Repeat(`<e:a b='x>`, n),
		"less":                    strings.Repeat("<", n),
		"comments that never end": strings.Repeat("<!--", n),
		"CDATA":                   head + strings.Repeat("<![CDATA[", n),
		"brackets":                head + strings.Repeat("]", n) + ">",
		"ampersands":              head + strings.Repeat("&", n),
		"long names":              head + "&" + strings.Repeat("a", n) + "<" + strings.Repeat("b", n),
		"digits":                  head + "&#" + strings.Repeat("0", n) + "<e:T e:p='&#" + strings.Repeat("0", n) + "'/>",
		"words in a tag":          head + strings.Repeat("<a b ", n),
		"declarations":            "<!DOCTYPE a [" + strings.Repeat("<!ENTITY a ", n),
		"entities of entities": `<!DOCTYPE a [<!ENTITY a "` + strings.Repeat("x", n) + `"><!ENTITY b "` + strings.Repeat("&a;", n) +
			`">]>` + head + strings.Repeat("<e:T e:p='&b;'/>", 100),
		"nested comments":         head + strings.Repeat("<!-- <e:p> <!-- --> ", n),
		"instructions":            head + strings.Repeat("<?x <e:p>", n),
		"literals that never end": head + strings.Repeat("<e:T><e:p rdf:parseType='Literal'><b></e:T>", n),
		"pages":                   head + strings.Repeat("<html><e:p><body>", n),
		"tags without <":          head + strings.Repeat("e:p e:q='x' e:r='", n),
		"elements that misfit":    head + strings.Repeat("<e:p></e:q><e:r>text", n),
		"new names": head + func() string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "<e:T%d><e:p%[1]d/></e:p>", i)
			}
			return b.String()
		}(),
		"lists": head + sp + strings.Repeat("<e:p rdf:parseType='Collection'><e:T>", n),
	} {
		t.Run(name, func(t *testing.T) {
			var c counter
			if err := rdfxml.Read(context.Background(), strings.NewReader(doc), rdf.Input{}, rdfxml.Options{MaxEntity: 1 << 20},
				&c); err != nil {
				t.Fatal(err)
			}
			if len(c.notices) == 0 && name != "different attributes" {
				t.Error("nothing told")
			}
		})
	}
}

// Of faulty characters in a row one is reported, wherever the text is split.
func TestFaultyCharactersInARowAreOneFinding(t *testing.T) {
	for text, want := range map[string]struct {
		code  fault.Code
		value string
		n     int
	}{
		strings.Repeat("&", 4000):              {fault.XMLBareAmpersand, strings.Repeat("&", 4000), 1},
		"a &&& b & c":                          {fault.XMLBareAmpersand, "a &&& b & c", 2},
		"&&amp;":                               {fault.XMLBareAmpersand, "&&", 1},
		strings.Repeat("<", 4000) + " 1":       {fault.XMLBareLess, strings.Repeat("<", 4000) + " 1", 1},
		"1 <<< 2 < 3":                          {fault.XMLBareLess, "1 <<< 2 < 3", 2},
		"x" + strings.Repeat("\x01", 99) + "y": {fault.XMLControl, "x" + strings.Repeat("\x01", 99) + "y", 1},
	} {
		doc := head + sp + "<e:p>" + text + "</e:p>" + ps + foot
		for _, in := range []io.Reader{strings.NewReader(doc), iotest.OneByteReader(strings.NewReader(doc))} {
			var c rdftest.Collector
			if err := rdfxml.Read(context.Background(), in, rdf.Input{}, rdfxml.Options{}, &c); err != nil {
				t.Fatal(err)
			}
			codes(t, c.Notices, map[fault.Code]int{want.code: want.n})
			if len(c.Quads) != 1 || string(c.Quads[0].Object.Value) != want.value {
				t.Errorf("%.20q: %d quads", text, len(c.Quads))
			}
		}
	}
}
