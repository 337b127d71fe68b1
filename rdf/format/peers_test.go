package format_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/corpus"
	"laundromat/internal/testkit/peer"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// What rapper writes as RDF/JSON says, in our reading, what it was made of.
func TestRDFJSONOfRapperSaysWhatItWasMadeOf(t *testing.T) {
	rapper, err := exec.LookPath("rapper")
	if err != nil {
		t.Skip("skipped: no rapper")
	}
	var lines bytes.Buffer
	if err := corpus.Write(&lines, corpus.NTriples, 1, 500); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(rapper, "-q", "-i", "ntriples", "-o", "json", "-O", "-", "-", "http://e/")
	command.Stdin = bytes.NewReader(lines.Bytes())
	made, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	want, _ := read(t, format.NTriples, lines.Bytes(), "", false)
	got, _ := read(t, format.RDFJSON, made, "", false)
	if len(got.Notices) > 0 || !rdftest.Isomorphic(got.Quads, want.Quads) {
		t.Errorf("%d statements of %d, %+v", len(got.Quads), len(want.Quads), got.Notices)
	}
}

// Sound documents of TriX and RDF/JSON say to riot what they say to us.
func TestRiotReadsTriXAndRDFJSONAsWeDo(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: riot is slow to start")
	}
	ctx := context.Background()
	found, missing, err := peer.Find(ctx, t.TempDir(), "riot")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Skip("skipped:", missing)
	}
	defer found[0].Close()
	const head, foot = `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>`, `</graph></TriX>`
	const s, p = `<triple><uri>http://e/s</uri>`, `<uri>http://e/p</uri>`
	for _, test := range []struct {
		of format.Format
		in string
	}{
		{format.TriX, head + s + p + `<plainLiteral>a &amp; &lt; b
c</plainLiteral></triple>` + foot},
		{format.TriX, head + `<uri>http://e/g</uri>` + s + p + `<plainLiteral xml:lang="en">x</plainLiteral></triple><triple><id>b</id>` +
			p + `<id>b</id></triple>` + foot},
		{format.TriX, head + `<id>g</id>` + s + p +
			`<typedLiteral datatype="http://www.w3.org/2001/XMLSchema#integer">1</typedLiteral></triple>` + foot},
		{format.TriX, `<trix xmlns="http://www.w3.org/2004/03/trix/trix-1/" xmlns:e="http://e/"><graph><triple><qname>e:s</qname><qname>e:p</qname><qname>e:o</qname></triple></graph><graph/></trix>`},
		{format.TriX, head + s + p + `<plainLiteral></plainLiteral></triple><!-- x -->` + s + p +
			`<plainLiteral><![CDATA[<x>]]>y</plainLiteral></triple>` + foot},
		{format.RDFJSON, `{}`},
		{format.RDFJSON, `{"http://e/s": {"http://e/p": [{"type": "literal", "value": "a\n\u00e9\ud83d\ude00\"\\"}, {"type": "uri", "value": "http://e/o"}, {"type": "bnode", "value": "_:b"}]}, "_:b": {"http://e/p": [{"value": "x", "lang": "en", "type": "literal"}]}}`},
		{format.RDFJSON, `{"http://e/s": {"http://e/p": [{"type": "literal", "value": "1", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}, {"type": "literal", "value": "", "datatype": "http://www.w3.org/2001/XMLSchema#string"}]}}`},
	} {
		file := filepath.Join(t.TempDir(), "doc")
		if err := os.WriteFile(file, []byte(test.in), 0o600); err != nil {
			t.Fatal(err)
		}
		answer, err := found[0].Read(ctx, string(test.of), file, "http://e/doc", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		theirs, _ := read(t, format.NQuads, []byte(answer.Quads), "", false)
		ours, _ := read(t, test.of, []byte(test.in), "http://e/doc", false)
		if answer.Error != "" || ours.Worst() > fault.Note || !rdftest.Isomorphic(ours.Quads, theirs.Quads) {
			t.Errorf("%s\n%s\nours %q %v\nriot %q %s", test.of, test.in, ours.Lines(), ours.Notices, answer.Quads, answer.Error)
		}
	}
}
