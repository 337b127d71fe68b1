package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run with -update, then read the difference)\n%s", path, got)
	}
}

// example is a report with all that there can be: several documents, all severities, strange names,
// an error, and a readme.
func example() *report.Report {
	first := report.NewCollector("data/été & more, 100%.ttl", 2)
	for i := range int64(3) {
		first.Notice(fault.Notice{Code: fault.IRISpace, Severity: fault.Repair, Message: "each space was written as %20",
			Excerpt: "http://e/a <b>: c", Pos: fault.Pos{Line: 3 + i, Column: 7, Offset: 40 + 50*i}})
	}
	first.Notice(fault.Notice{Code: fault.IRITrimmed, Severity: fault.Repair, Message: "cut off",
		Pos: fault.Pos{Line: 9, Column: 1, Offset: 200}})
	first.Notice(fault.Notice{Code: fault.IRITrimmed, Severity: fault.Drop, Message: "cut \"off\"\nand lost",
		Excerpt: " x:a", Pos: fault.Pos{Line: 10, Column: 12, Offset: 240}, Lost: 1})
	first.Notice(fault.Notice{Code: fault.LiteralNonCanonical, Severity: fault.Note, Message: "written as 1", Excerpt: "01",
		Pos: fault.Pos{Line: 11, Column: 2, Offset: 300}})
	a := first.Document()
	chars, lines := int64(310), int64(11)
	a.Format, a.Encoding, a.Base = "Turtle", "utf-8", "http://example.org/"
	a.Content = &digest.Content{MD5: "0b1", SHA256: "5a2", NumberOfBytes: 320, Newline: digest.LF, NumberOfChars: &chars,
		NumberOfLines: &lines}
	a.Text = &digest.Text{Newline: digest.LF, NumberOfBytes: 320, NumberOfChars: 310, NumberOfLines: 11}
	a.Statements = digest.Statements{Read: 12, Kept: 8, Repaired: 3, Dropped: 1, Duplicates: 2, Written: 9}

	second := report.NewCollector("x.zip!/README", 0).Document()
	second.Error = &report.DocumentError{Stage: "guessing", Kind: "data", Code: fault.FormatNotRDF, Message: "plain text"}

	third := report.NewCollector("https://example.org/a?b=c", 0)
	third.Notice(fault.Notice{Code: fault.IRIPercent, Severity: fault.Warning, Message: "a % without digits"})
	c := third.Document()
	c.Error = &report.DocumentError{Stage: "parsing", Kind: "remote", Code: "transport/timeout", Message: "no reply"}

	clean := report.NewCollector("clean.nq", 0).Document()
	clean.Format = "N-Quads"
	clean.Statements = digest.Statements{Read: 2, Kept: 2, Written: 2}

	r := &report.Report{Documents: []report.Document{*a, *second, *c, *clean}, Walltime: 0.25, PeakMemory: 1 << 20}
	for i := range r.Documents {
		r.Statements.Add(r.Documents[i].Statements)
	}
	return r
}

func TestFormatsAreAsTheirGoldenFiles(t *testing.T) {
	for _, f := range report.Formats {
		var b bytes.Buffer
		if err := f.Write(&b, example()); err != nil {
			t.Fatal(err)
		}
		// What others say of their codes may change without changing this.
		info, _ := fault.Explain(fault.FormatNotRDF)
		stable := strings.NewReplacer(info.Title, "TITLE", info.Explain, "EXPLANATION", info.Mend, "MEND").Replace(b.String())
		golden(t, "example."+f.Name, []byte(stable))
		var empty bytes.Buffer
		if err := f.Write(&empty, &report.Report{}); err != nil || strings.Contains(empty.String(), "null") {
			t.Errorf("%s of nothing: %v, %s", f.Name, err, empty.String())
		}
		if err := f.Write(full{}, example()); err == nil {
			t.Errorf("%s: a full disk is not told", f.Name)
		}
		if found, err := report.FormatByName(strings.ToUpper(f.Name)); err != nil || found.Name != f.Name {
			t.Errorf("%s is not found: %v", f.Name, err)
		}
	}
	if _, err := report.FormatByName("pdf"); err == nil || !strings.Contains(err.Error(), "sarif") {
		t.Errorf("got %v", err)
	}
	var colored bytes.Buffer
	if err := report.WriteText(&colored, example(), true); err != nil {
		t.Fatal(err)
	}
	golden(t, "example.color", colored.Bytes())
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestJSONReportComesBack(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteJSON(&b, example()); err != nil {
		t.Fatal(err)
	}
	var back report.Report
	decoder := json.NewDecoder(&b)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&back); err != nil {
		t.Fatal(err)
	}
	want := example()
	if back.Statements != want.Statements || len(back.Documents) != len(want.Documents) || back.ExitCode() != want.ExitCode() {
		t.Errorf("came back as %+v", back)
	}
	for i := range want.Documents {
		if !reflect.DeepEqual(back.Documents[i].Samples, want.Documents[i].Samples) {
			t.Errorf("samples of %s: %+v", want.Documents[i].Name, back.Documents[i].Samples)
		}
	}
}

// SARIF 2.1.0: what its schema requires of the parts that are used.
func TestSARIFKeepsToItsSchema(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteSARIF(&b, example()); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID               string
						ShortDescription struct{ Text string }
						Help             *struct{ Text string }
						Default          struct{ Level string } `json:"defaultConfiguration"`
					}
				}
			}
			Results []struct {
				RuleID    string `json:"ruleId"`
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					Physical struct {
						Artifact struct{ URI string } `json:"artifactLocation"`
						Region   *struct{ StartLine, StartColumn int64 }
					} `json:"physicalLocation"`
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 8 {
		t.Fatalf("got %s", b.String())
	}
	levels := []string{"none", "note", "warning", "error"}
	run := log.Runs[0]
	seen := map[string]bool{}
	for _, rule := range run.Tool.Driver.Rules {
		if seen[rule.ID] || rule.ShortDescription.Text == "" || !slices.Contains(levels, rule.Default.Level) {
			t.Errorf("rule %+v", rule)
		}
		if _, known := fault.Explain(fault.Code(rule.ID)); known && (rule.Help == nil || rule.Help.Text == "") {
			t.Errorf("rule %s has no help", rule.ID)
		}
		seen[rule.ID] = true
	}
	for _, result := range run.Results {
		uri := result.Locations[0].Physical.Artifact.URI
		if run.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID || result.Message.Text == "" ||
			!slices.Contains(levels, result.Level) || strings.ContainsAny(uri, " é<>") {
			t.Errorf("result %+v", result)
		}
		if region := result.Locations[0].Physical.Region; region != nil && (region.StartLine < 1 || region.StartColumn < 1) {
			t.Errorf("region %+v", region)
		}
	}
}

func TestJUnitIsXMLWithTheRightSums(t *testing.T) {
	r := example()
	r.Documents[0].Samples[0].Message = "control \x01 and ]]> and <&"
	var b bytes.Buffer
	if err := report.WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Cases []struct {
				Failure, Error *struct{} `xml:",any"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(b.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, s := range suites.Suites {
		cases += len(s.Cases)
	}
	if len(suites.Suites) != 4 || suites.Tests != cases || suites.Failures != 1 || suites.Errors != 1 {
		t.Errorf("%d suites, %d cases: %+v", len(suites.Suites), cases, suites)
	}
}

func TestGitHubCommandsStayOnTheirLine(t *testing.T) {
	c := report.NewCollector("a,b:c\n::error::x", 0)
	c.Notice(fault.Notice{Code: "x/y,z:1", Severity: fault.Drop, Message: "100%\r\n::error::y"})
	var b bytes.Buffer
	if err := report.WriteGitHub(&b, &report.Report{Documents: []report.Document{*c.Document()}}); err != nil {
		t.Fatal(err)
	}
	if want := "::error file=a%2Cb%3Ac %3A%3Aerror%3A%3Ax,title=x/y%2Cz%3A1::x/y,z:1: 100%25  ::error::y\n"; b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

func TestExitCodeIsTheWorst(t *testing.T) {
	document := func(format string, dropped int64, code fault.Code) report.Document {
		d := report.Document{Format: format, Statements: digest.Statements{Dropped: dropped}}
		if code != "" {
			d.Error = &report.DocumentError{Code: code}
		}
		return d
	}
	good, lossy := document("Turtle", 0, ""), document("Turtle", 1, "")
	readme, failed := document("", 0, fault.FormatNotRDF), document("", 0, "transport/timeout")
	container, cut := document("", 0, ""), document("", 0, "")
	cut.Findings = []report.Finding{{Code: "archive/cut-short", Severity: fault.Drop, Count: 1}}
	empty := report.Document{Content: &digest.Content{}}
	for _, c := range []struct {
		name      string
		documents []report.Document
		want      int
	}{
		{"nothing", nil, 7},
		{"good", []report.Document{good}, 0},
		{"lossy", []report.Document{good, lossy}, 3},
		{"failed", []report.Document{lossy, failed, good}, 1},
		{"readme beside data", []report.Document{readme, good}, 0},
		{"readme beside lossy data", []report.Document{readme, lossy}, 3},
		{"readmes only", []report.Document{readme, readme}, 7},
		{"readme in an archive", []report.Document{container, readme}, 7},
		{"readme and failed", []report.Document{readme, failed}, 1},
		{"archive cut short", []report.Document{cut, good}, 3},
		{"nothing but a cut archive", []report.Document{cut}, 3},
		{"an empty document", []report.Document{empty}, 0},
	} {
		if got := (&report.Report{Documents: c.documents}).ExitCode(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSourcesAddUpAndAreNamedInTheOrderOfReading(t *testing.T) {
	var all report.Sources
	all.Add(nil)
	if all != nil {
		t.Error("there are sources where there is no page")
	}
	all.Add(report.Sources{"JSON-LD": 3, "RDFa": 0, "Microdata": 2})
	all.Add(report.Sources{"JSON-LD": 1, "RDFa": 5, "Microdata": 0, report.PageSource: 1, "Turtle": 2, "N-Quads": 1})
	if got := all.String(); got != "5 RDFa, 2 Microdata, 4 JSON-LD, 1 N-Quads, 2 Turtle, 1 page" {
		t.Error(got)
	}
}

func TestTheVerdictOnCountedDocumentsIsThatOnListedOnes(t *testing.T) {
	plain := report.Document{Name: "a", Format: "N-Triples", Statements: digest.Statements{Read: 2, Kept: 2}}
	found := report.Document{Name: "b", Format: "N-Triples",
		Findings: []report.Finding{{Code: "iri/relative", Severity: fault.Warning, Count: 3}}}
	dropped := report.Document{Name: "e", Format: "Turtle",
		Findings: []report.Finding{{Code: "iri/relative", Severity: fault.Warning, Count: 4}, {Code: "syntax/turtle", Severity: fault.Drop,
			Count: 1}}}
	container := report.Document{Name: "c.zip"}
	noRDF := report.Document{Name: "d", Format: "N-Triples", Error: &report.DocumentError{Code: "format/not-rdf", Message: "an image"}}
	failed := report.Document{Name: "f", Error: &report.DocumentError{Code: "limit/archive-bytes", Message: "too long"}}
	page := report.Document{Name: "g", Format: "HTML", Sources: report.Sources{"RDFa": 1}}
	for _, documents := range [][]report.Document{
		{plain}, {noRDF}, {noRDF, container}, {noRDF, plain}, {plain, found, page}, {found, dropped, noRDF},
		{dropped, failed, noRDF, failed}, {container}, {},
	} {
		var listed, counted report.Report
		for _, d := range documents {
			listed.Documents = append(listed.Documents, d)
			listed.Statements.Add(d.Statements)
			listed.Sources.Add(d.Sources)
			counted.Count(&d)
		}
		var one, other, errors, errorsToo strings.Builder
		report.WriteVerdict(&one, &listed, false)
		report.WriteVerdict(&other, &counted, false)
		report.WriteErrors(&errors, &listed, false)
		report.WriteErrors(&errorsToo, &counted, false)
		if one.String() != other.String() || errors.String() != errorsToo.String() || listed.ExitCode() != counted.ExitCode() ||
			listed.Total() != counted.Total() {
			t.Errorf("exit %d of the listed, %d of the counted:\n%s\n%s", listed.ExitCode(), counted.ExitCode(), one.String(),
				other.String())
		}
	}
}

func TestOfDocumentsThatAreCountedTheFirstErrorsAreNamed(t *testing.T) {
	var r report.Report
	for i := range 5000 {
		r.Count(&report.Document{Name: fmt.Sprint("page", i), Error: &report.DocumentError{Code: "format/not-rdf", Message: "a text"}})
		r.Count(&report.Document{Name: "b", Format: "Turtle",
			Findings: []report.Finding{{Code: "iri/relative", Severity: fault.Warning, Count: 1}}})
	}
	var out strings.Builder
	if err := report.WriteVerdict(&out, &r, false); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Count(text, ": note: format/not-rdf: a text\n") != 1000 ||
		!strings.Contains(text, "4000 more documents: note: format/not-rdf: ") ||
		!strings.Contains(text, " 5000  b\n") || !strings.Contains(text, "\n10000 documents: ") {
		t.Errorf("%.1000s … %s", text, text[len(text)-500:])
	}
}
