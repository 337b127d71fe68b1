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
		{"a.html", "<table><caption>X</caption><tr><th>a<tr><td>1</table><table><tr><th>c<tr><td>1</table>",
			`0 X: "a"=a@1:32|1 table_2: "c"=c@1:65`},
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

func TestASecondRowWithoutAFirstCellContinuesTheHeader(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Name,Height\n,(m)\nEiffel,300\nBig Ben,96\n", "Name|Height (m)"},
		{"Name,Height,Weight\n,[m],[t]\nEiffel,300,1\nBen,96,2\n", "Name|Height [m]|Weight [t]"},
		{"Name,Share\n,%\nA,30\nB,70\n", "Name|Share %"},
		{"Country,GDP,GDP,Pop\n,2019,2020,2020\nX,1.5,2.5,3\nY,4.5,5.5,6\n", "Country|GDP 2019|GDP 2020|Pop 2020"},
		{"Name,From,To\n,start,end\nA,1,2\nB,3,4\n", "Name|From start|To end"},
		{"Name,Kind,Height\n,,(m)\nA,tower,300\nB,clock,96\n", "Name|Kind|Height (m)"},
		// A value that is missing is no label, and neither is a value.
		{"Name,Height\n,unknown\nEiffel,300\nBig Ben,96\n", "Name|Height"},
		{"Name,Height\n,n/a\nEiffel,300\nBig Ben,96\n", "Name|Height"},
		{"Name,Height\n,77\nEiffel,300\nBig Ben,96\n", "Name|Height"},
		{"Name,Height\n,(m)\n,300\nBig Ben,96\n", "Name|Height"},
		{"Name,Kind\n,(m)\nEiffel,tower\nBen,clock\n", "Name|Kind"},
		{"Name,Born\n,1900\nAda,1815\nBob,1950\n", "Name|Born"},
	} {
		h := &headers{}
		err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: strings.NewReader(c.in)}, extract.Options{}, h)
		var names []string
		for _, line := range h.got {
			for _, part := range strings.Split(line, "@") {
				if _, name, found := strings.Cut(part, "="); found {
					names = append(names, name)
				}
			}
		}
		if got := strings.Join(names, "|"); err != nil || got != c.want {
			t.Errorf("%q: %s, %v; want %s", c.in, got, err, c.want)
		}
	}
}
