package peers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	others "laundromat/internal/testkit/peer"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// judged is a term, and what is found in it here.
type judged struct {
	line     string
	kind     string // "literal", "IRI", "tag"
	text     string
	datatype string // its local name
	codes    []fault.Code
}

// wrong says that the term is not right: of literals, not in the lexical space of the
// datatype; of the others, that anything is reported.
func (j *judged) wrong() bool {
	if j.kind == "literal" {
		return slices.Contains(j.codes, fault.LiteralIllTyped)
	}
	return len(j.codes) > 0
}

func judgedTerms(t *testing.T) (all []judged) {
	lines := generatedTerms(2000)
	text := []byte(strings.Join(lines, "\n") + "\n")
	codes := map[int64][]fault.Code{}
	checks, tally := clean.Chain(clean.Options{KeepBlankNodes: true}, clean.EachLine(func([]byte) error { return nil }),
		func(n fault.Notice) { codes[n.Line] = append(codes[n.Line], n.Code) })

	var terms rdftest.Collector
	for _, sink := range []rdf.Sink{&terms, checks} {
		if _, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{}, ttl.Options{Syntax: ttl.NTriples},
			sink); err != nil {
			t.Fatal(err)
		}
	}
	tally.Close()
	if len(terms.Quads) != len(lines) {
		t.Fatalf("%d statements of %d lines", len(terms.Quads), len(lines))
	}
	for i, line := range lines {
		o := &terms.Quads[i].Object
		j := judged{line: line, kind: "IRI", text: string(o.Value), codes: codes[int64(i+1)]}
		switch {
		case len(o.Language) > 0:
			j.kind, j.text = "tag", string(o.Language)
		case o.Kind == rdf.Literal:
			j.kind, j.datatype = "literal", strings.TrimPrefix(string(o.Datatype), rdf.XSD)
		}
		all = append(all, j)
	}
	return all
}

// judgements are the differences between what is found here and by others. They are for terms whose
// kind or datatype, with what is said here ("right" or "wrong") and the text, matches the pattern.
var judgements = []struct{ judge, pattern, why string }{
	{"riot", `(byte|int|integer|long|short|\w+Integer|unsigned\w+|decimal|double|float|boolean|hexBinary|base64Binary|date|dateTime|dateTimeStamp|time|g\w+|\w*[dD]uration|language|N\w+) wrong ( .*|.* )`,
		"ours, RDF 1.1 Concepts §3.3 and §5.1: the lexical form itself is in the lexical space or not; white space is XML Schema's affair"},
	{"riot", `(double|float) right \+INF`,
		"ours, XSD 1.1 Part 2 §3.3.4.2 and §3.3.5.2: +INF is a numericalSpecialRep; XSD 1.0 had none"},
	{"riot", `duration right .*T.*\.\d+S`,
		"ours, XSD 1.1 Part 2 §3.3.6.2, duSecondFrag: any unsignedDecimalPtNumeral; riot ends with an exception"},
	{"rdflib", `(g\w+|dateTimeStamp|N\w+|language) right .*`, "ours: rdflib has no value for these types"},
	{"rdflib", `\w+ right .*`, "ours, XSD 1.1 Part 2 §3.3 and §3.4: the Python type behind the datatype holds less"},
	{"rdflib", `\w+ wrong .*`,
		"ours, XSD 1.1 Part 2 §3.3 and §3.4: rdflib asks a Python type, which takes other forms and knows no bounds"},
	{"RDF4J's rules", `(byte|int|integer|long|short|\w+Integer|unsigned\w+|decimal|double|float|boolean|dateTime) wrong ( .*|.* )`,
		"ours, RDF 1.1 Concepts §3.3 and §5.1, as of riot"},
	{"RDF4J's rules", `(double|float) right \+INF`, "ours, XSD 1.1 Part 2 §3.3.4.2 and §3.3.5.2"},
	{"RDF4J's rules", `(dateTime|date|gYear|gYearMonth) right -?0000.*`, "ours, XSD 1.1 Part 2 §3.3.7.1: there is a year 0000"},
	{"RDF4J's rules", `(date|gYear|gYearMonth) right -?[1-9]\d{4,}.*`,
		"ours, XSD 1.1 Part 2 §3.3.7.2, yearFrag: a year may have more than four digits"},
	{"RDF4J's rules", `(decimal|double|float) wrong [+-]?\.([eE].*)?`,
		"ours, XSD 1.1 Part 2 §3.3.3.1, decimalLexicalRep: a digit stands on one side of the point"},
	{"RDF4J's rules", `(double|float) right .*[eE].*`,
		"ours, XSD 1.1 Part 2 §3.3.4.2 and §3.3.5.2: any exponent is in the lexical space; here such is told as out of range"},
	{"RDF4J's rules", `\w*[dD]uration right .*T.*\.\d+S`,
		"ours, XSD 1.1 Part 2 §3.3.6.2, duSecondFrag: any unsignedDecimalPtNumeral, so .5 too"},
	{"RDF4J's rules", `\w*[dD]uration wrong -P`, "ours, XSD 1.1 Part 2 §3.3.6.2: at least one number and its unit must be there"},
	{"RDF4J's rules", `(hexBinary|base64Binary|N\w+|dateTimeStamp) wrong .*`,
		"ours, XSD 1.1 Part 2 §3.3.15, §3.3.16, §3.4: RDF4J does not look at these types"},
	{"RDF4J's rules", `language right .*`,
		"ours, XSD 1.1 Part 2 §3.4.3: the type asks for the form of RFC 3066 alone, where RDF4J asks for BCP 47"},
}

// judgeOf asks about all terms: who finds something in which.
type judgeOf func(terms []judged) []bool

func judges(t *testing.T) map[string]judgeOf {
	all := map[string]judgeOf{"RDF4J's rules": func(terms []judged) (told []bool) {
		for _, j := range terms {
			told = append(told, j.kind == "literal" && !rdf4jAccepts(j.datatype, j.text))
		}
		return told
	}}
	dir := t.TempDir()
	found, missing, err := others.Find(context.Background(), dir, "riot")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range missing {
		t.Logf("%s is not here (%s), and not asked", m.Name, m.Why)
	}
	for _, p := range found {
		t.Cleanup(p.Close)
		all["riot"] = func(terms []judged) (told []bool) {
			file := filepath.Join(dir, "term.ttl")
			for _, j := range terms {
				if err := os.WriteFile(file, []byte(j.line+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				// As Turtle, since riot checks no terms of N-Triples.
				answer, err := p.Read(context.Background(), "Turtle", file, generatedBase, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				told = append(told, answer.Error != "" || len(answer.Lines) > 0)
			}
			return told
		}
	}
	for _, python := range []string{os.Getenv("LAUNDROMAT_PYTHON"), "/usr/bin/python3", "python3"} {
		if exec.Command(python, "-c", "import rdflib").Run() == nil {
			all["rdflib"] = func(terms []judged) []bool { return askRDFLib(t, python, terms) }
			break
		}
	}
	if all["rdflib"] == nil {
		t.Log("rdflib is not here, and not asked")
	}
	return all
}

// rdflibJudge says of each term whether rdflib finds fault with it. A literal has no value, or an IRI
// or a tag is not of the form that it asks for.
const rdflibJudge = `
import json, logging, sys, warnings
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
from rdflib import Literal, URIRef
from rdflib.term import _is_valid_uri, _is_valid_langtag
def told(kind, text, datatype):
    try:
        if kind == "literal":
            return Literal(text, datatype=URIRef("http://www.w3.org/2001/XMLSchema#" + datatype)).value is None
        return not (_is_valid_uri(text) if kind == "IRI" else _is_valid_langtag(text))
    except Exception:
        return True
json.dump([told(*term) for term in json.load(sys.stdin)], sys.stdout)
`

func askRDFLib(t *testing.T, python string, terms []judged) (told []bool) {
	t.Helper()
	var asked [][3]string
	for _, j := range terms {
		asked = append(asked, [3]string{j.kind, j.text, j.datatype})
	}
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", rdflibJudge)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("rdflib: %v", err)
	}
	if err := json.Unmarshal(out, &told); err != nil || len(told) != len(terms) {
		t.Fatalf("rdflib judged %d terms of %d: %v", len(told), len(terms), err)
	}
	return told
}

// Two thousand terms, right and wrong. Where another judge says otherwise of a literal, the table says
// who is right. IRIs and tags in which something is found there and nothing here are listed, and there
// is none that riot knows.
func TestTermsAreJudgedAsByOthersOrTheTableSaysWhy(t *testing.T) {
	if testing.Short() {
		t.Skip("asks other programs two thousand times")
	}
	terms := judgedTerms(t)
	for name, ask := range judges(t) {
		t.Run(name, func(t *testing.T) {
			told := ask(terms)
			agree, differ := map[string]int{}, map[string]int{}
			rows, more := map[int]int{}, map[fault.Code]int{}
			for i := range terms {
				j := &terms[i]
				if told[i] == j.wrong() {
					agree[j.kind]++
					continue
				}
				differ[j.kind]++
				if j.kind != "literal" {
					if name == "riot" && told[i] {
						t.Errorf("%s finds something in the %s %s, and nothing is found here", name, j.kind, j.text)
					}
					for _, code := range j.codes {
						more[code]++
					}
					continue
				}
				says := j.datatype + " right " + j.text
				if j.wrong() {
					says = j.datatype + " wrong " + j.text
				}
				row := slices.IndexFunc(judgements, func(d struct{ judge, pattern, why string }) bool {
					return d.judge == name && regexp.MustCompile("^(?:"+d.pattern+")$").MatchString(says)
				})
				if row < 0 {
					t.Errorf("%s says otherwise than here: %s", name, says)
				}
				rows[row]++
			}
			for i, d := range judgements {
				if d.judge == name && rows[i] == 0 {
					t.Errorf("%s agrees with what is said here of %s, which the table calls different", name, d.pattern)
				}
			}
			var counted strings.Builder
			for _, row := range slices.Sorted(maps.Keys(rows)) {
				if row >= 0 {
					fmt.Fprintf(&counted, "\n%4d  %s  (%s)", rows[row], judgements[row].pattern, judgements[row].why)
				}
			}
			t.Logf("agree: %v, differ: %v%s\ntold here and not there, by code: %v", agree, differ, counted.String(), more)
		})
	}
}
