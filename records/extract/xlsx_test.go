package extract_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"laundromat/records/extract"
)

func readWorkbook(t *testing.T, raw []byte, source *extract.Source) *kept {
	t.Helper()
	k := &kept{}
	doc := extract.Document{Name: "a.xlsx", Raw: bytes.NewReader(raw), Size: int64(len(raw))}
	if err := extract.Read(context.Background(), doc, extract.Options{Source: source}, k); err != nil {
		t.Fatal(err)
	}
	return k
}

func TestWorkbook(t *testing.T) {
	f := excelize.NewFile()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	set := func(sheet, cell string, v any) { t.Helper(); check(f.SetCellValue(sheet, cell, v)) }
	set("Sheet1", "A1", "Report")
	for i, label := range []string{"id", "name", "day", "at", "ok", "code"} {
		set("Sheet1", fmt.Sprintf("%c3", 'A'+i), label)
	}
	set("Sheet1", "A4", 1.5)
	set("Sheet1", "B4", "Anna")
	set("Sheet1", "C4", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))
	set("Sheet1", "D4", time.Date(2024, 2, 29, 12, 30, 5, 0, time.UTC))
	set("Sheet1", "E4", true)
	set("Sheet1", "F4", "01")
	set("Sheet1", "A5", 2)
	set("Sheet1", "F5", "02")
	check(f.SetCellFormula("Sheet1", "B5", "A4+1"))
	style, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	check(err)
	check(f.SetCellStyle("Sheet1", "C4", "C4", style))
	check(f.MergeCell("Sheet1", "A1", "C1"))
	_, err = f.NewSheet("Other")
	check(err)
	set("Other", "A1", "x")
	set("Other", "B1", "y")
	set("Other", "A2", 1)
	set("Other", "B2", 2)
	_, err = f.NewSheet("Secret")
	check(err)
	set("Secret", "A1", "x")
	check(f.SetSheetVisible("Secret", false))
	var b bytes.Buffer
	check(f.Write(&b))
	k := readWorkbook(t, b.Bytes(), nil)
	want := []string{
		`{"id":1.5,"name":"Anna","day":"2024-02-29","at":"2024-02-29T12:30:05","ok":true,"code":"01"}`,
		`{"id":2,"code":"02"}`, `{"x":1,"y":2}`}
	notices := []string{"note preamble 1:1", "warning formula 5:2 name", "warning merged-cells 0:0", "warning sheet-hidden 0:0"}
	if !slices.Equal(k.records, want) || !slices.Equal(k.notices, notices) ||
		!slices.Equal(k.tables, []string{"Sheet1", "Sheet1", "Other"}) {
		t.Errorf("%s\n%q\n%q", strings.Join(k.records, "\n"), k.notices, k.tables)
	}
}

// A sheet of a great many cells without a value ends by a limit.
func TestEmptyCellsEndByALimit(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name string, write func(io.Writer)) {
		part, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		write(part)
	}
	add("xl/workbook.xml", func(w io.Writer) {
		io.WriteString(w, `<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`)
	})
	add("xl/_rels/workbook.xml.rels", func(w io.Writer) {
		io.WriteString(w, `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`)
	})
	add("xl/worksheets/sheet1.xml", func(w io.Writer) {
		io.WriteString(w, `<worksheet><sheetData><row r="1"><c t="str"><v>a</v></c></row><row><c><v>1</v></c></row><row>`)
		cells := strings.Repeat(`<c r="A3" s="0"/>`, 100000)
		for range 30 {
			io.WriteString(w, cells)
		}
		io.WriteString(w, `</row></sheetData></worksheet>`)
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	k := readWorkbook(t, b.Bytes(), nil)
	if !slices.Equal(k.records, []string{`{"a":1}`}) || !slices.Contains(k.notices, "warning limit/cells 3:1") {
		t.Errorf("%q %q", k.records, k.notices)
	}
}
