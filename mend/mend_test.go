package mend_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/mend"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// washed is what a document washes to, and the repairs that were made.
type washed struct {
	lines   string
	repairs map[fault.Code]int64
	lost    int
	list    *mend.List
}

func wash(t *testing.T, name, text string) washed {
	t.Helper()
	of, err := format.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	w := washed{repairs: map[fault.Code]int64{}, list: mend.NewList(t.TempDir())}
	t.Cleanup(func() { w.list.Close() })
	var lines strings.Builder
	first, tally := clean.Chain(clean.Options{KeepBlankNodes: true, ReadStray: rdftest.ReadLatin, HasAnonymous: of != format.NTriples &&
		of != format.NQuads}, clean.EachLine(
		func(line []byte) error {
			lines.Write(clean.AppendWithKey(nil, line, "0"))
			lines.WriteByte('\n')
			return nil
		}),

		func(n fault.Notice) {
			w.list.Notice(n)
			if w.lost += n.Lost; n.Severity == fault.Repair {
				w.repairs[n.Code]++
			}
		})

	if _, err := format.Parse(context.Background(), of, strings.NewReader(text),
		format.Options{Input: rdf.Input{Base: "http://e/doc", Edits: true}}, first); err != nil {
		t.Fatal(err)
	}
	tally.Close()
	w.lines = lines.String()
	return w
}

// patched lets the program patch apply a diff.
func patched(t *testing.T, before, diff string) string {
	t.Helper()
	program, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("the program patch is not here")
	}
	file := filepath.Join(t.TempDir(), "doc")
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program, "--posix", "-s", "--fuzz=0", file)
	run.Stdin = strings.NewReader(diff)
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("patch: %v\n%s\n%s", err, out, diff)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sum(counts map[fault.Code]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// mended makes the diff of a text and applies it in both ways, which must agree.
func mended(t *testing.T, w washed, name, text string) (string, *mend.Edits, string) {
	t.Helper()
	edits, err := w.list.Edits(context.Background(), strings.NewReader(text), mend.Source{Format: name, Base: "http://e/doc"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(edits.Close)
	var diff, direct bytes.Buffer
	if err := edits.WriteDiff(&diff, strings.NewReader(text), mend.Diff{Name: "doc"}); err != nil {
		t.Fatal(err)
	}
	applied, err := edits.Apply(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := direct.ReadFrom(applied); err != nil {
		t.Fatal(err)
	}
	after := text
	if sum(edits.Made()) > 0 {
		after = patched(t, text, diff.String())
	}
	if after != direct.String() {
		t.Fatalf("%s\n%q\nis patched to %q, but the edits make %q\n%s", name, text, after, direct.String(), diff.String())
	}
	return after, edits, diff.String()
}

// unwritten are the examples of the table of repairs that no edit is made of.
var unwritten = map[fault.Code]int{
	fault.BlankNodeLabel: 1, fault.SyntaxGraphInTriples: 2, fault.JSONContextNotAvailable: 1, fault.JSONSeveral: 1, fault.XMLCutShort: 1,
	fault.XMLSeveralRoots: 1, fault.BlankNodeIRI: 2, fault.XMLControl: 1, fault.XMLBadName: 2,
	fault.MicrodataValue:  1,
	fault.ScriptMarkup:    1, // the tags may be many, and anywhere in it
	fault.RDFXMLMisspelt:  3, // the name of an element is in two tags, and a prefix may be another
	fault.RDFXMLBadID:     1, // the one of a node's label: another would be another node
	fault.SyntaxZeroBytes: 2,
	fault.JSONQuotes:      2, // all marks of a document are of another kind, which an editor replaces at once
	// Those of TriX and RDF/JSON, of whose syntax no edit is made.
	fault.TriXName: 1, fault.TriXNamespace: 2, fault.TriXEmptyName: 1, fault.IRIRelativeInLine: 1, fault.RDFJSONArray: 1,
	fault.RDFJSONType: 3, fault.RDFJSONValue: 1, fault.RDFJSONMember: 1,
}

func TestEachRepairIsWrittenOrLeftWithAReason(t *testing.T) {
	left := map[fault.Code]int{}
	for _, kind := range fault.Repairs() {
		for _, e := range kind.Examples {
			before := wash(t, e.Format, e.Before)
			text, edits, diff := mended(t, before, e.Format, e.Before)
			if got := sum(edits.Made()) + sum(edits.Left()); got != sum(before.repairs) {
				t.Errorf("%s: %d repairs of %d are accounted for", kind.Code, got, sum(before.repairs))
			}
			if sum(edits.Made()) == 0 {
				left[kind.Code]++
				if edits.Why(kind.Code) == "" || !strings.Contains(diff, "# not here: 1 × "+string(kind.Code)+": ") {
					t.Errorf("%s is left without a word:\n%s", kind.Code, diff)
				}
				continue
			}
			after := wash(t, e.Format, text)
			if after.lines != e.After || len(after.repairs) > 0 {
				t.Errorf("%s %s\n%s\n%q\nwashes to %q, not %q, with the repairs %v", kind.Code, e.Format, diff, text, after.lines, e.After,
					after.repairs)
			}
		}
	}
	if !maps.Equal(left, unwritten) {
		t.Errorf("no edit is made of %v", left)
	}
}

// TestSlipsAreWrittenAsMeant has texts of which the edits are known.
func TestSlipsAreWrittenAsMeant(t *testing.T) {
	const turtle, xml = "@prefix ex: <http://e/> .\n",
		"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">"
	for _, test := range []struct{ format, before, after string }{
		{"Turtle", turtle + "ex:a ex:p ex:d .\nex:a ex:p ex:b ,\nex:c ex:p ex:d .\n", turtle +
			"ex:a ex:p ex:d .\nex:a ex:p ex:b .\nex:c ex:p ex:d .\n"},
		{"Turtle", "@prefix ex: <http://e/> ;\nex:a ex:p ex:b .\n", turtle + "ex:a ex:p ex:b .\n"},
		{"Turtle", "@PREFIX ex: <http://e/> .\nex:a ex:p ex:b .\n", turtle + "ex:a ex:p ex:b .\n"},
		{"Turtle", "@prefix ex <http://e/> .\nex:a ex:p ex:b .\n", turtle + "ex:a ex:p ex:b .\n"},
		{"Turtle", "@prefix ex: \"http://e/\" .\nex:a ex:p ex:b .\n", turtle + "ex:a ex:p ex:b .\n"},
		{"Turtle", "PREFIX ex: <http://e/> .\nex:a ex:p ex:b .\n", "PREFIX ex: <http://e/> \nex:a ex:p ex:b .\n"},
		{"Turtle", turtle + "ex:a ex:p ex:b\nex:c ex:p ex:d .\n", turtle + "ex:a ex:p ex:b .\nex:c ex:p ex:d .\n"},
		{"Turtle", turtle + "ex:a ex:p ex:b # one\nex:c ex:p ex:d .\n", turtle + "ex:a ex:p ex:b . # one\nex:c ex:p ex:d .\n"},
		{"Turtle", turtle + "ex:a ex:p ex:b . .\nex:c ex:p ex:d .\n", turtle + "ex:a ex:p ex:b . \nex:c ex:p ex:d .\n"},
		{"Turtle", turtle + "ex:a ex:p ex:b ;\n  ex:q ex:c ;\nex:c ex:p ex:d .\n", turtle +
			"ex:a ex:p ex:b ;\n  ex:q ex:c ; .\nex:c ex:p ex:d .\n"},
		{"Turtle", turtle + "ex:a ex:p ex:b ;\n  a ex:C", turtle + "ex:a ex:p ex:b ;\n  a ex:C"},
		{"Turtle", turtle + "ex:a ex:p \"b\"\r\n", turtle + "ex:a ex:p \"b\" .\r\n"},
		{"Turtle", "foaf:a foaf:name \"b\" .\r\n", "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\r\nfoaf:a foaf:name \"b\" .\r\n"},
		{"TriG", turtle + "ex:g { ex:a ex:p ex:b .\nex:c ex:p ex:d .\n", turtle + "ex:g { ex:a ex:p ex:b .\nex:c ex:p ex:d . }\n"},
		{"TriG", turtle + "ex:g = { ex:a ex:p ex:b }\n", turtle + "ex:g  { ex:a ex:p ex:b }\n"},
		{"N-Triples", "<http://e/s> <http://e/p> <http://e/o>\n", "<http://e/s> <http://e/p> <http://e/o> .\n"},
		{"N-Quads", "<http://e/s> <http://e/p> \"o\" <http://e/g>\n.\n", "<http://e/s> <http://e/p> \"o\" <http://e/g> .\n\n"},
		{"RDF/XML", "<?xml version=\"1.0\">\n" + xml + "<rdf:Description rdf:about=\"s\"><e:p>a</e:p></rdf:Description></rdf:RDF>",
			"<?xml version=\"1.0\"?>\n" + xml + "<rdf:Description rdf:about=\"s\"><e:p>a</e:p></rdf:Description></rdf:RDF>"},
		{"RDF/XML", xml + "<rdf:Description rdf:about=s><e:p>a</e:p></rdf:Description></rdf:RDF>",
			xml + "<rdf:Description rdf:about=\"s\"><e:p>a</e:p></rdf:Description></rdf:RDF>"},
		{"RDF/XML", xml + "<rdf:Description rdf:about=“s”><e:p>a</e:p></rdf:Description></rdf:RDF>",
			xml + "<rdf:Description rdf:about=\"s\"><e:p>a</e:p></rdf:Description></rdf:RDF>"},
		{"RDF/XML", xml + "<rdf:Description rdf:about=\"s\"><e:p>a</e:P></rdf:Description></rdf:RDF>",
			xml + "<rdf:Description rdf:about=\"s\"><e:p>a</e:p></rdf:Description></rdf:RDF>"},
		{"RDF/XML", xml + "<rdf:Description / rdf:about=\"s\"><e:p>a ]]> b</e:p></rdf:Description></rdf:RDF>",
			xml + "<rdf:Description   rdf:about=\"s\"><e:p>a ]]&gt; b</e:p></rdf:Description></rdf:RDF>"},
		{"JSON-LD", "{\"@graph\":[{\"@id\":\"s\",\"http://e/p\":1},\n]}", "{\"@graph\":[{\"@id\":\"s\",\"http://e/p\":1}\n]}"},
		{"JSON-LD", "{\"@id\":\"s\",\n\"http://e/p\":[1,2,],}", "{\"@id\":\"s\",\n\"http://e/p\":[1,2]}"},
		{"JSON-LD", "{\"@id\":\"s\"\n\"http://e/p\":[1,2];\"http://e/q\":3}", "{\"@id\":\"s\",\n\"http://e/p\":[1,2],\"http://e/q\":3}"},
		{"JSON-LD", "{\"@id\":\"s\",\n\"http://e/p\":[\"a\",\"b\"}}", "{\"@id\":\"s\",\n\"http://e/p\":[\"a\",\"b\"]}"},
		{"JSON-LD", "{\"@id\":\"s\",\n'http://e/p':{\"@id\":\"a\"}}", "{\"@id\":\"s\",\n\"http://e/p\":{\"@id\":\"a\"}}"},
	} {
		got, edits, diff := mended(t, wash(t, test.format, test.before), test.format, test.before)
		if got != test.after {
			t.Errorf("%s\n%q\nbecomes\n%q, not\n%q\n%v left\n%s", test.format, test.before, got, test.after, edits.Left(), diff)
		}
	}
}

// TestWrittenRepairsAreRight holds the edits to what they are for, wherever a repair is. The text needs no repair any
// more but those that are left, and says what it was read as before.
func TestWrittenRepairsAreRight(t *testing.T) {
	wrong, all := map[fault.Code]int{}, map[string]int{}
	for _, kind := range fault.Repairs() {
		for _, given := range kind.Examples {
			for _, e := range inKin(given) {
				for _, text := range variations(e.Format, e.Before) {
					before := wash(t, e.Format, text)
					after, edits, diff := mended(t, before, e.Format, text)
					if n := sum(edits.Made()) + sum(edits.Left()); n != sum(before.repairs) {
						t.Errorf("%s %s %q: %d repairs of %d are accounted for", kind.Code, e.Format, text, n, sum(before.repairs))
					}
					if sum(edits.Made()) == 0 || before.lost > 0 { // what was lost may be there again
						continue
					}
					all[e.Format]++
					again := wash(t, e.Format, after)
					isRight := again.lines == before.lines
					for code, n := range again.repairs {
						isRight = isRight && n <= before.repairs[code]-edits.Made()[code]
					}
					if !isRight {
						wrong[kind.Code]++
						t.Logf("%s %s\n%s\n%q\nwashes to %q, not %q, with the repairs %v", kind.Code, e.Format, diff, after, again.lines,
							before.lines, again.repairs)
					}
				}
			}
		}
	}
	t.Logf("texts: %v", all)
	if len(wrong) > 0 {
		t.Errorf("edits are wrong in %v", wrong)
	}
}

// inKin are an example and the same text in formats that hold its own.
func inKin(e fault.Example) []fault.Example {
	all := []fault.Example{e}
	switch e.Format {
	case "N-Triples":
		all = append(all, fault.Example{Format: "N-Quads", Before: e.Before}, fault.Example{Format: "Turtle", Before: e.Before})
	case "Turtle":
		all = append(all, fault.Example{Format: "TriG", Before: e.Before}, fault.Example{Format: "N3", Before: e.Before})
	case "JSON-LD":
		all = append(all, fault.Example{Format: "HTML",
			Before: "<!DOCTYPE html>\n<title>t</title>\n<script type=\"application/ld+json\">\n" + e.Before + "\n</script>\n"})
	case "RDFa":
		all = append(all, fault.Example{Format: "HTML", Before: e.Before})
	}
	return all
}

// variations are texts with the same repair: with other line ends, without the last, after empty lines, indented,
// and several in one document.
func variations(format, text string) []string {
	all := []string{
		text, strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimRight(text, "\n"), "\n\n" + text,
		strings.ReplaceAll(text, "\n", "\n  "), strings.ReplaceAll(text, " ", "  "),
	}
	switch format {
	case "N-Triples", "N-Quads", "Turtle", "TriG":
		all = append(all, strings.Repeat(text, 3), "# caf\u00e9 \U0001F600\n"+text)
	case "JSON-LD":
		all = append(all, "["+text+",\n"+text+"]")
	case "RDF/XML", "TriX", "HTML", "RDFa":
		all = append(all, "<!-- caf\u00e9 \U0001F600 -->\n"+text)
	}
	return all
}

// However broken a text is, patch makes of it what the edits make of it, and every
// repair is accounted for.
func FuzzPatchAgreesWithTheEdits(f *testing.F) {
	for _, kind := range fault.Repairs() {
		for _, e := range kind.Examples {
			f.Add(e.Format, e.Before)
			f.Add(e.Format, strings.Repeat(e.Before, 5))
			f.Add(e.Format, strings.ReplaceAll(e.Before, "\n", "\r\n"))
			f.Add(e.Format, strings.TrimSpace(e.Before)+strings.Repeat("\n", 9)+e.Before)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if of, err := format.Named(name); err != nil || string(of) != name {
			t.Skip()
		}
		w := wash(t, name, text)
		_, edits, diff := mended(t, w, name, text)
		if all, made := edits.Sums(); all != sum(w.repairs) || made > all {
			t.Errorf("%d repairs, %d accounted for, %d of them as edits\n%s", sum(w.repairs), all, made, diff)
		}
	})
}
