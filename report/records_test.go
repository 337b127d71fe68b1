package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/report"
)

// recordsReport is the report of a run that reads records.
func recordsReport(counted bool) *report.Report {
	c := report.NewCollector("a.csv", 0)
	c.Notice(fault.Notice{Code: fault.TableRowLong, Severity: fault.Drop, Lost: 1, Message: "too long", Field: "name",
		Element: "html > body",
		Pos:     fault.Pos{Line: 3, Column: 2}})
	d := c.Document()
	d.Format, d.Records = "csv", &records.Counts{Read: 3, Kept: 1, Repaired: 1, Dropped: 1, Written: 2}
	out := report.NewCollector("out.csv", 0)
	out.Notice(fault.Notice{Code: fault.DumpOriginals, Severity: fault.Warning, Message: "not written"})
	written := out.Document()
	written.Output = true
	r := &report.Report{}
	for _, d := range []*report.Document{d, written} {
		if counted {
			r.Count(d)
			continue
		}
		r.Documents = append(r.Documents, *d)
		r.AddRecords(d)
	}
	return r
}

func TestARunThatReadsRecordsCountsRecords(t *testing.T) {
	for _, counted := range []bool{false, true} {
		r := recordsReport(counted)
		var text bytes.Buffer
		if err := report.WriteVerdict(&text, r, false); err != nil {
			t.Fatal(err)
		}
		if want := "1 document: 3 records read, 1 kept, 1 repaired, 1 dropped, 2 written\n"; !strings.HasSuffix(text.String(), "\n"+want) {
			t.Errorf("%s\nwant %s", text.String(), want)
		}
		if code := r.ExitCode(); code != 3 {
			t.Errorf("exit code %d", code)
		}
	}
}

func TestTheReportOfRecordsHasNoStatements(t *testing.T) {
	var text bytes.Buffer
	if err := report.WriteJSON(&text, recordsReport(false)); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Documents []struct {
			Name       string
			Records    *records.Counts
			Statements any
			Output     bool
		}
		Records    records.Counts
		Statements any
	}
	if err := json.Unmarshal(text.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := records.Counts{Read: 3, Kept: 1, Repaired: 1, Dropped: 1, Written: 2}
	if len(got.Documents) != 2 || *got.Documents[0].Records != want || got.Records != want || !got.Documents[1].Output ||
		got.Statements != nil || got.Documents[0].Statements != nil {
		t.Errorf("%s", text.String())
	}
}

func TestAFindingNamesItsFieldAndElement(t *testing.T) {
	r := recordsReport(false)
	var text bytes.Buffer
	if err := report.WriteFindings(&text, &r.Documents[0], false); err != nil {
		t.Fatal(err)
	}
	if want := "a.csv:3:2: drop: table/row-long: the field \"name\": too long (in html > body)\n"; text.String() != want {
		t.Errorf("%s\nwant %s", text.String(), want)
	}
}

func TestNothingThatWasATableExitsWith7(t *testing.T) {
	failed := report.NewCollector("a.png", 0).Document()
	failed.Error = &report.DocumentError{Stage: "parsing", Kind: "data", Code: fault.RecordFormat, Message: "it is PNG"}
	r := &report.Report{Documents: []report.Document{*failed}, Records: &records.Counts{}}
	if code := r.ExitCode(); code != 7 {
		t.Errorf("exit code %d, want 7", code)
	}
	table := recordsReport(false)
	table.Documents = append(table.Documents[:1:1], *failed)
	if code := table.ExitCode(); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
}
