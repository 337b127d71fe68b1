package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"reflect"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/report"
)

func notice(code fault.Code, severity fault.Severity, line int64) fault.Notice {
	n := fault.Notice{Code: code, Severity: severity, Message: "m", Excerpt: "e", Pos: fault.Pos{Line: line, Column: 1, Offset: line * 10}}
	if severity == fault.Drop {
		n.Lost = 1
	}
	return n
}

func TestCollectorCountsAllAndKeepsTheFirst(t *testing.T) {
	var shown bytes.Buffer
	c := report.NewCollector("a.ttl", 3)
	c.Show(&shown, false)
	for i := range int64(50) {
		c.Notice(notice("iri/space", fault.Repair, 1+i))
		c.Notice(notice("iri/space", fault.Drop, 100+i))
		c.Notice(notice("iri/empty", fault.Warning, 200+i))
	}
	d := c.Document()
	if d.Name != "a.ttl" || d.Notices["iri/space"] != 100 || d.Notices["iri/empty"] != 50 || c.Lost() != 50 || len(d.Samples) != 6 {
		t.Errorf("got %+v, lost %d", d, c.Lost())
	}
	want := []report.Finding{
		{Code: "iri/space", Severity: fault.Repair, Count: 50, First: fault.Pos{Line: 1, Column: 1, Offset: 10}},
		{Code: "iri/space", Severity: fault.Drop, Count: 50, First: fault.Pos{Line: 100, Column: 1, Offset: 1000}},
		{Code: "iri/empty", Severity: fault.Warning, Count: 50, First: fault.Pos{Line: 200, Column: 1, Offset: 2000}},
	}
	if fmt.Sprint(d.Findings) != fmt.Sprint(want) {
		t.Errorf("got %v", d.Findings)
	}
	if lines := strings.Split(shown.String(), "\n"); len(lines) != 41 || lines[0] != "a.ttl:1:1: repair: iri/space: m: e" {
		t.Errorf("%d lines shown, first %q", len(lines)-1, lines[0])
	}
}

func TestCloneKnowsWhatWasBeforeAndNoMore(t *testing.T) {
	c := report.NewCollector("a", 0)
	c.Notice(notice("iri/space", fault.Drop, 1))
	clone := c.Clone()
	clone.Notice(notice("iri/space", fault.Drop, 2))
	clone.Notice(notice("iri/empty", fault.Warning, 3))
	if d := c.Document(); c.Lost() != 1 || len(d.Samples) != 1 || len(d.Findings) != 1 || d.Notices["iri/empty"] != 0 ||
		d.Findings[0].Count != 1 {
		t.Errorf("the original changed: %+v", d)
	}
	if d := clone.Document(); clone.Lost() != 2 || len(d.Samples) != 3 || len(d.Findings) != 2 {
		t.Errorf("the clone is %+v", d)
	}
}

func TestShowingThatFailsIsToldAtTheEnd(t *testing.T) {
	c := report.NewCollector("a", 0)
	c.Show(full{}, false)
	c.Notice(notice("iri/space", fault.Drop, 1))
	c.Notice(notice("iri/space", fault.Drop, 2))
	if !errors.Is(c.Err(), io.ErrShortWrite) || c.Document().Notices["iri/space"] != 2 {
		t.Errorf("got %v", c.Err())
	}
}

// written is what a list of those notices has, and how it is read again.
func written(t *testing.T, temp string, max int64, notices []fault.Notice) (head, all []fault.Notice, size int) {
	t.Helper()
	list := report.NewList(temp, max)
	c := report.NewCollector("a", 0)
	c.Keep(list)
	for _, n := range notices {
		c.Notice(n)
	}
	var b bytes.Buffer
	n, err := list.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	if err := list.Close(); err != nil {
		t.Fatal(err)
	}
	if err := report.ReadHead(bytes.NewReader(b.Bytes()), func(n fault.Notice) error { head = append(head, n); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := report.ReadList(bytes.NewReader(b.Bytes()), func(n fault.Notice) error { all = append(all, n); return nil }); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("left in the folder: %v", left)
	}
	return head, all, b.Len()
}

func TestListHoldsEachNoticeOnceSamplesFirst(t *testing.T) {
	var given []fault.Notice
	for i := range int64(1000) {
		given = append(given, notice(fault.Code(fmt.Sprintf("iri/x%d", i%3)), fault.Warning, i+1))
	}
	given = append(given, notice("iri/rare", fault.Drop, 2000))
	head, all, _ := written(t, t.TempDir(), 0, given)
	if len(head) != 301 || len(all) != len(given) || !reflect.DeepEqual(head[300], given[1000]) {
		t.Fatalf("%d at the head, %d in all", len(head), len(all))
	}
	seen := map[string]int{}
	for _, n := range all {
		seen[fmt.Sprint(n)]++
	}
	for _, n := range given {
		if seen[fmt.Sprint(n)] != 1 {
			t.Fatalf("%+v stands %d times", n, seen[fmt.Sprint(n)])
		}
	}
	for i := 302; i < len(all); i++ {
		if all[i].Line <= all[i-1].Line {
			t.Fatalf("behind the head the order is lost: %d after %d", all[i].Line, all[i-1].Line)
		}
	}
	if head, all, _ = written(t, t.TempDir(), 0, nil); len(head)+len(all) != 0 {
		t.Error("an empty list is not empty")
	}
}

func TestListEndsAtItsLimit(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var given []fault.Notice
	for i := range int64(20000) {
		n := notice("iri/space", fault.Repair, i+1)
		n.Excerpt = fmt.Sprintf("%x%x", random.Uint64(), random.Uint64()) // so that it takes room
		given = append(given, n)
	}
	_, all, size := written(t, t.TempDir(), 50_000, given)
	last := all[len(all)-1]
	if last.Code != fault.LimitNotices || len(all) >= len(given) || size > 400_000 {
		t.Errorf("%d rows, %d bytes, last %+v", len(all), size, last)
	}
	if all[len(all)-2].Code == fault.LimitNotices {
		t.Error("the limit is told twice")
	}
}

func TestListIsGzipOfJSONLines(t *testing.T) {
	list := report.NewList(t.TempDir(), 0)
	defer list.Close()
	list.Notice(notice("iri/space", fault.Repair, 7))
	var b bytes.Buffer
	if _, err := list.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	want := `{"code":"iri/space","severity":"repair","line":7,"column":1,"offset":70,"message":"m","excerpt":"e"}` + "\n"
	if err != nil || string(text) != want || !json.Valid(text) {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestListThatCannotBeWrittenSaysSoAtTheEnd(t *testing.T) {
	list := report.NewList(t.TempDir()+"/missing", 0)
	for i := range int64(report.SamplesListed + 2) {
		list.Notice(notice("iri/space", fault.Repair, i+1))
	}
	if _, err := list.WriteTo(io.Discard); !errors.Is(err, os.ErrNotExist) || fault.KindOf(err) != fault.Local {
		t.Errorf("got %v", err)
	}
	if err := list.Close(); err != nil {
		t.Error(err)
	}
	list = report.NewList("", 0)
	list.Notice(notice("iri/space", fault.Repair, 1))
	if _, err := list.WriteTo(full{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %v", err)
	}
}
