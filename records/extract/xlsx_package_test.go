package extract_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// part is a part of a package, with its checksum as it is or not.
type part struct {
	name, text string
	wrong      bool
}

// packed is a package of parts.
func packed(t testing.TB, parts ...part) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range parts {
		sum := crc32.ChecksumIEEE([]byte(p.text))
		if p.wrong {
			sum ^= 1
		}
		to, err := w.CreateRaw(&zip.FileHeader{Name: p.name, CRC32: sum, CompressedSize64: uint64(len(p.text)),
			UncompressedSize64: uint64(len(p.text))})
		if err == nil {
			_, err = io.WriteString(to, p.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

// relations are the parts that another one names: kind, target, kind, target …
func relations(types string, pairs ...string) string {
	var b strings.Builder
	b.WriteString("<Relationships>")
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="r%d" Type="%s%s" Target="%s"/>`, i/2+1, types, pairs[i], pairs[i+1])
	}
	return b.String() + "</Relationships>"
}

// plainParts are those of a workbook with a sheet of one record: {"day":"2024-02-29","town":"Bonn"}.
func plainParts() []part {
	return []part{
		{name: "[Content_Types].xml", text: "<Types/>"},
		{name: "_rels/.rels", text: relations(officeTypes, "officeDocument", "xl/workbook.xml")},
		{name: "xl/workbook.xml", text: `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{name: "xl/_rels/workbook.xml.rels", text: relations(officeTypes, "worksheet", "worksheets/sheet1.xml", "styles", "styles.xml",
			"sharedStrings", "sharedStrings.xml")},
		{name: "xl/styles.xml", text: `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`},
		{name: "xl/sharedStrings.xml", text: `<sst><si><t>day</t></si><si><t>town</t></si><si><t>Bonn</t></si></sst>`},
		{name: "xl/worksheets/sheet1.xml",
			text: `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>` +
				`<row r="2"><c r="A2" s="1"><v>45351</v></c><c r="B2" t="s"><v>2</v></c></row></sheetData></worksheet>`},
	}
}

// A package is what its relations say, however its parts are called. A wrong checksum costs no more than a word.
func TestPackageIsWhatItsRelationsSay(t *testing.T) {
	rename := func(f func(string) string) func([]part) []part {
		return func(all []part) []part {
			for i := range all {
				all[i].name = f(all[i].name)
			}
			return all
		}
	}
	replace := func(old, with string) func([]part) []part {
		return func(all []part) []part {
			for i := range all {
				all[i].text = strings.ReplaceAll(all[i].text, old, with)
			}
			return all
		}
	}
	without := func(name string) func([]part) []part {
		return func(all []part) []part { return slices.DeleteFunc(all, func(p part) bool { return p.name == name }) }
	}
	wrong := func(name string) func([]part) []part {
		return func(all []part) []part {
			for i := range all {
				all[i].wrong = all[i].wrong || all[i].name == name
			}
			return all
		}
	}
	checksum := []string{"warning archive/checksum 0:0"}
	tests := []struct {
		name string
		edit func([]part) []part
		want []string // notices
	}{
		{"as usual", func(all []part) []part { return all }, nil},
		{"names with backslashes", rename(func(s string) string { return strings.ReplaceAll(s, "/", `\`) }), nil},
		{"names with a slash in front", rename(func(s string) string { return "/" + s }), nil},
		{"names in capitals", rename(strings.ToUpper), nil},
		{"parts at the root", func(all []part) []part {
			return replace("xl/workbook", "workbook")(rename(func(s string) string { return strings.TrimPrefix(s, "xl/") })(all))
		}, nil},
		{"parts in another folder", func(all []part) []part {
			return replace("xl/workbook",
				"book/workbook")(rename(func(s string) string { return strings.Replace(s, "xl/", "book/", 1) })(all))
		}, nil},
		{"a workbook of another name", func(all []part) []part {
			return replace("xl/workbook",
				"xl/book")(rename(func(s string) string { return strings.Replace(s, "workbook", "book", 1) })(all))
		}, nil},
		{"targets from the root", replace(`Target="worksheets/`, `Target="/xl/worksheets/`), nil},
		{"targets with backslashes", replace(`Target="worksheets/`, `Target="worksheets\`), nil},
		{"targets that go up", replace(`Target="worksheets/`, `Target="../xl/worksheets/`), nil},
		{"the strict form", replace(officeTypes, "http://purl.oclc.org/ooxml/officeDocument/relationships/"), nil},
		{"strings and styles of other names", func(all []part) []part {
			return replace("sharedStrings.xml", "words.xml")(replace("styles.xml", "looks.xml")(rename(func(s string) string {
				return strings.NewReplacer("sharedStrings", "words", "styles", "looks").Replace(s)
			})(all)))
		}, nil},
		{"no relations of the package", without("_rels/.rels"), nil},
		{"a wrong checksum of a sheet", wrong("xl/worksheets/sheet1.xml"), checksum},
		{"a wrong checksum of the strings", wrong("xl/sharedStrings.xml"), checksum},
		{"a wrong checksum of the styles", wrong("xl/styles.xml"), checksum},
		{"a wrong checksum of the workbook", wrong("xl/workbook.xml"), checksum},
		{"a wrong checksum of what is not read", wrong("[Content_Types].xml"), nil},
		{"styles that break off", replace("</cellXfs></styleSheet>", ""), []string{"drop sheet 0:0"}},
		{"elements with a prefix", replace("<c ", "<x:c "), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := test.edit(plainParts())
			if test.name == "elements with a prefix" {
				all = replace("</c>", "</x:c>")(all)
			}
			k := readWorkbook(t, packed(t, all...), nil)
			if !slices.Equal(k.records, []string{`{"day":"2024-02-29","town":"Bonn"}`}) || !slices.Equal(k.notices, test.want) {
				t.Errorf("%q %q", k.records, k.notices)
			}
		})
	}
}

// cells is a workbook with a sheet of one column, x, and one cell below that.
func oneCell(t *testing.T, properties, format, cell string) string {
	t.Helper()
	all := plainParts()
	all[2].text = `<workbook xmlns:r="r">` + strings.Replace(properties, "…", `<sheets><sheet name="S" r:id="r1"/></sheets>`, 1) +
		`</workbook>`
	all[4].text = `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="` + format + `"/></cellXfs></styleSheet>`
	all[6].text = `<worksheet><sheetData><row><c t="str"><v>x</v></c></row><row>` + cell + `</row></sheetData></worksheet>`
	k := readWorkbook(t, packed(t, all...), nil)
	if len(k.records) != 1 {
		t.Fatal(k.records, k.notices)
	}
	return strings.TrimSuffix(strings.TrimPrefix(k.records[0], `{"x":`), "}")
}

func TestDatesCountFromTheDayTheWorkbookSays(t *testing.T) {
	newer := `<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>`
	for _, test := range []struct{ properties, format, value, want string }{
		{`…`, "14", "100", "1900-04-09"},
		{`<workbookPr/>…`, "14", "100", "1900-04-09"},
		{`<workbookPr date1904="0"/>…`, "14", "100", "1900-04-09"},
		{`<workbookPr date1904="false"/>…` + newer, "14", "100", "1900-04-09"},
		{`<workbookPr date1904="1"/>…`, "14", "100", "1904-04-10"},
		{`<workbookPr date1904="true"/>…`, "14", "100", "1904-04-10"},
		{`<workbookPr date1904="1"/>…` + newer, "14", "100", "1904-04-10"},
		{`<workbookPr defaultThemeVersion="1" date1904="true"/>…` + newer, "14", "100", "1904-04-10"},
		{`<workbookPr date1904="1"></workbookPr>…` + newer + newer, "22", "100.5", "1904-04-10T12:00:00"},
		{`<workbookPr date1904="1"/>…` + newer, "14", "0", "1904-01-01"},
		{`<workbookPr date1904="1"/>…` + newer, "21", "0.5", "12:00:00"},
	} {
		if got := oneCell(t, test.properties, test.format, `<c s="1"><v>`+test.value+`</v></c>`); got != `"`+test.want+`"` {
			t.Errorf("%s %s: %s, want %s", test.properties, test.value, got, test.want)
		}
	}
}

func TestMomentsThatAreWrittenAsText(t *testing.T) {
	for _, test := range []struct{ format, value, want string }{
		{"0", "2024-02-29T00:00:00.000Z", "2024-02-29T00:00:00"}, {"14", "2024-02-29T00:00:00.000Z", "2024-02-29"},
		{"14", "2024-02-29T12:00:00", "2024-02-29T12:00:00"},
		{"22", "2024-02-29T12:30:05.000Z", "2024-02-29T12:30:05"}, {"22", "2024-02-29T12:30:05.250", "2024-02-29T12:30:05.25"},
		{"21", "1899-12-30T12:30:05Z", "12:30:05"},
		{"14", "2024-02-29", "2024-02-29"}, {"0", "12:30:05", "12:30:05"}, {"0", "soon", "soon"},
		{"22", "2024-02-29T00:00:00", "2024-02-29T00:00:00"},
	} {
		if got := oneCell(t, "…", test.format, `<c t="d" s="1"><v>`+test.value+`</v></c>`); got != `"`+test.want+`"` {
			t.Errorf("%s %s: %s, want %s", test.format, test.value, got, test.want)
		}
	}
}

func TestNumbersHaveTheShortestDigitsOfTheirDouble(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{"2.2999999999999998", "2.3"}, {"14.199999999999999", "14.2"}, {"0.10000000000000001", "0.1"}, {"-0.10000000000000001", "-0.1"},
		{"1.0999999999999999E-2", "0.011"}, {"1.5E3", "1500"}, {"1E-7", "1e-07"}, {"1e22", "1e+22"},
		{"6.0221407599999999E+23", "6.02214076e+23"},
		{"100", "100"}, {"2.50", "2.5"}, {"548.0", "548"}, {".5", "0.5"}, {"+5", "5"}, {"007", "7"}, {"1.", "1"}, {"-.5", "-0.5"},
		{"1_0", `"1_0"`}, {"2,5", `"2,5"`}, {"-", `"-"`}, {"0x10", `"0x10"`}, {"12345678901234567890", "12345678901234567890"},
		{"0.30000000000000004", "0.30000000000000004"},
		{"1E400", "1E400"}, {"-7", "-7"}, {"123456.78900000001", "123456.789"}, {"0E0", "0"},
	} {
		if got := oneCell(t, "…", "0", `<c><v>`+test.value+`</v></c>`); got != test.want {
			t.Errorf("%s: %s, want %s", test.value, got, test.want)
		}
	}
}

func TestTextsHoldCharactersByTheirNumbers(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a_x000D_b", `a\rb`}, {"a_x000d_\nb", `a\r\nb`}, {"_x005F_x000D_", `_x000D_`}, {"_x0041__x0042_", "AB"}, {"_x00e9_", "é"},
		{"_xD83D__xDE00_", "😀"}, {"_xD83D_", "_xD83D_"}, {"_x00G0_", "_x00G0_"}, {"_x12_", "_x12_"}, {"snake_x_case", "snake_x_case"},
		{"x_x000A", "x_x000A"}, {"_x_x0009_", `_x\t`}, {"_X0041_", "_X0041_"},
	} {
		for _, cell := range []string{`<c t="str"><v>%s</v></c>`, `<c t="inlineStr"><is><t>%s</t></is></c>`,
			`<c t="inlineStr"><is><r><t>%s</t></r></is></c>`} {
			if got := oneCell(t, "…", "0", fmt.Sprintf(cell, test.text)); got != `"`+test.want+`"` {
				t.Errorf("%s: %s, want %s", test.text, got, test.want)
			}
		}
	}
}

// What is lost of a row without values is told too.
func TestFormulasWithoutValuesAreToldInRowsOfNothingElse(t *testing.T) {
	all := plainParts()
	all[6].text = `<worksheet><sheetData><row><c t="str"><v>x</v></c></row><row><c><v>1</v></c></row><row><c><f>A2</f></c></row></sheetData></worksheet>`
	k := readWorkbook(t, packed(t, all...), nil)
	if !slices.Equal(k.records, []string{`{"x":1}`}) || !slices.Equal(k.notices, []string{"warning formula 3:1"}) {
		t.Errorf("%q %q", k.records, k.notices)
	}
}

// A sheet that breaks off keeps the rows before.
func TestSheetThatBreaksOff(t *testing.T) {
	all := plainParts()
	all[6].text = all[6].text[:strings.Index(all[6].text, `<c r="B2"`)]
	k := &kept{}
	raw := packed(t, all...)
	err := extract.Read(context.Background(), extract.Document{Name: "a.xlsx", Raw: bytes.NewReader(raw), Size: int64(len(raw))},
		extract.Options{}, k)
	if err != nil || !slices.Equal(k.records, []string{`{"day":"2024-02-29"}`}) || !slices.Equal(k.notices, []string{"drop sheet 3:1"}) {
		t.Errorf("%v %q %q", err, k.records, k.notices)
	}
}

// Cells are where their names say, in whatever order they come, and none takes the place of another.
func TestCellsInAnotherOrder(t *testing.T) {
	for _, test := range []struct{ cells, want string }{
		{`<c r="B2"><v>2</v></c><c r="A2"><v>1</v></c>`, `{"day":1,"town":2}`},
		{`<c r="B2"><v>2</v></c><c r="A2"><v>1</v></c><c><v>3</v></c>`, `{"day":1,"town":2,"column_3":3}`},
		{`<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c>`, `{"day":1,"town":2}`},
		{`<c><v>1</v></c><c><v>2</v></c>`, `{"day":1,"town":2}`},
		{`<c r="2"><v>1</v></c><c r=""><v>2</v></c>`, `{"day":1,"town":2}`},
	} {
		all := plainParts()
		head, _, _ := strings.Cut(all[6].text, `<row r="2">`)
		all[6].text = head + `<row r="2">` + test.cells + `</row></sheetData></worksheet>`
		if k := readWorkbook(t, packed(t, all...), nil); !slices.Equal(k.records, []string{test.want}) {
			t.Errorf("%s: %q %q", test.cells, k.records, k.notices)
		}
	}
}

// A sheet that is asked for and is not there is told, in every format of workbooks.
func TestSheetsThatAreNotThereAreTold(t *testing.T) {
	sheets := []meantSheet{{name: "Data", rows: [][]meantCell{{{"text", "x"}}, {{"number", "1"}}}}}
	for name, raw := range map[string][]byte{"a.xlsx": asXLSX(t, sheets), "a.ods": asODS(t, sheets), "a.xls": asSheetML(sheets)} {
		for _, test := range []struct {
			tables []string
			want   int
		}{{[]string{"Data"}, 0}, {[]string{"1"}, 0}, {[]string{"Dato"}, 1}, {[]string{"Data", "2"}, 1}, {[]string{"No", "3"}, 2}} {
			k := &kept{}
			doc := extract.Document{Name: name, Text: bytes.NewReader(raw)}
			if bytes.HasPrefix(raw, []byte("PK")) {
				doc = extract.Document{Name: name, Raw: bytes.NewReader(raw), Size: int64(len(raw))}
			}
			err := extract.Read(context.Background(), doc, extract.Options{Source: &extract.Source{Tables: test.tables}}, k)
			if err != nil || int(k.lost) != test.want {
				t.Errorf("%s %q: %v %q", name, test.tables, err, k.notices)
			}
		}
	}
}
