package format_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/peer"
)

var update = flag.Bool("update", false, "write docs/formats.md")

const (
	page     = "../../docs/formats.md"
	pageHead = `# What a document is recognised as

Before a document is read, its first bytes say what it is: a format of RDF, or what else. No name
and no header are needed for that. Both only decide what the content leaves open, and are kept as
evidence in the record, with how far each can be trusted (` + "`format_evidence`" + `). A Content-Type that the content
refutes gives the finding ` + "`http/content-type`" + `. What is no RDF ends with the error ` + "`format/not-rdf`" + `, which says what it
is. A document of white space and comments alone is read, and has no statements (` + "`format/empty`" + `).

Of the documents of the conformance suites, all that are not to be refused, 2,203 of 2,204 are
read as what they are without any hint, which means: with the same statements, and the same
losses, as in their true format. The one that is not is an XML document that uses no word of RDF, and so
is RDF/XML by its header alone. Of the documents that the benchmarks make, of 10 kB to 1 MB in six formats, all are.

    go test -v ./rdf/conformance -run AreReadAsWhatTheyAre

A guess that is in doubt is tried: the first 64 kB are read in that format, and if hardly anything can be read, in
the next that it may be. One that can be read is taken, and the evidence has an entry ` + "`trial`" + ` with the counts of both. Lines
turn into Turtle or TriG where they prove to be, whatever was guessed.

The samples of this table are recognised by their content. The last columns have what two other programs make
of the same files when the format is not given: rapper guesses by the content (` + "`rapper -g`" + `), riot by the
extension. Their cells hold how many statements they wrote, and whether they found a fault. A cell is empty
where the program was not at hand. The riot asked is that of Debian, which lacks a part that it needs for JSON-LD 1.1.

    go test ./rdf/format -run TestPageOfFormatsIsUpToDate            # compares the first three columns
    go test ./rdf/format -run TestPageOfFormatsIsUpToDate -update    # writes this page

`
)

// The page says what the samples are recognised as. What other programs say is written with -update alone.
func TestPageOfFormatsIsUpToDate(t *testing.T) {
	rows := make([]string, len(samples))
	answers := make([]string, len(samples))
	if *update {
		askOthers(t, answers)
	}
	for i := range samples {
		rows[i] = fmt.Sprintf("| %s | `%s` | %s |", samples[i].what, samples[i].file, samples[i].want)
	}
	if *update {
		var b strings.Builder
		b.WriteString(pageHead)
		b.WriteString("| document | file | recognised as | rapper -g | riot |\n|---|---|---|---|---|\n")
		for i, row := range rows {
			b.WriteString(row + answers[i] + "\n")
		}
		b.WriteString(pageFoot)
		b.WriteString(microformatsOf(t))
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table, _, ok := strings.Cut(string(text), pageFoot)
	if !ok || !strings.HasPrefix(table, pageHead) {
		t.Error("the page has another text: write it anew with -update")
	}
	for _, row := range rows {
		if !strings.Contains(string(text), "\n"+row) {
			t.Errorf("not in the page: %s", row)
		}
	}
	if n := strings.Count(table, "\n| ") - 1; n != len(rows) {
		t.Errorf("%d rows in the page, %d samples", n, len(rows))
	}
}

const pageFoot = `
What is recognised as a format that is not read is only named. So is XML of another language that has descriptions in RDF
within (Atom, METS, OAI-PMH, SBML, XMP), and text that shows some Turtle to people (LaTeX, AsciiDoc, Markdown, scripts). Metadata of CSVW is JSON-LD. SPARQL results in
CSV are CSV. A language of ontologies in a file of RDF (OWL functional) is never read as the part of it
that looks like Turtle. Of N3 the facts are read: each statement with a formula or a variable is lost, and counted as one. Documents of office programs and electronic books are ZIPs; they are recognised by their first entry or their
list of types, and not unpacked. JSON without a keyword of JSON-LD is JSON-LD where the names of all its members are absolute IRIs, since
its statements are those that JSON-LD gives it; where only some are, these are addresses of which something is listed, and it is
JSON, unless the header or the extension says JSON-LD. Lines of three or four terms of N-Triples are such also where their dots are missing; each
is the repair ` + "`syntax/missing-dot`" + `. The DTD of TriX allows nothing but text within a ` + "`typedLiteral`" +
	`; XML there whose datatype is rdf:XMLLiteral, as
Jena writes it, is read all the same (` + "`syntax/trix-foreign`" + `).
`

// microformatsOf is the section of the page that a test of rdf/microformats writes.
func microformatsOf(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## Microformats\n")
	if !ok {
		t.Fatal("the page has no section on microformats")
	}
	return "\n## Microformats\n" + section
}

// askOthers has rapper and riot read the samples, untold of the format.
func askOthers(t *testing.T, answers []string) {
	t.Helper()
	ctx := context.Background()
	found, missing, err := peer.Find(ctx, t.TempDir(), "rapper", "riot")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(missing)
	folder := t.TempDir()
	for i := range samples {
		s := &samples[i]
		in, made := s.bytes(t)
		if err := os.WriteFile(filepath.Join(folder, s.file), in, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"rapper", "riot"} {
			cell := ""
			for _, p := range found {
				if p.Name == name && made {
					cell = answerOf(t, p, filepath.Join(folder, s.file))
				}
			}
			answers[i] += " " + cell + " |"
		}
	}
	for _, p := range found {
		p.Close()
	}
}

func answerOf(t *testing.T, p *peer.Peer, file string) string {
	t.Helper()
	a, err := p.Read(context.Background(), "", file, "http://e/doc", 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	faults := false
	for line := range strings.Lines(a.Error) {
		line = strings.TrimPrefix(line, "rapper: ")
		faults = faults || !strings.HasPrefix(line, "Parsing ") && !strings.HasPrefix(line, "Serializing ") &&
			!strings.HasPrefix(line, "Guessed ")
	}
	n := strings.Count(a.Quads, "\n")
	switch {
	case a.Stopped:
		return "no end"
	case faults && n == 0:
		return "refused"
	case faults:
		return fmt.Sprintf("%d, and faults", n)
	}
	return fmt.Sprint(n)
}
