package extract_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

const sheetMLHead = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">` +
	`<Styles><Style ss:ID="d"><NumberFormat ss:Format="yyyy\-mm\-dd"/></Style><Style ss:ID="t"><NumberFormat ss:Format="Short Time"/></Style><Style ss:ID="g"><NumberFormat ss:Format="General Date"/></Style></Styles>`

func TestSpreadsheetML(t *testing.T) {
	cell := func(kind, text string) string {
		return `<Cell><Data ss:Type="` + kind + `">` + text + `</Data></Cell>`
	}
	head := `<Row>` + cell("String", "x") + cell("String", "y") + cell("String", "z") + `</Row>`
	for _, test := range []struct {
		name, rows    string
		want, notices []string
	}{
		{"kinds", head + `<Row>` + cell("Number", "2.2999999999999998") + cell("Boolean", "1") + cell("String", "a&#10;b") + `</Row>`,
			[]string{`{"x":2.3,"y":true,"z":"a\nb"}`}, nil},
		{"Index of a cell", head + `<Row><Cell ss:Index="3"><Data ss:Type="Number">1</Data></Cell></Row>`, []string{`{"z":1}`}, nil},
		{"Index of a row", head + `<Row>` + cell("Number", "1") + `</Row><Row ss:Index="9">` + cell("Number", "2") + `</Row>`,
			[]string{`{"x":1}`, `{"x":2}`}, []string{"note blank-row 3:1"}},
		{"Span of a row", head + `<Row>` + cell("Number", "1") + `</Row><Row ss:Span="2"/><Row>` + cell("Number", "2") + `</Row>`,
			[]string{`{"x":1}`, `{"x":2}`}, []string{"note blank-row 3:1"}},
		{"MergeAcross", head + `<Row><Cell ss:MergeAcross="1"><Data ss:Type="Number">1</Data></Cell>` + cell("Number", "2") + `</Row>`,
			[]string{`{"x":1,"z":2}`}, []string{"warning merged-cells 0:0"}},
		{"MergeDown", head +
			`<Row><Cell ss:MergeDown="1"><Data ss:Type="Number">1</Data></Cell></Row><Row><Cell ss:Index="2"><Data ss:Type="Number">2</Data></Cell></Row>`,
			[]string{`{"x":1}`, `{"y":2}`}, []string{"warning merged-cells 0:0"}},
		{"dates", head + `<Row><Cell ss:StyleID="d"><Data ss:Type="DateTime">2024-02-29T00:00:00.000</Data></Cell><Cell ss:StyleID="t"><Data ss:Type="DateTime">1899-12-31T12:30:05.000</Data></Cell><Cell ss:StyleID="g"><Data ss:Type="DateTime">2024-02-29T12:30:05.000</Data></Cell></Row>`,
			[]string{`{"x":"2024-02-29","y":"12:30:05","z":"2024-02-29T12:30:05"}`}, nil},
		{"a number in the format of a date", head + `<Row><Cell ss:StyleID="d"><Data ss:Type="Number">45351</Data></Cell></Row>`,
			[]string{`{"x":"2024-02-29"}`}, nil},
		{"a date without a format", head + `<Row>` + cell("DateTime", "2024-02-29T00:00:00.000") +
			cell("DateTime", "2024-02-29T01:02:03.250") + `</Row>`, []string{`{"x":"2024-02-29","y":"2024-02-29T01:02:03.25"}`}, nil},
		{"an error", head + `<Row>` + cell("Error", "#REF!") + `</Row>`, []string{`{"x":"#REF!"}`}, []string{"warning cell 2:1 x"}},
		{"a formula", head + `<Row><Cell ss:Formula="=1"><Data ss:Type="Number">1</Data></Cell><Cell ss:Formula="=2"/></Row>`,
			[]string{`{"x":1}`}, []string{"warning formula 2:2 y"}},
		{"mark-up and a remark",
			head + `<Row><Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">a <B>b</B></ss:Data><Comment><ss:Data>no</ss:Data></Comment><NamedCell ss:Name="n"/></Cell>` +
				cell("Number", "1") + `</Row>`, []string{`{"x":"a b","y":1}`}, nil},
		{"a kind unknown", head + `<Row>` + cell("Odd", "a") + `</Row>`, []string{`{"x":"a"}`}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := sheetMLHead + `<Worksheet ss:Name="S"><Table ss:ExpandedColumnCount="3">` + test.rows +
				`</Table></Worksheet></Workbook>`
			prefixed := strings.NewReplacer("<Row", "<ss:Row", "</Row", "</ss:Row", "<Cell", "<ss:Cell", "</Cell", "</ss:Cell", "<Table",
				"<ss:Table", "</Table", "</ss:Table", "<Work", "<ss:Work", "</Work", "</ss:Work").Replace(text)
			for _, text := range []string{text, prefixed} {
				k := read(t, "a.xls", text, extract.Options{})
				if !slices.Equal(k.records, test.want) || !slices.Equal(k.notices, test.notices) {
					t.Errorf("%q %q", k.records, k.notices)
				}
			}
		})
	}
}

func TestSheetsOfSpreadsheetML(t *testing.T) {
	sheet := func(name, visible string) string {
		return `<Worksheet ss:Name="` + name +
			`"><Table><Row><Cell><Data ss:Type="String">x</Data></Cell></Row><Row><Cell><Data ss:Type="Number">1</Data></Cell></Row></Table>` +
			`<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel">` + visible + `</WorksheetOptions></Worksheet>`
	}
	text := sheetMLHead + sheet("A", "") + sheet("B", "<Visible>SheetHidden</Visible>") + sheet("C", "") +
		sheet("D", "<Visible>SheetVeryHidden</Visible>") + `</Workbook>`
	for _, test := range []struct {
		source extract.Source
		want   []string
	}{{extract.Source{}, []string{"A", "C"}}, {extract.Source{Hidden: true}, []string{"A", "B", "C", "D"}},
		{extract.Source{Tables: []string{"D"}}, []string{"D"}}, {extract.Source{Tables: []string{"3", "A"}}, []string{"A", "C"}}} {
		if k := read(t, "a.xls", text, extract.Options{Source: &test.source}); !slices.Equal(k.tables, test.want) {
			t.Errorf("%v: %q %q", test.source, k.tables, k.notices)
		}
	}
}
