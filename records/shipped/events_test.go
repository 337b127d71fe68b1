package shipped_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/spec"
)

// kept is a sink that keeps what it is given.
type kept struct {
	records []records.Value
	notices []fault.Notice
}

func (k *kept) Record(r *records.Record) error {
	k.records = append(k.records, records.Value{Kind: records.Object, Fields: r.Clone().Fields})
	return nil
}
func (k *kept) Notice(n fault.Notice) { k.notices = append(k.notices, n) }

// eventsSpec is the shipped spec of events, for another calendar.
func eventsSpec(t *testing.T, changes ...string) *spec.Spec {
	t.Helper()
	text, err := os.ReadFile("events/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(string(text), changes[i]) {
			t.Fatalf("the spec does not have %q", changes[i])
		}
	}
	root, err := spec.Parse("events/spec.yaml", []byte(strings.NewReplacer(changes...).Replace(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.FromNode(root, "events")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t *testing.T, s *spec.Spec, url, accessed, page string) *kept {
	t.Helper()
	j, err := job.Compile(s, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339, accessed)
	if err != nil {
		t.Fatal(err)
	}
	var k kept
	d := job.Document{URL: url, Accessed: at, Document: extract.Document{Name: url, FileName: "a.html", Text: strings.NewReader(page)}}
	if _, err := j.Document(context.Background(), d, &k); err != nil {
		t.Fatal(err)
	}
	return &k
}

// TestEventsOfACalendar reads the calendar that is kept beside the repository by the form of the
// shipped spec. Only what is of the one calendar is changed.
func TestEventsOfACalendar(t *testing.T) {
	folder := rdftest.Shared(t, "records/events")
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	s := eventsSpec(t, "town-council-calendar", "us-house-calendar", "City Council}", "House of Representatives}",
		"Europe/Dublin", "America/New_York", `["%d %B %Y %H:%M", "%d %B %Y"]`, `["%Y-%m-%d %I:%M %p", "%Y-%m-%d"]`)
	got := run(t, s, "http://calendar.example.gov/house/calendar.html", "2009-07-01T12:00:00Z", string(read("calendar.html")))
	want, err := spec.Parse("expected.json", read("expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.records) != len(want.Items) || len(want.Items) != 7 {
		t.Fatalf("%d records: %v", len(got.records), got.notices)
	}
	for i, item := range want.Items {
		w := item.Value()
		if a, b := got.records[i].AppendJSON(nil), w.AppendJSON(nil); !bytes.Equal(a, b) {
			t.Errorf("record %d:\n%s, want\n%s", i+1, a, b)
		}
	}
}

const clashing = `<div id=calendar>
<div class=event id=a><b class=title>Vote</b><i class=date>4 March 2024</i><i class=start>10:00</i></div>
<div class=event id=b><b class=title>Vote</b><i class=date>4 March 2024</i><i class=start>10:00</i></div>
<div class=event id=c><b class=title>Vote</b><i class=date>4 March 2024</i><i class=start>11:00</i></div></div>`

func TestEventsThatClashAreTold(t *testing.T) {
	got := run(t, eventsSpec(t), "https://council.example/", "2024-01-01T00:00:00Z", clashing)
	if len(got.records) != 2 || !slices.ContainsFunc(got.notices, func(n fault.Notice) bool {
		return n.Code == fault.SchemaPrimaryKey && n.Severity == fault.Drop && n.Lost == 1 && n.Line == 3
	}) {
		t.Errorf("%d %v", len(got.records), got.notices)
	}
}

// TestWhatIsWrongWithAnEventIsTold: a branch that is no standard name, a day that is none, an
// event without a title.
func TestWhatIsWrongWithAnEventIsTold(t *testing.T) {
	page := strings.Replace(strings.Replace(clashing, "4 March", "31 February", 1), "<b class=title>Vote</b>", "", 2)
	got := run(t, eventsSpec(t, "City Council}", "Town Council}"), "https://council.example/", "2024-01-01T00:00:00Z", page)
	if len(got.records) != 0 {
		t.Errorf("%v", got.records)
	}
	var codes []string
	lost := 0
	for _, n := range got.notices {
		codes = append(codes, string(n.Code)+" "+n.Field)
		lost += n.Lost
	}
	all := strings.Join(codes, "; ")
	for _, want := range []string{"map/date datetime", "schema/constraint-error title", "schema/constraint-error entity"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in %s", want, all)
		}
	}
	if lost != 3 {
		t.Errorf("%d lost", lost)
	}
}
