package format_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// labelled writes documents whose statements name blank nodes with labels that no grammar foresees.
// The n-th says of its node, in plain strings, the number n, and that it is itself. The format allows
// signs in a label in addition to letters and digits, first what it may begin with.
var labelled = []struct {
	of           format.Format
	first, signs string
	head, foot   string
	// statement has %[1]s for the label and %[2]d for the number.
	statement string
	escape    func(label string) string
}{
	{of: format.NTriples, first: ":%/+$!&=*._-", signs: ":%/~+$!&=*._-é·",
		statement: "_:%[1]s <http://e/n> \"%[2]d\" .\n_:%[1]s <http://e/is> _:%[1]s .\n"},
	{of: format.NQuads, first: ":%/+$!&=*._-", signs: ":%/~+$!&=*._-é·",
		statement: "_:%[1]s <http://e/n> \"%[2]d\" .\n_:%[1]s <http://e/is> _:%[1]s .\n"},
	{of: format.Turtle, first: "%/+$!&=*._-", signs: "%/+$!&=*._-é·",
		statement: "_:%[1]s <http://e/n> \"%[2]d\" .\n_:%[1]s <http://e/is> _:%[1]s .\n"},
	{of: format.TriG, first: "%/+$!&=*._-", signs: "%/+$!&=*._-é·", head: "{\n", foot: "}\n",
		statement: "_:%[1]s <http://e/n> \"%[2]d\" .\n_:%[1]s <http://e/is> _:%[1]s .\n"},
	{of: format.RDFXML, first: ":%/~?#[{'\"<>&;,._-", signs: " :%/~?#[{'\"<>&;,._-é", escape: html.EscapeString,
		head:      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n",
		statement: "<rdf:Description rdf:nodeID=\"%[1]s\"><e:n>%[2]d</e:n><e:is rdf:nodeID=\"%[1]s\"/></rdf:Description>\n",
		foot:      "</rdf:RDF>\n"},
	{of: format.TriX, first: ":%/~?#[{'\"<>&;,._-", signs: " :%/~?#[{'\"<>&;,._-é", escape: html.EscapeString,
		head: "<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\"><graph>\n",
		statement: "<triple><id>%[1]s</id><uri>http://e/n</uri><plainLiteral>%[2]d</plainLiteral></triple>\n" +
			"<triple><id>%[1]s</id><uri>http://e/is</uri><id>%[1]s</id></triple>\n", foot: "</graph></TriX>\n"},
	{of: format.RDFJSON, first: ":%/~?#[{'\"<>&;,_-", signs: " :%/~?#[{'\"<>&;,._-é", escape: inJSON,
		head:      "{\"http://e/s\":{\"http://e/p\":[{\"type\":\"literal\",\"value\":\"x\"}]}",
		statement: ",\n\"_:%[1]s\":{\"http://e/n\":[{\"type\":\"literal\",\"value\":\"%[2]d\"}],\"http://e/is\":[{\"type\":\"bnode\",\"value\":\"_:%[1]s\"}]}",
		foot:      "}\n"},
	{of: format.JSONLD, first: " :%/~?#[{'\"<>&;,._-", signs: " :%/~?#[{'\"<>&;,._-é\x01", escape: inJSON,
		head:      "{\"@graph\":[{}",
		statement: ",\n{\"@id\":\"_:%[1]s\",\"http://e/n\":\"%[2]d\",\"http://e/is\":{\"@id\":\"_:%[1]s\"}}", foot: "]}\n"},
	{of: format.RDFa, first: ":%/~?#[{'\"<>&;,._-", signs: " :%/~?#[{'\"<>&;,._-é", escape: html.EscapeString,
		head:      "<!DOCTYPE html><html prefix=\"e: http://e/\"><body>\n",
		statement: "<p about=\"[_:%[1]s]\"><b property=\"e:n\">%[2]d</b><a rel=\"e:is\" resource=\"[_:%[1]s]\"></a></p>\n",
		foot:      "</body></html>\n"},
}

func inJSON(label string) string {
	text, _ := json.Marshal(label)
	return string(text[1 : len(text)-1])
}

// labels makes labels, each once. They are what writers of many kinds make, what has the shape of
// names made here, and signs in any order.
func labels(random *rand.Rand, first, signs string) (all []string) {
	const sound = "0123456789abxX_"
	seen := map[string]bool{}
	made := []func() string{
		func() string { // any signs
			label := string(pick(random, first+sound))
			for range random.IntN(6) {
				label += string(pick(random, signs+sound))
			}
			return label
		},
		func() string { return fmt.Sprintf("%s-%d", strings.Repeat("0", 1+random.IntN(3)), random.IntN(12)) },
		func() string { return fmt.Sprintf("a.%02X_b", pick(random, first)) },
		func() string { return "a" + string(pick(random, first)) + "b" },
	}
	for len(all) < 20 {
		label := made[random.IntN(len(made))]()
		if n := len(all); n > 0 && random.IntN(3) == 0 { // the code of another
			other := all[random.IntN(n)]
			label = []string{
				fmt.Sprintf("%s-x%x", strings.Repeat("0", 1+random.IntN(3)), other),
				strings.NewReplacer(":", "%3A", "/", "%2F", "-", "%2D").Replace(other), "0" + other,
			}[random.IntN(3)]
		}
		if label = strings.TrimSpace(strings.TrimRight(label, ".")); label == "" || seen[label] || strings.ContainsAny(label, "%") &&
			!strings.Contains(signs, "%") {
			continue
		}
		if strings.Trim(label, ".") == "" || !strings.ContainsRune(first+sound, []rune(label)[0]) {
			continue
		}
		seen[label] = true
		all = append(all, label)
	}
	return all
}

func pick(random *rand.Rand, from string) rune {
	runes := []rune(from)
	return runes[random.IntN(len(runes))]
}

var saysNumber = regexp.MustCompile(`^(\S+) <http://e/n> "(\d+)" \.$`)

// There are 200 documents in each format, each with twenty labels. Every statement is kept and every
// node has its own name, in both ways of writing blank nodes, and joined to what came out.
func TestLabelsStayApartInEveryFormat(t *testing.T) {
	for _, l := range labelled {
		random := rand.New(rand.NewPCG(1, uint64(len(l.of))))
		t.Run(string(l.of), func(t *testing.T) {
			for range 200 {
				all := labels(random, l.first, l.signs)
				var b strings.Builder
				b.WriteString(l.head)
				for n, label := range all {
					if l.escape != nil {
						label = l.escape(label)
					}
					fmt.Fprintf(&b, l.statement, label, n)
				}
				b.WriteString(l.foot)
				holdLabelsApart(t, l.of, b.String(), len(all))
				if t.Failed() {
					return
				}
			}
		})
	}
}

func holdLabelsApart(t *testing.T, of format.Format, text string, labels int) {
	t.Helper()
	isLines := of == format.NTriples || of == format.NQuads
	for _, how := range []clean.Options{{HasAnonymous: !isLines}, {HasAnonymous: !isLines, KeepBlankNodes: true},
		{HasAnonymous: !isLines, KeepBlankNodes: true, JoinedDocuments: true}} {
		w := readLabelled(t, how, of, text)
		nameEach(t, w.lines, text, labels)
		for _, n := range w.notices {
			if n.Severity == fault.Drop || n.Severity == fault.Repair && n.Code != fault.BlankNodeLabel && n.Code != fault.RDFXMLBadID {
				t.Errorf("%s: %s %s: %s\n%s", of, n.Severity, n.Code, n.Excerpt, text)
			}
		}
		out := strings.Join(w.lines, "\n") + "\n"
		how.HasAnonymous, how.JoinedDocuments = false, false
		again := readLabelled(t, how, format.NQuads, out)
		if got := strings.Join(again.lines, "\n") + "\n"; got != out || len(again.notices) > 0 {
			t.Errorf("%s: %s washes to %s: %s", of, out, got, again.found())
		}
		if !isLines || !how.KeepBlankNodes {
			continue
		}
		// The nodes of the one are none of the other but where the label is the same.
		for _, both := range []string{text + out, out + text} {
			joined := readLabelled(t, how, of, both)
			names, of := map[string]string{}, map[string]string{}
			for i, line := range strings.Split(strings.TrimSuffix(both, "\n"), "\n") {
				label, _, _ := strings.Cut(line, " ")
				name, _, _ := strings.Cut(joined.lines[i], " ")
				if other, known := names[label]; known && other != name {
					t.Fatalf("%s became %s and %s in\n%s", label, other, name, both)
				}
				if other, known := of[name]; known && other != label {
					t.Fatalf("%s and %s became %s in\n%s", label, other, name, both)
				}
				names[label], of[name] = name, label
			}
		}
	}
}

func readLabelled(t *testing.T, how clean.Options, of format.Format, text string) lawful {
	t.Helper()
	w, err := washLawfully(how, of, format.Options{}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// nameEach finds the name of each node, and that it is itself.
func nameEach(t *testing.T, lines []string, text string, labels int) {
	t.Helper()
	numbers, is := map[string]string{}, map[string]bool{}
	for _, line := range lines {
		if m := saysNumber.FindStringSubmatch(line); m != nil {
			if other, known := numbers[m[1]]; known {
				t.Fatalf("nodes %s and %s are both %s in\n%s", other, m[2], m[1], text)
			}
			numbers[m[1]] = m[2]
		} else if name, _, _ := strings.Cut(line, " "); line == name+" <http://e/is> "+name+" ." {
			is[name] = true
		}
	}
	if len(numbers) != labels || len(is) != labels {
		t.Errorf("%d nodes, %d of which are themselves, instead of %d, in\n%s%s", len(numbers), len(is), labels, text,
			strings.Join(lines, "\n"))
	}
	for name := range numbers {
		if !is[name] {
			t.Errorf("%s is not itself in\n%s", name, text)
		}
	}
}
