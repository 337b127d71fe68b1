package extract_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
)

// headers hears the headers of tables, and how many records came before each.
type headers struct {
	got   []string
	count int
}

func (h *headers) Record(*records.Record) error { h.count++; return nil }
func (*headers) Notice(fault.Notice)            {}
func (h *headers) Header(header *records.Header) {
	line := fmt.Sprintf("%d %s:", h.count, header.Table)
	for i, label := range header.Labels {
		line += fmt.Sprintf(" %q=%s@%d:%d", label, header.Names[i], header.Places[i].Line, header.Places[i].Column)
	}
	h.got = append(h.got, line)
}

func TestATableGivesItsHeaderBeforeItsRecords(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a.csv", "id,name\n1,x\n", `0 : "id"=id@1:1 "name"=name@1:4`},
		{"a.csv", "id,,id\n1,x,2\n2,y,3\n", `0 : "id"=id@1:1 ""=column_2@1:4 "id"=id_2@1:5`},
		{"a.csv", "1,2\n3,4\n", ""},
		{"a.csv", "id,name,\n1,x,\n2,y,\n", `0 : "id"=id@1:1 "name"=name@1:4`},
		{"a.csv", "A title\n\nid,name\n1,x\n2,y\n", `0 : "id"=id@3:1 "name"=name@3:4`},
		{"a.tsv", "id\tname\n1\tx\n", `0 : "id"=id@1:1 "name"=name@1:4`},
		{"a.html", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", `0 : "a"=a@1:12 "b"=b@1:17`},
		{"a.html", "<table><caption>X</caption><tr><th>a<tr><td>1</table><table><tr><th>c<tr><td>1</table>", `0 X: "a"=a@1:32|1 table_2: "c"=c@1:65`},
		{"a.json", `[{"a":1}]`, ""},
		{"a.csv", "", ""},
	} {
		h := &headers{}
		err := extract.Read(context.Background(), extract.Document{Name: c.name, Text: strings.NewReader(c.in)}, extract.Options{}, h)
		if got := strings.Join(h.got, "|"); err != nil || got != c.want {
			t.Errorf("%q: %s, %v; want %s", c.in, got, err, c.want)
		}
	}
}

func TestAFileNameTellsTheFormatInPlaceOfTheName(t *testing.T) {
	for _, c := range []struct {
		name, file, media, want string
		known                   bool
	}{
		{"http://example.org/x?f=1", "x.json", "", "json", true},
		{"-", "", "", "csv", false},
		{"a.json", "", "", "json", true},
		{"a", "a", "text/tab-separated-values; charset=utf-8", "tsv", true},
		{"a.txt", "a.txt", "text/plain", "csv", false},
	} {
		doc := extract.Document{Name: c.name, FileName: c.file, MediaType: c.media, Text: strings.NewReader("x\n")}
		got, _, err := doc.Format(nil)
		file := c.file
		if file == "" {
			file = c.name
		}
		if err != nil || got != c.want || extract.Knows(file, c.media) != c.known {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}
