package extract_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
)

// meantCell is a cell as its writer meant it. Its text is what is read; that of a date is in ISO 8601.
type meantCell struct{ kind, text string }

// meantSheet is a sheet; cells without a kind are empty.
type meantSheet struct {
	name   string
	hidden bool
	rows   [][]meantCell
}

// asXLSX writes sheets as Excel does; empty cells and rows are left out.
func asXLSX(t testing.TB, sheets []meantSheet) []byte {
	t.Helper()
	var names strings.Builder
	pairs := []string{"styles", "styles.xml"}
	all := []part{{name: "[Content_Types].xml", text: "<Types/>"},
		{name: "_rels/.rels", text: relations(officeTypes, "officeDocument", "xl/workbook.xml")},
		{name: "xl/styles.xml",
			text: `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="21"/></cellXfs></styleSheet>`}}
	for i, s := range sheets {
		state := ""
		if s.hidden {
			state = ` state="hidden"`
		}
		fmt.Fprintf(&names, `<sheet name="%s" r:id="r%d"%s/>`, html.EscapeString(s.name), i+2, state)
		pairs = append(pairs, "worksheet", fmt.Sprintf("worksheets/s%d.xml", i))
		var b strings.Builder
		b.WriteString("<worksheet><sheetData>")
		for y, row := range s.rows {
			var cells strings.Builder
			for x, c := range row {
				at := fmt.Sprintf("%c%d", 'A'+x, y+1)
				switch text := html.EscapeString(c.text); c.kind {
				case "text":
					fmt.Fprintf(&cells, `<c r="%s" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, at, text)
				case "number":
					fmt.Fprintf(&cells, `<c r="%s"><v>%s</v></c>`, at, text)
				case "bool":
					fmt.Fprintf(&cells, `<c r="%s" t="b"><v>%d</v></c>`, at, len("false")-len(text))
				case "error":
					fmt.Fprintf(&cells, `<c r="%s" t="e"><f>1/0</f><v>%s</v></c>`, at, text)
				case "date", "moment", "time":
					style := map[string]int{"date": 1, "moment": 2, "time": 3}[c.kind]
					fmt.Fprintf(&cells, `<c r="%s" s="%d"><v>%v</v></c>`, at, style, serial(c.text))
				}
			}
			if cells.Len() > 0 {
				fmt.Fprintf(&b, `<row r="%d">%s</row>`, y+1, cells.String())
			}
		}
		b.WriteString("</sheetData></worksheet>")
		all = append(all, part{name: fmt.Sprintf("xl/worksheets/s%d.xml", i), text: b.String()})
	}
	all = append(all, part{name: "xl/workbook.xml", text: `<workbook xmlns:r="r"><sheets>` + names.String() + `</sheets></workbook>`},
		part{name: "xl/_rels/workbook.xml.rels", text: relations(officeTypes, pairs...)})
	return packed(t, all...)
}

// serial is a date, moment or time of day as a number of days since 1899-12-30.
func serial(text string) float64 {
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02", "15:04:05"} {
		if at, err := time.Parse(form, text); err == nil {
			if form == "15:04:05" {
				return at.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).Hours() / 24
			}
			return at.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Hours() / 24
		}
	}
	return 0
}

// asContent writes sheets as the content of OpenDocument, with repeats for equal cells and rows.
func asContent(sheets []meantSheet) string {
	var b strings.Builder
	b.WriteString(`<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style><office:body><office:spreadsheet>`)
	for _, s := range sheets {
		style := "ta1"
		if s.hidden {
			style = "ta2"
		}
		fmt.Fprintf(&b, `<table:table table:name="%s" table:style-name="%s"><table:table-column table:number-columns-repeated="16384"/>`,
			html.EscapeString(s.name), style)
		for y := 0; y < len(s.rows); {
			n := 1
			for y+n < len(s.rows) && slices.Equal(s.rows[y], s.rows[y+n]) {
				n++
			}
			b.WriteString(`<table:table-row` + repeat("rows", n) + `>`)
			row := s.rows[y]
			for x := 0; x < len(row); {
				k := 1
				for x+k < len(row) && row[x+k] == row[x] {
					k++
				}
				b.WriteString(odsCellOf(row[x], repeat("columns", k)))
				x += k
			}
			b.WriteString(`<table:table-cell table:number-columns-repeated="16000"/></table:table-row>`)
			y += n
		}
		b.WriteString(`<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`)
	}
	return b.String() + `</office:spreadsheet></office:body>`
}

func repeat(what string, n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(` table:number-%s-repeated="%d"`, what, n)
}

func odsCellOf(c meantCell, more string) string {
	text := html.EscapeString(c.text)
	value := func(kind, name, value string) string {
		return fmt.Sprintf(
			`<table:table-cell%s office:value-type="%s" calcext:value-type="%s" office:%s="%s"><text:p>as shown</text:p></table:table-cell>`,
			more, kind, kind, name, value)
	}
	switch c.kind {
	case "text":
		text = strings.NewReplacer("  ", ` <text:s/>`, "\n", "</text:p><text:p>", "\t", "<text:tab/>").Replace(text)
		return fmt.Sprintf(
			`<table:table-cell%s office:value-type="string"><office:annotation><text:p>a remark</text:p></office:annotation><text:p>%s</text:p></table:table-cell>`,
			more, text)
	case "number":
		return value("float", "value", text)
	case "bool":
		return value("boolean", "boolean-value", text)
	case "date", "moment":
		return value("date", "date-value", text)
	case "time":
		return value("time", "time-value", "PT"+text[:2]+"H"+text[3:5]+"M"+text[6:]+"S")
	case "error":
		return fmt.Sprintf(
			`<table:table-cell%s table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>%s</text:p></table:table-cell>`,
			more, text)
	}
	return `<table:table-cell` + more + `/>`
}

const odsNames = ` xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"`

func asODS(t testing.TB, sheets []meantSheet) []byte {
	return packed(t, part{name: "mimetype", text: "application/vnd.oasis.opendocument.spreadsheet"},
		part{name: "content.xml", text: `<office:document-content` + odsNames + `>` + asContent(sheets) + `</office:document-content>`},
		part{name: "META-INF/manifest.xml", text: `<manifest:manifest/>`})
}

func asFlatODS(sheets []meantSheet) []byte {
	return []byte(`<?xml version="1.0" encoding="UTF-8"?><office:document` + odsNames +
		` office:mimetype="application/vnd.oasis.opendocument.spreadsheet">` + asContent(sheets) + `</office:document>`)
}

// asSheetML writes sheets as Excel 2003 does in XML; empty cells and rows are left out.
func asSheetML(sheets []meantSheet) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">` +
		`<Styles><Style ss:ID="Default"/><Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="m"><NumberFormat ss:Format="General Date"/></Style><Style ss:ID="t"><NumberFormat ss:Format="hh:mm:ss"/></Style></Styles>`)
	for _, s := range sheets {
		fmt.Fprintf(&b, `<Worksheet ss:Name="%s"><Table>`, html.EscapeString(s.name))
		last := 0
		for y, row := range s.rows {
			var cells strings.Builder
			before := 0
			for x, c := range row {
				style, kind, text := "", "", html.EscapeString(c.text)
				switch c.kind {
				case "":
					continue
				case "text":
					kind, text = "String", strings.ReplaceAll(text, "\n", "&#10;")
				case "number":
					kind = "Number"
				case "bool":
					kind, text = "Boolean", fmt.Sprint(len("false")-len(text))
				case "error":
					kind = "Error"
				case "date":
					style, kind, text = ` ss:StyleID="d"`, "DateTime", text+"T00:00:00.000"
				case "moment":
					style, kind, text = ` ss:StyleID="m"`, "DateTime", text+".000"
				case "time":
					style, kind, text = ` ss:StyleID="t"`, "DateTime", "1899-12-31T"+text+".000"
				}
				index := ""
				if x != before {
					index = fmt.Sprintf(` ss:Index="%d"`, x+1)
				}
				fmt.Fprintf(&cells, `<Cell%s%s><Data ss:Type="%s">%s</Data><Comment><ss:Data>a remark</ss:Data></Comment></Cell>`, index,
					style, kind, text)
				before = x + 1
			}
			if cells.Len() == 0 {
				continue
			}
			index := ""
			if y != last {
				index = fmt.Sprintf(` ss:Index="%d"`, y+1)
			}
			fmt.Fprintf(&b, `<Row%s>%s</Row>`, index, cells.String())
			last = y + 1
		}
		visible := ""
		if s.hidden {
			visible = "<Visible>SheetHidden</Visible>"
		}
		b.WriteString(`</Table><WorksheetOptions>` + visible + `</WorksheetOptions></Worksheet>`)
	}
	return []byte(b.String() + `</Workbook>`)
}

// makeSheets makes a workbook at random.
func makeSheets(r *rand.Rand) (sheets []meantSheet) {
	for i := range 1 + r.IntN(3) {
		s := meantSheet{name: fmt.Sprintf("Sheet & %d", i+1), hidden: i > 0 && r.IntN(4) == 0}
		kinds := make([]string, 1+r.IntN(6))
		header := make([]meantCell, len(kinds))
		for x := range kinds {
			kinds[x] = []string{"text", "number", "bool", "date", "moment", "time"}[r.IntN(6)]
			header[x] = meantCell{"text", fmt.Sprintf("label %d", x)}
		}
		s.rows = append(s.rows, header)
		for range 2 + r.IntN(8) {
			row := make([]meantCell, len(kinds))
			for x, kind := range kinds {
				if r.IntN(6) > 0 {
					row[x] = makeCell(r, kind)
				}
			}
			if r.IntN(8) == 0 {
				row[r.IntN(len(row))] = meantCell{"error", "#DIV/0!"}
			}
			s.rows = append(s.rows, row)
			if r.IntN(8) == 0 {
				s.rows = append(s.rows, row)
			}
			if r.IntN(10) == 0 {
				s.rows = append(s.rows, make([]meantCell, len(kinds)))
			}
		}
		sheets = append(sheets, s)
	}
	return sheets
}

func makeCell(r *rand.Rand, kind string) meantCell {
	day := fmt.Sprintf("%d-%02d-%02d", 1950+r.IntN(90), 1+r.IntN(12), 1+r.IntN(28))
	clock := fmt.Sprintf("%02d:%02d:%02d", r.IntN(24), r.IntN(60), r.IntN(60))
	switch kind {
	case "text":
		return meantCell{kind, []string{word(r), word(r) + "  " + word(r), "a\nb " + word(r), "a\tb", "<&>\"'", "é😀 " + word(r)}[r.IntN(6)]}
	case "number":
		return meantCell{kind, []string{fmt.Sprint(r.IntN(1000)), fmt.Sprint(r.Float64()), fmt.Sprint(-r.IntN(99)), "0.25"}[r.IntN(4)]}
	case "bool":
		return meantCell{kind, fmt.Sprint(r.IntN(2) == 0)}
	case "date":
		return meantCell{kind, day}
	case "time":
		return meantCell{kind, clock}
	}
	return meantCell{"moment", day + "T" + clock}
}

// readAs reads a document of a name.
func readAs(t testing.TB, name string, raw []byte) *placed {
	t.Helper()
	k := &placed{}
	doc := extract.Document{Name: name, Text: bytes.NewReader(raw)}
	if bytes.HasPrefix(raw, []byte("PK")) {
		doc = extract.Document{Name: name, Raw: bytes.NewReader(raw), Size: int64(len(raw))}
	}
	if err := extract.Read(context.Background(), doc, extract.Options{}, k); err != nil {
		t.Fatal(name, err)
	}
	return k
}

// placed keeps what is read with its places.
type placed struct {
	values  map[string]string // by table, line and column
	labels  []string
	rows    []string
	told    map[int64]bool // lines that are named as beside, or dropped
	notices []string
}

func (p *placed) Record(r *records.Record) error {
	if p.values == nil {
		p.values = map[string]string{}
	}
	line := r.Table
	for _, f := range r.Fields {
		p.values[fmt.Sprintf("%d:%d", f.Pos.Line, f.Pos.Column)] = f.Value.Text
		line += fmt.Sprintf("|%s=%v:%s@%d:%d", f.Name, f.Value.Kind, f.Value.Text, f.Pos.Line, f.Pos.Column)
	}
	p.rows = append(p.rows, line)
	return nil
}

func (p *placed) Header(h *records.Header) { p.labels = append(p.labels, h.Names...) }

func (p *placed) Notice(n fault.Notice) {
	if p.told == nil {
		p.told = map[int64]bool{}
	}
	switch n.Code {
	case fault.TablePreamble, fault.TableFooter, fault.TableHeaderAgain, fault.TableComment:
		p.told[n.Line] = true
	}
	if n.Lost > 0 {
		p.told[n.Line] = true
	}
	if n.Code != fault.RecordFormat {
		p.notices = append(p.notices, fmt.Sprintf("%s %s %d:%d %s", n.Severity, n.Code, n.Line, n.Column, n.Message))
	}
}

// The same sheets give the same tables, cell for cell, in every format of workbooks.
func TestWorkbooksOfEveryFormatGiveTheSameTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 200 {
		sheets := makeSheets(r)
		want := readAs(t, "a.xlsx", asXLSX(t, sheets))
		for name, raw := range map[string][]byte{"a.ods": asODS(t, sheets), "a.fods": asFlatODS(sheets), "a.xls": asSheetML(sheets)} {
			got := readAs(t, name, raw)
			if !slices.Equal(got.rows, want.rows) || !slices.Equal(got.notices, want.notices) || !slices.Equal(got.labels, want.labels) {
				t.Fatalf("%d, %s:\n%q\n%q\nwant\n%q\n%q\n%s", n, name, got.rows, got.notices, want.rows, want.notices,
					raw[:min(len(raw), 5000)])
			}
		}
		if len(sheets) == 1 {
			for y, row := range sheets[0].rows[1:] {
				for x, c := range row {
					if at := fmt.Sprintf("%d:%d", y+2, x+1); want.values[at] != c.text && !want.told[int64(y+2)] {
						t.Fatalf("%d: at %s is %q, want %v", n, at, want.values[at], c)
					}
				}
			}
		}
	}
}

// sheetOf makes a sheet of bytes: two for a cell say how far behind the last it is, and of what kind. Each cell has a
// text that no other has.
func sheetOf(plan []byte) (rows [][]meantCell) {
	x := 0
	rows = append(rows, nil)
	for n := 0; n+1 < len(plan) && len(rows) < 60; n += 2 {
		switch step := plan[n] % 16; {
		case step == 15:
			rows, x = append(rows, nil, nil), 0
		case step >= 10:
			rows, x = append(rows, nil), 0
		case step == 9:
			x += 3
		default:
			x += int(step / 6)
		}
		if x > 20 {
			continue
		}
		for len(rows[len(rows)-1]) <= x {
			rows[len(rows)-1] = append(rows[len(rows)-1], meantCell{})
		}
		c := meantCell{"text", fmt.Sprintf("w%dx", n)}
		switch plan[n+1] % 8 {
		case 0, 1:
			c = meantCell{"number", fmt.Sprint(100000 + n)}
		case 2:
			c = meantCell{"date", fmt.Sprintf("%d-0%d-1%d", 1910+n/81, 1+n/9%9, n%9)}
		case 3:
			c.text = fmt.Sprintf("two words %d", n)
		case 4:
			c.text = fmt.Sprintf("# w%d", n)
		}
		rows[len(rows)-1][x] = c
		x++
	}
	return rows
}

// FuzzEveryCellIsAccountedFor: every cell of a sheet is in a record at its place, or in a label. Else its row is named
// as what stands beside the table, or dropped.
func FuzzEveryCellIsAccountedFor(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		plan := make([]byte, 2+r.IntN(150))
		for i := 0; i < len(plan); i += 8 {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], r.Uint64())
			copy(plan[i:], b[:])
		}
		f.Add(plan)
	}
	f.Fuzz(func(t *testing.T, plan []byte) {
		sheets := []meantSheet{{name: "S", rows: sheetOf(plan)}}
		for name, raw := range map[string][]byte{"a.xlsx": asXLSX(t, sheets), "a.ods": asODS(t, sheets), "a.xml": asSheetML(sheets)} {
			k := readAs(t, name, raw)
			labels := strings.Join(k.labels, "\n")
			for y, row := range sheets[0].rows {
				for x, c := range row {
					value, is := k.values[fmt.Sprintf("%d:%d", y+1, x+1)]
					if c.kind == "" || is && value == c.text || k.told[int64(y+1)] ||
						strings.Contains(labels, strings.Join(strings.Fields(c.text), " ")) {
						continue
					}
					t.Fatalf("%s: the cell %d:%d %q is nowhere\n%q\n%q\n%q", name, y+1, x+1, c.text, k.labels, k.rows, k.notices)
				}
			}
		}
	})
}
