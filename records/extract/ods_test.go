package extract_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records/extract"
)

const openName = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"

// flatODS is a flat document of rows.
func flatODS(rows string) string {
	return `<?xml version="1.0"?><office:document` + odsNames + `><office:body><office:spreadsheet><table:table table:name="S">` + rows +
		`</table:table></office:spreadsheet></office:body></office:document>`
}

// below is a sheet with the label x and a row below it.
func below(cell string) string {
	return flatODS(`<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row><table:table-row>` + cell +
		`</table:table-row>`)
}

func TestCellsOfOpenDocument(t *testing.T) {
	for _, test := range []struct{ cell, want string }{
		{`<table:table-cell office:value-type="float" office:value="2.2999999999999998"><text:p>2,30</text:p></table:table-cell>`,
			`{"x":2.3}`},
		{`<table:table-cell office:value-type="percentage" office:value="0.25"><text:p>25%</text:p></table:table-cell>`, `{"x":0.25}`},
		{`<table:table-cell office:value-type="currency" office:currency="EUR" office:value="9.5"><text:p>9,50 €</text:p></table:table-cell>`,
			`{"x":9.5}`},
		{`<table:table-cell office:value-type="date" office:date-value="2024-02-29"><text:p>29.02.24</text:p></table:table-cell>`,
			`{"x":"2024-02-29"}`},
		{`<table:table-cell office:value-type="date" office:date-value="2024-02-29T12:30:04.999999999"><text:p>a</text:p></table:table-cell>`,
			`{"x":"2024-02-29T12:30:05"}`},
		{`<table:table-cell office:value-type="date" office:date-value="2024-02-29T12:30:05.000Z"/>`, `{"x":"2024-02-29T12:30:05"}`},
		{`<table:table-cell office:value-type="time" office:time-value="PT01H02M03S"><text:p>a</text:p></table:table-cell>`,
			`{"x":"01:02:03"}`},
		{`<table:table-cell office:value-type="time" office:time-value="PT36H00M00.5S"/>`, `{"x":"36:00:00.5"}`},
		{`<table:table-cell office:value-type="time" office:time-value="-P1DT2H"/>`, `{"x":"-26:00:00"}`},
		{`<table:table-cell office:value-type="time" office:time-value="PX"/>`, `{"x":"PX"}`},
		{`<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>WAHR</text:p></table:table-cell>`,
			`{"x":true}`},
		{`<table:table-cell office:value-type="string" office:string-value="a  b"><text:p>shown</text:p></table:table-cell>`,
			`{"x":"a  b"}`},
		{`<table:table-cell office:value-type="string"><text:p>a</text:p><text:p/><text:p>b</text:p></table:table-cell>`, `{"x":"a\n\nb"}`},
		{`<table:table-cell office:value-type="string"><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p></table:table-cell>`,
			`{"x":"a   b\tc\nd"}`},
		{"<table:table-cell office:value-type=\"string\">\n <text:p>\n  a <text:span> b</text:span>\n c\n </text:p>\n</table:table-cell>",
			`{"x":"a b c"}`},
		{`<table:table-cell office:value-type="string"><text:p>a <text:a xlink:href="h">link</text:a></text:p></table:table-cell>`,
			`{"x":"a link"}`},
		{`<table:table-cell office:value-type="string"><office:annotation><dc:creator>me</dc:creator><text:p>no</text:p></office:annotation><text:p>yes</text:p></table:table-cell>`,
			`{"x":"yes"}`},
		{`<table:table-cell office:value-type="string"><draw:frame><draw:text-box><text:p>no</text:p></draw:text-box></draw:frame><text:p>yes</text:p></table:table-cell>`,
			`{"x":"yes"}`},
		{`<table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell>`,
			`{"x":2}`},
		{`<table:table-cell office:value-type="string" office:string-value="#N/A"/>`, `{"x":"#N/A"}`},
		{`<table:table-cell><text:p>no type</text:p></table:table-cell>`, `{"x":"no type"}`},
		{`<table:covered-table-cell office:value-type="string"><text:p>covered</text:p></table:covered-table-cell>`, `{"x":"covered"}`},
		{`<table:table-cell office:value-type="string"><text:p>kept</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16383"/>`,
			`{"x":"kept"}`},
	} {
		k := read(t, "a.fods", below(test.cell), extract.Options{})
		if !slices.Equal(k.records, []string{test.want}) || len(k.notices) > 0 {
			t.Errorf("%s\n%q %q, want %s", test.cell, k.records, k.notices, test.want)
		}
	}
}

func TestDoubtfulCellsOfOpenDocumentAreTold(t *testing.T) {
	for _, test := range []struct{ cell, want, notice string }{
		{`<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>`,
			`{"x":"#DIV/0!"}`, "warning cell 2:1 x"},
		{`<table:table-cell table:formula="oooc:=A" office:value-type="float" office:value="0"><text:p>Err:502</text:p></table:table-cell>`,
			`{"x":"Err:502"}`, "warning cell 2:1 x"},
		{`<table:table-cell table:formula="of:=NA()" office:value-type="float" office:value="0"><text:p>#N/A</text:p></table:table-cell>`,
			`{"x":"#N/A"}`, "warning cell 2:1 x"},
		{`<table:table-cell office:value-type="string" table:number-columns-spanned="2" table:number-rows-spanned="3"><text:p>a</text:p></table:table-cell><table:covered-table-cell/>`,
			`{"x":"a"}`, "warning merged-cells 0:0"},
		{`<table:table-cell table:formula="of:=1"/>`, ``, "warning formula 2:1"},
	} {
		k := read(t, "a.fods", below(test.cell), extract.Options{})
		if strings.Join(k.records, "\n") != test.want || !slices.Equal(k.notices, []string{test.notice}) {
			t.Errorf("%s\n%q %q, want %s %s", test.cell, k.records, k.notices, test.want, test.notice)
		}
	}
}

// Repeats of empty cells and rows cost nothing, others are there as often, and too many end the sheet.
func TestRepeatsOfOpenDocument(t *testing.T) {
	cell := func(text, more string) string {
		return `<table:table-cell office:value-type="string"` + more + `><text:p>` + text + `</text:p></table:table-cell>`
	}
	columns, rows := ` table:number-columns-repeated="%d"`, ` table:number-rows-repeated="%d"`
	head := `<table:table-row>` + cell("x", "") + cell("y", "") + cell("z", "") + `</table:table-row>`
	empty := `<table:table-row` + fmt.Sprintf(rows, 2000000000) + `><table:table-cell` + fmt.Sprintf(columns, 2000000000) +
		`/></table:table-row>`
	for _, test := range []struct {
		name, rows    string
		want, notices []string
	}{
		{"cells", head + `<table:table-row>` + cell("a", fmt.Sprintf(columns, 3)) + `</table:table-row>`,
			[]string{`{"x":"a","y":"a","z":"a"}`}, nil},
		{"a gap", head + `<table:table-row><table:table-cell` + fmt.Sprintf(columns, 2) + `/>` + cell("a", "") + `</table:table-row>`,
			[]string{`{"z":"a"}`}, nil},
		{"rows", head + `<table:table-row` + fmt.Sprintf(rows, 3) + `>` + cell("a", "") + `</table:table-row>`,
			[]string{`{"x":"a"}`, `{"x":"a"}`, `{"x":"a"}`}, nil},
		{"blank rows at the end", head + `<table:table-row>` + cell("a", "") + `</table:table-row>` + empty, []string{`{"x":"a"}`}, nil},
		{"blank rows between", head + `<table:table-row>` + cell("a", "") + cell("b", "") + `</table:table-row><table:table-row` +
			fmt.Sprintf(rows, 1000000) + `><table:table-cell/></table:table-row><table:table-row>` +
			cell("c", "") + cell("d", "") + `</table:table-row>`, []string{`{"x":"a","y":"b"}`, `{"x":"c","y":"d"}`},
			[]string{"note blank-row 3:1"}},
		{"groups of rows", `<table:table-header-rows>` + head +
			`</table:table-header-rows><table:table-row-group><table:table-rows><table:table-row>` + cell("a", "") +
			`</table:table-row></table:table-rows></table:table-row-group>`, []string{`{"x":"a"}`}, nil},
		{"a cell beyond all columns", head + `<table:table-row>` + cell("a", "") + `<table:table-cell` + fmt.Sprintf(columns, 20000) +
			`/>` + cell("b", "") + `</table:table-row>`, []string{`{"x":"a"}`}, []string{"drop cell 2:20002"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := read(t, "a.fods", flatODS(test.rows), extract.Options{})
			if !slices.Equal(k.records, test.want) || !slices.Equal(k.notices, test.notices) {
				t.Errorf("%q %q", k.records, k.notices)
			}
		})
	}
	if testing.Short() {
		return
	}
	var few tally
	text := flatODS(head + `<table:table-row` + fmt.Sprintf(rows, 2000000000) + `>` + cell("a", fmt.Sprintf(columns, 1000)) +
		`</table:table-row>`)
	if err := extract.Read(context.Background(), extract.Document{Name: "a.fods", Text: strings.NewReader(text)}, extract.Options{},
		&few); err != nil || few.records > 20001 || few.records < 10000 {
		t.Error(err, few)
	}
}

func TestSheetsOfOpenDocument(t *testing.T) {
	table := func(name, style string) string {
		return `<table:table table:name="` + name + `" table:style-name="` + style + `"><table:table-row>` +
			`<table:table-cell><text:p>x</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="float" office:value="1"/></table:table-row></table:table>`
	}
	body := `<style:style style:name="no" style:family="table"><style:table-properties table:display="false"/></style:style><office:body><office:spreadsheet>` +
		`<table:tracked-changes><table:cell-content-change><table:previous><table:change-track-table-cell><text:p>old</text:p></table:change-track-table-cell></table:previous></table:cell-content-change></table:tracked-changes>` +
		table("A", "yes") + table("B", "no") + table("C", "") + `</office:spreadsheet></office:body>`
	for _, test := range []struct {
		source extract.Source
		want   []string
	}{
		{extract.Source{}, []string{"A", "C"}}, {extract.Source{Hidden: true}, []string{"A", "B", "C"}},
		{extract.Source{Tables: []string{"B"}}, []string{"B"}},
		{extract.Source{Tables: []string{"3"}}, []string{"C"}}, {extract.Source{Tables: []string{"A", "2"}}, []string{"A", "B"}},
	} {
		k := read(t, "a", `<office:document`+odsNames+`>`+body+`</office:document>`, extract.Options{Source: &test.source})
		if !slices.Equal(k.tables, test.want) {
			t.Errorf("%v: %q %q", test.source, k.tables, k.notices)
		}
	}
}

// What is no workbook that is read is refused by its name.
func TestForeignDocumentsAreRefusedByName(t *testing.T) {
	ole := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 100)
	wide := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00") }
	pack := func(names ...string) string {
		var all []part
		for _, n := range names {
			name, text, _ := strings.Cut(n, "=")
			all = append(all, part{name: name, text: text})
		}
		return string(packed(t, all...))
	}
	for _, test := range []struct{ name, in, want string }{
		{"a.slk", "ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K\"a\"\r\nE\r\n", "SYLK"},
		{"b.csv", "ID;PX\nB;Y3;X2\nC;Y1;X1;K1\nE\n", "SYLK"},
		{"a.dif", "TABLE\r\n0,1\r\n\"X\"\r\nVECTORS\r\n0,2\r\n", "DIF"},
		{"a.xls", ole + wide("Workbook"), ".xls"},
		{"b.xls", ole + wide("Book"), ".xls"},
		{"a.xlsx", ole + wide("EncryptedPackage"), "encrypted"},
		{"a.doc", ole + wide("WordDocument"), "Word"},
		{"a.bin", ole, "Microsoft Office"},
		{"c.xls", "\x09\x00\x04\x00\x07\x00\x10\x00", "Excel before 97"},
		{"a.docx", pack("[Content_Types].xml", "_rels/.rels", "word/document.xml"), "DOCX"},
		{"b.docx", pack(`word\document.xml`, "[Content_Types].xml", `_rels\.rels`), "DOCX"},
		{"a.pptx", pack("[Content_Types].xml", "ppt/presentation.xml"), "PPTX"},
		{"a.xlsb", pack("[Content_Types].xml", "xl/workbook.bin"), ".xlsb"},
		{"a.odt", pack("mimetype=application/vnd.oasis.opendocument.text", "content.xml"), "OpenDocument text"},
		{"a.odp", pack("mimetype=application/vnd.oasis.opendocument.presentation", "content.xml"), "OpenDocument presentation"},
		{"b.odt", pack("content.xml=<office:document-content><office:body><office:text/></office:body></office:document-content>",
			"META-INF/manifest.xml"), "OpenDocument text"},
		{"a.epub", pack("mimetype=application/epub+zip", "a.xhtml"), "EPUB"},
		{"a.fodt", `<office:document` + odsNames +
			` office:mimetype="application/vnd.oasis.opendocument.text"><office:body/></office:document>`, "OpenDocument"},
		{"a.xml", `<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>`,
			"Microsoft Office"},
		{"b.xml", `<?xml version="1.0"?><!-- a --><pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"/>`,
			"Microsoft Office"},
		{"a.ods", pack("mimetype=application/vnd.oasis.opendocument.spreadsheet", "content.xml=xx",
			"META-INF/manifest.xml=<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>"),
			"encrypted"},
		{"b.ods", pack("mimetype=application/vnd.oasis.opendocument.spreadsheet", "encrypted-package=xx"), "encrypted"},
	} {
		doc := extract.Document{Name: test.name, Raw: strings.NewReader(test.in), Size: int64(len(test.in))}
		k := &kept{}
		err := extract.Read(context.Background(), doc, extract.Options{}, k)
		if err == nil || fault.CodeOf(err) != fault.RecordFormat || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), ". ") {
			t.Errorf("%s: %v, want %s; %q", test.name, err, test.want, k.records)
		}
	}
	for _, in := range []string{`<a xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>`,
		`<?xml version="1.0"?><x:sheet xmlns:o="` + openName + `" t="opendocument.text"/>`, "ID;Price\n1;2\n3;4\n",
		"ID;Part\nC;bolt\nC1;nut\n", "TABLE\nchair\n", "TABLE,0\n1,2\n", "ID;P\nX;1\n"} {
		if err := extract.Foreign([]byte(in)); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// Packages are told apart by what they hold, not by their names.
func TestFormatOfPackages(t *testing.T) {
	sheets := []meantSheet{{name: "S", rows: [][]meantCell{{{"text", "x"}}, {{"number", "1"}}}}}
	for name, raw := range map[string][]byte{
		"a.xlsx": asODS(t, sheets), "a.ods": asXLSX(t, sheets), "a.csv": asODS(t, sheets), "b.xml": asFlatODS(sheets),
		"c.xls": asSheetML(sheets), "d.csv": asSheetML(sheets),
		"e.ods": asFlatODS(sheets), "f.xlsx": asSheetML(sheets), "g": asXLSX(t, sheets), "h.xml": bytes.TrimPrefix(asSheetML(sheets),
			[]byte(`<?xml version="1.0"?>`)),
	} {
		if k := readAs(t, name, raw); !slices.Equal(k.rows, []string{"|x=number:1@2:1"}) {
			t.Errorf("%s: %q", name, k.rows)
		}
	}
}
