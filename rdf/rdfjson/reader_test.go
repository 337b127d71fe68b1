package rdfjson_test

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
	"laundromat/rdf/rdfjson"
	"laundromat/rdf/rdftest"
)

// row is a document, what is made of it and what is reported. Quads are canonical lines,
// shortened, with ! in front if repaired; notices are "line:column severity code lost".
type row struct {
	name    string
	body    string
	quads   []string
	notices []string
}

func (r *row) doc() string {
	return r.body
}

var short = strings.NewReplacer("<http://e/", "<e:", "<http://www.w3.org/2001/XMLSchema#", "<xsd:")

func read(t testing.TB, text io.Reader, opt rdfjson.Options) *rdftest.Collector {
	t.Helper()
	var c rdftest.Collector
	if err := rdfjson.Read(context.Background(), text, rdf.Input{Base: "http://e/doc"}, opt, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

func TestFaultsCostWhatTheTableSays(t *testing.T) {
	for _, row := range rows {
		c := read(t, strings.NewReader(row.doc()), rdfjson.Options{})
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
	doc := `{"http://e/s":{"http://e/p":[{"type":"uri","value":"http://e/o"}]}}`
	err := rdfjson.Read(context.Background(), strings.NewReader(doc), rdf.Input{}, rdfjson.Options{}, &full{})
	if !errors.Is(err, syscall.ENOSPC) || rdf.Blame(err) != fault.Local {
		t.Errorf("%v, blamed on %v", err, rdf.Blame(err))
	}
}

func TestEndedContextEndsTheReading(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var c rdftest.Collector
	if err := rdfjson.Read(ctx, strings.NewReader(`{"http://e/s":{"http://e/p":[{"type":"uri","value":"http://e/o"}]}}`), rdf.Input{},
		rdfjson.Options{}, &c); !errors.Is(err, context.Canceled) || len(c.Quads) > 0 {
		t.Error(err, c.Quads)
	}
}

func TestRelativeIRIsNeedABase(t *testing.T) {
	doc := `{"s":{"p":[{"type":"uri","value":"http://e/o"}]}}`
	for _, test := range []struct {
		in      rdf.Input
		quads   []string
		notices []fault.Code
	}{
		{rdf.Input{Base: "http://e/x"}, []string{"<e:s> <e:p> <e:o> ."}, nil},
		{rdf.Input{Base: "http://e/x", BaseIsFile: true}, []string{"<e:s> <e:p> <e:o> ."}, []fault.Code{fault.IRIRelative}},
		{rdf.Input{}, nil, []fault.Code{fault.IRINoBase}},
	} {
		var c rdftest.Collector
		if err := rdfjson.Read(context.Background(), strings.NewReader(doc), test.in, rdfjson.Options{}, &c); err != nil {
			t.Fatal(err)
		}
		var codes []fault.Code
		for _, n := range c.Notices {
			if n.Code != fault.RDFJSONLostPart && !slices.Contains(codes, n.Code) {
				codes = append(codes, n.Code)
			}
		}
		if got := c.Marked(short); !slices.Equal(got, test.quads) || !slices.Equal(codes, test.notices) || c.Lost() != 1-len(got) {
			t.Errorf("%+v: %q, %+v", test.in, got, c.Notices)
		}
	}
}

func TestTermsThatAreTooLongCostTheirStatements(t *testing.T) {
	c := read(t, strings.NewReader(`{"s":{"p":[{"type":"literal","value":"`+strings.Repeat("x", 300)+`"},{"type":"uri","value":"o"}]}}`),
		rdfjson.Options{MaxToken: 200})
	if got := c.Marked(short); !slices.Equal(got, []string{"<e:s> <e:p> <e:o> ."}) || c.Lost() != 1 ||
		c.Notices[0].Code != fault.LimitToken {
		t.Errorf("%q, %+v", got, c.Notices)
	}
}
