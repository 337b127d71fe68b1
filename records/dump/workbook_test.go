//go:build !lean

package dump_test

import (
	"archive/zip"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"laundromat/records"
	"laundromat/records/dump"
)

// TestAWorkbookIsReadByALibrary has another reader of XLSX find each cell as it was meant. That is its type, its text
// to the last sign, and how a day and a moment are shown.
func TestAWorkbookIsReadByALibrary(t *testing.T) {
	for name, c := range map[string]struct {
		column   dump.Column
		value    any
		text     string // as the cell is shown
		kind     excelize.CellType
		numbered string // how a number is shown; "" for what has no form of its own
	}{
		"text":        {dump.Column{}, "Zoë & <b> \"x\" 'y'", "Zoë & <b> \"x\" 'y'", excelize.CellTypeInlineString, ""},
		"white space": {dump.Column{}, " \t a\r\nb\n ", " \t a\r\nb\n ", excelize.CellTypeInlineString, ""},
		"an escape": {dump.Column{}, "_x0041_ _x000G_ _x005F_x0041_ _", "_x0041_ _x000G_ _x005F_x0041_ _",
			excelize.CellTypeInlineString, ""},
		"a formula":        {dump.Column{}, "=1+1", "=1+1", excelize.CellTypeInlineString, ""},
		"digits as a text": {dump.Column{}, "007", "007", excelize.CellTypeInlineString, ""},
		"beyond the BMP":   {dump.Column{}, "👍\u00A0]]>", "👍\u00A0]]>", excelize.CellTypeInlineString, ""},
		"an empty text":    {dump.Column{}, "", "", excelize.CellTypeInlineString, ""},
		"true":             {dump.Column{}, true, "TRUE", excelize.CellTypeBool, ""},
		"false":            {dump.Column{}, false, "FALSE", excelize.CellTypeBool, ""},
		"a whole number":   {dump.Column{}, -12, "-12", excelize.CellTypeUnset, ""},
		"fifteen digits":   {dump.Column{}, json.Number("1.23456789012345"), "1.23456789012345", excelize.CellTypeUnset, ""},
		"sixteen digits":   {dump.Column{}, json.Number("1.234567890123456"), "1.234567890123456", excelize.CellTypeInlineString, ""},
		"a list":           {dump.Column{}, []any{1, "a"}, `[1,"a"]`, excelize.CellTypeInlineString, ""},
		"a day":            {dump.Column{Type: "date"}, "2024-02-29", "2024-02-29", excelize.CellTypeUnset, "yyyy-mm-dd"},
		"an old day":       {dump.Column{Type: "date"}, "1899-12-31", "1899-12-31", excelize.CellTypeInlineString, ""},
		"a moment": {dump.Column{Type: "datetime"}, "2024-02-29T23:59:58Z", "2024-02-29 23:59:58", excelize.CellTypeUnset,
			"yyyy-mm-dd hh:mm:ss"},
	} {
		path := filepath.Join(t.TempDir(), "r.xlsx")
		c.column.Name = "a"
		write(t, dump.Options{Table: "my & table", Fields: []dump.Column{c.column}, Files: []dump.File{{Format: "xlsx", Path: path}}},
			rec("a", c.value))
		book, err := excelize.OpenFile(path)
		if err != nil {
			t.Fatal(name, err)
		}
		sheet := book.GetSheetList()[0]
		shown, err1 := book.GetCellValue(sheet, "A2")
		kind, err2 := book.GetCellType(sheet, "A2")
		style, err3 := book.GetCellStyle(sheet, "A2")
		form, err4 := book.GetStyle(style)
		header, err5 := book.GetCellValue(sheet, "A1")
		if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
			t.Fatal(name, err)
		}
		numbered := ""
		if form.CustomNumFmt != nil {
			numbered = *form.CustomNumFmt
		}
		if sheet != "my & table" || header != "a" || shown != c.text || kind != c.kind || numbered != c.numbered {
			t.Errorf("%s: sheet %q, header %q, %q of type %v, shown as %q", name, sheet, header, shown, kind, numbered)
		}
		book.Close()
	}
}

// TestTheColumnsOfASheetHaveTheirLetters goes past Z and ZZ.
func TestTheColumnsOfASheetHaveTheirLetters(t *testing.T) {
	r := &records.Record{}
	for i := range 703 {
		r.Fields = append(r.Fields, records.Field{Name: "f" + string(rune('a'+i%26)) + strings.Repeat("x", i/26),
			Value: records.IntOf(int64(i))})
	}
	path := filepath.Join(t.TempDir(), "r.xlsx")
	write(t, dump.Options{Files: []dump.File{{Format: "xlsx", Path: path}}}, r)
	book, err := excelize.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for cell, want := range map[string]string{"A2": "0", "Z2": "25", "AA2": "26", "AZ2": "51", "BA2": "52", "ZZ2": "701", "AAA2": "702"} {
		if got, err := book.GetCellValue("records", cell); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %s", cell, got, err, want)
		}
	}
}

// TestThePartsOfAWorkbookAreXML reads each part, and has the types come first: by these a program knows the file.
func TestThePartsOfAWorkbookAreXML(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.xlsx")
	write(t, dump.Options{Files: []dump.File{{Format: "xlsx", Path: path}}}, rec("a", "x<y", "b", nil), rec("b", 1.5))
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, file := range archive.File {
		names = append(names, file.Name)
		part, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		decoder := xml.NewDecoder(part)
		for err == nil {
			_, err = decoder.Token()
		}
		if err != io.EOF {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
	if want := []string{"[Content_Types].xml", "_rels/.rels", "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels",
		"xl/styles.xml"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}
