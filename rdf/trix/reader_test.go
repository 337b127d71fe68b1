package trix_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/trix"
)

// head and foot are around the rows whose documents are not whole.
const (
	root = `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">`
	head = `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/" xml:base="http://e/doc">` + "\n"
	foot = "\n</TriX>\n"
)

// row is a document, what is made of it and what is reported. Quads are canonical lines,
// shortened, with ! in front if repaired; notices are "line:column severity code lost".
type row struct {
	name    string
	body    string // between head and foot; a whole document if it begins with a space
	quads   []string
	notices []string
}

func (r *row) doc() string {
	if whole, ok := strings.CutPrefix(r.body, " "); ok {
		return whole
	}
	return head + r.body + foot
}

var short = strings.NewReplacer("<http://e/", "<e:", "<http://www.w3.org/2001/XMLSchema#", "<xsd:")

func read(t testing.TB, text io.Reader, opt trix.Options) *rdftest.Collector {
	t.Helper()
	var c rdftest.Collector
	if err := trix.Read(context.Background(), text, rdf.Input{Base: "http://e/doc"}, opt, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

func TestFaultsCostWhatTheTableSays(t *testing.T) {
	for _, row := range rows {
		c := read(t, strings.NewReader(row.doc()), trix.Options{})
		if got := c.Marked(short); !slices.Equal(got, row.quads) {
			t.Errorf("%s: %q, want %q", row.name, got, row.quads)
		}
		if got := c.Told(); !slices.Equal(got, row.notices) {
			t.Errorf("%s: %q, want %q", row.name, got, row.notices)
		}
	}
}

type full struct{ rdftest.Collector }

func (*full) Quad(*rdf.Quad) error { return syscall.ENOSPC }

func TestFullDiskIsNotTheDocumentsFault(t *testing.T) {
	doc := `<TriX><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><uri>http://e/o</uri></triple></graph></TriX>`
	err := trix.Read(context.Background(), strings.NewReader(doc), rdf.Input{}, trix.Options{}, &full{})
	if !errors.Is(err, syscall.ENOSPC) || rdf.Blame(err) != fault.Local {
		t.Errorf("%v, blamed on %v", err, rdf.Blame(err))
	}
}

func TestEndedContextEndsTheReading(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var c rdftest.Collector
	if err := trix.Read(ctx,
		strings.NewReader(`<TriX><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><uri>http://e/o</uri></triple></graph></TriX>`),
		rdf.Input{}, trix.Options{}, &c); !errors.Is(err, context.Canceled) || len(c.Quads) > 0 {
		t.Error(err, c.Quads)
	}
}

func TestRelativeIRIsNeedABase(t *testing.T) {
	doc := root + `<graph><triple><uri>s</uri><uri>p</uri><uri>http://e/o</uri></triple></graph></TriX>`
	for _, test := range []struct {
		in      rdf.Input
		quads   []string
		notices []fault.Code
	}{
		{rdf.Input{Base: "http://e/x"}, []string{"!<e:s> <e:p> <e:o> ."}, []fault.Code{fault.IRIRelativeInLine}},
		{rdf.Input{Base: "http://e/x", BaseIsFile: true}, []string{"!<e:s> <e:p> <e:o> ."},
			[]fault.Code{fault.IRIRelativeInLine, fault.IRIRelative}},
		{rdf.Input{}, nil, []fault.Code{fault.IRINoBase}},
	} {
		var c rdftest.Collector
		if err := trix.Read(context.Background(), strings.NewReader(doc), test.in, trix.Options{}, &c); err != nil {
			t.Fatal(err)
		}
		var codes []fault.Code
		for _, n := range c.Notices {
			if n.Code != fault.TriXLostPart && !slices.Contains(codes, n.Code) {
				codes = append(codes, n.Code)
			}
		}
		if got := c.Marked(short); !slices.Equal(got, test.quads) || !slices.Equal(codes, test.notices) || c.Lost() != 1-len(got) {
			t.Errorf("%+v: %q, %+v", test.in, got, c.Notices)
		}
	}
}

func TestTermsThatAreTooLongCostTheirStatements(t *testing.T) {
	c := read(t, strings.NewReader(head+"<graph><triple><uri>s</uri><uri>p</uri><plainLiteral>"+strings.Repeat("x", 300)+
		"</plainLiteral></triple><triple><uri>s</uri><uri>p</uri><uri>o</uri></triple></graph></TriX>"), trix.Options{MaxToken: 200})
	if got := c.Marked(short); !slices.Equal(got, []string{"<e:s> <e:p> <e:o> ."}) || c.Lost() != 1 ||
		c.Notices[0].Code != fault.LimitToken {
		t.Errorf("%q, %+v", got, c.Notices)
	}
}

// TestALimitOfEntitiesIsToldOnceForEachTerm writes many references past the limit into one term of a
// triple. It does the same in the name of a graph, which costs each of its triples.
func TestALimitOfEntitiesIsToldOnceForEachTerm(t *testing.T) {
	many := strings.Repeat("&e;", 600)
	dtd := `<!DOCTYPE TriX [<!ENTITY e "` + strings.Repeat("x", 40_000) + `">]>`
	triple := "<triple><uri>s</uri><uri>p</uri><uri>o</uri></triple>"
	for _, row := range []struct {
		name, body    string
		notices, lost int
	}{
		{"a literal", "<graph><triple><uri>s</uri><uri>p</uri><plainLiteral>" + many + "</plainLiteral></triple>" + triple + "</graph>", 1,
			1},
		{"a graph", "<graph><uri>" + many + "</uri>" + triple + "</graph><graph>" + triple + "</graph>", 1, 1},
		{"text of no triple", "<graph>" + triple + many + "</graph>", 1, 1},
	} {
		c := read(t, strings.NewReader(dtd+head+row.body+"</TriX>"), trix.Options{MaxToken: 1 << 30})
		told := 0
		for _, n := range c.Notices {
			if n.Code == fault.LimitEntities {
				told++
			}
		}
		if told != row.notices || c.Lost() != row.lost || len(c.Quads) != 1 {
			t.Errorf("%s: %d notices, %d lost, %d kept", row.name, told, c.Lost(), len(c.Quads))
		}
	}
}
