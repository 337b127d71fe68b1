package format_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// endless are documents that go on and on: a head, and what is repeated. The streaming
// readers take a fixed amount of memory for them; the others end at their limit.
var endless = []struct {
	of           format.Format
	head, repeat string
}{
	{format.NTriples, "", "<http://e/s> <http://e/p> \"x\" .\n"},
	{format.NTriples, "<http://e/", "a"},
	{format.NTriples, "<http://e/s> <http://e/p> \"", "x"},
	{format.NTriples, "", "_:x"},
	{format.NTriples, "", "<<( "},
	{format.NTriples, "# ", "x"},
	{format.NQuads, "", "\xff"},
	{format.NQuads, "", "\n"},
	{format.Turtle, "", "<http://e/s> <http://e/p> [ <http://e/p> ( 1 2 ) ] .\n"},
	{format.Turtle, "<http://e/s> <http://e/p> ", "["},
	{format.Turtle, "<http://e/s> <http://e/p> ", "( "},
	{format.Turtle, "<http://e/s> <http://e/p> ", "[ <http://e/p> "},
	{format.Turtle, "<http://e/s> <http://e/p> ", "<< "},
	{format.Turtle, "<http://e/s> <http://e/p> ", "1 , "},
	{format.Turtle, "<http://e/s> <http://e/p> 1 ", "~ {| <http://e/p> "},
	{format.Turtle, "<http://e/s> <http://e/p> \"\"\"", "x\n"},
	{format.Turtle, "<http://e/s> <http://e/p> ( ", "bad:x "},
	{format.Turtle, "<http://e/s> ", "<http://e/p> "},
	{format.Turtle, "", "; . , ] ) "},
	{format.TriG, "<http://e/g> ", "{ "},
	{format.TriG, "<http://e/g> { ", "<http://e/s> <http://e/p> 1 . "},
	{format.RDFXML, rdfxmlHead, "<rdf:Description><e:p>x</e:p></rdf:Description>\n"},
	{format.RDFXML, rdfxmlHead, "<rdf:Description><e:p>"},
	{format.RDFXML, rdfxmlHead + "<rdf:Description><e:p>", "x"},
	{format.RDFXML, rdfxmlHead + "<rdf:Description ", "e:p='x' "},
	{format.RDFXML, rdfxmlHead + "<rdf:Description>", "</e:p>"},
	{format.RDFXML, rdfxmlHead + "<rdf:Description>", "<e:p"},
	{format.RDFXML, rdfxmlHead + "<!-- ", "x"},
	{format.RDFXML, rdfxmlHead, "<!-- <e:p> "},
	{format.RDFXML, rdfxmlHead, "& < \" "},
	{format.RDFXML, rdfxmlHead + "<e:T><e:p rdf:parseType='Literal'>", "<b>"},
	{format.RDFXML, rdfxmlHead + "<e:T><e:p rdf:parseType='Collection'>", "<e:T/>"},
	{format.RDFXML, "<!DOCTYPE a [", "<!ENTITY a 'b'>"},
	{format.TriX, "<TriX><graph>", "<triple><uri>s</uri><uri>p</uri><id>b</id></triple>\n"},
	{format.TriX, "<TriX>", "<graph><uri>g</uri></graph>"},
	{format.TriX, "<TriX><graph><triple>", "<uri>s</uri>"},
	{format.TriX, "<TriX><graph><triple>", "<triple><uri>s</uri><uri>p</uri>"},
	{format.TriX, "<TriX><graph><triple><uri>s</uri><uri>p</uri>", "<triple><uri>s</uri><uri>p</uri>"},
	{format.TriX, "<TriX><graph><triple><plainLiteral>", "x"},
	{format.TriX, "<TriX><graph>", "text <x xml:base='a/'>"},
	{format.TriX, "<TriX><graph>", "<uri xml:base='a/'>"},
	{format.RDFJSON, `{"http://e/s":{"http://e/p":[`, `{"type":"literal","value":"x"},`},
	{format.RDFJSON, "{", `"http://e/s":{"http://e/p":[{"type":"literal","value":"x"}]},`},
	{format.RDFJSON, `{"http://e/s":{"http://e/p":[{"type":"literal",`, `"value":"x",`},
	{format.RDFJSON, `{"http://e/s":{"http://e/p":[{"type":"literal","more":`, "["},
	{format.RDFJSON, `{"http://e/s":{"http://e/p":[{"type":"literal","value":"`, "x"},
	{format.RDFJSON, "{", " "},
	{format.RDFJSON, "{", "{"},
	{format.RDFJSON, "{", `"`},
	{format.RDFJSON, "", "}"},
	{format.RDFJSON, "{", "a"},
	{format.RDFJSON, `{"a`, `\"`},
	{format.JSONLD, "[", `{"@id":"http://e/s","http://e/p":"x"},`},
	{format.JSONLD, "", "["},
	{format.JSONLD, "", `{"http://e/p":`},
	{format.JSONLD, `{"http://e/p":"`, "x"},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":[`, "1,"},
	{format.JSONLD, `{"@context":{`, `"a":"http://e/a",`},
	{format.JSONLD, "", "}"},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":[`, "{},"},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":[`, `"",`},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":[`, "[],"},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":`, `{"http://e/p":[`},
	{format.JSONLD, `{`, `"http://e/p":"x",`},
	{format.JSONLD, `{"@context":[`, `{"a":"http://e/a"},`},
	{format.JSONLD, `{"@id":"http://e/s","http://e/p":[`, `{"@context":{"a":"http://e/a"},"a":1},`},
	{format.JSONLD, `{"@graph":[`, `{"@id":"http://e/s","http://e/p":"x"},`},
	{format.JSONLD, `{"@graph":[` + "\n", `{"@id":"http://e/s" "http://e/p":"x"},` + "\n"},
	{format.JSONLD, `{"@graph":[`, `{"@id":"http://e/s","http://e/p":["x"},`},
	{format.JSONLD, "", `{"@id":"http://e/s","http://e/p":"x"` + "\n"},
	{format.HTML, "<p property='dc:title'>", "x"},
	{format.HTML, "", "<p property='dc:title'>"},
	{format.HTML, "<p ", "a=b "},
	{format.HTML, "", "<table>"},
}

const rdfxmlHead = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">` + "\n"

func TestEndlessDocumentsTakeBoundedMemory(t *testing.T) {
	const length, memory, most = 2 << 20, 16 << 20, 32 << 20
	for _, c := range endless {
		before := heapInUse()
		from := &repeating{head: c.head, repeat: c.repeat, left: length}
		from.look = func() {
			if used := heapInUse(); used > before+most {
				t.Fatalf("%s, %q and on: %d MB are in use", c.of, c.head+c.repeat, (used-before)>>20)
			}
		}
		first, tally := clean.Chain(clean.Options{HasAnonymous: true}, clean.EachLine(func([]byte) error { return nil }), nil)
		_, err := format.Parse(context.Background(), c.of, from, format.Options{
			Settings: format.Settings{MaxToken: 64 << 10, MaxMemory: memory}, Input: rdf.Input{Base: "http://e/"}}, first)
		tally.Close()
		var stopped *fault.Error
		if err != nil && (!errors.As(err, &stopped) || stopped.Kind != fault.Limit) {
			t.Errorf("%s, %q and on: %v", c.of, c.head+c.repeat, err)
		}
		if tally.Read != tally.Kept+tally.Repaired+tally.Dropped {
			t.Errorf("%s, %q and on: %+v", c.of, c.head+c.repeat, tally)
		}
	}
}

// heapInUse is how many bytes are in use after the garbage is gone.
func heapInUse() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// repeating is a document that repeats itself, and looks around every half megabyte.
type repeating struct {
	head, repeat string
	left, looked int
	look         func()
}

func (r *repeating) Read(p []byte) (int, error) {
	if r.head == "" {
		r.head = strings.Repeat(r.repeat, 1+(4<<10)/len(r.repeat))
	}
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, r.head)
	r.head = r.head[n:]
	r.left -= n
	if r.looked += n; r.looked >= 512<<10 {
		r.looked = 0
		r.look()
	}
	return n, nil
}
