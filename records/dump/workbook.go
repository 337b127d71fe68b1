package dump

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of sheets (ECMA-376 Part 1, and the specifications of Excel).
const (
	sheetRows    = 1 << 20
	sheetColumns = 1 << 14
	sheetCell    = 1<<15 - 1 // in units of UTF-16
)

// cellStyle is how a number is shown; each is a place in the list of formats of cells.
type cellStyle int

const (
	styleNone cellStyle = iota
	styleDay
	styleMoment
)

// A workbook is written as its rows come (ECMA-376 Part 1, SpreadsheetML). No part of it is held: sheets come first,
// and what names them at the end. Texts stand in their cells.
type workbook struct {
	zip    *zip.Writer
	sheet  io.Writer // the part that is being written
	names  []string  // of the sheets
	rows   int       // of the sheet
	line   []byte    // the row that is being made
	column []string  // the letters of columns that were met
}

// Parts of a workbook, and what is in those that are always the same.
const (
	typesPart = "[Content_Types].xml"
	bookPart  = "xl/workbook.xml"
	stylePart = "xl/styles.xml"

	spreadsheet   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packaged      = "http://schemas.openxmlformats.org/package/2006/"
	partType      = "application/vnd.openxmlformats-officedocument.spreadsheetml."

	// What has no type of its own is a sheet: how many there are is known at the end alone.
	types = `<Types xmlns="` + packaged +
		`content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="` + partType + `worksheet+xml"/>` +
		`<Override PartName="/` + bookPart + `" ContentType="` + partType + `sheet.main+xml"/>` +
		`<Override PartName="/` + stylePart + `" ContentType="` + partType + `styles+xml"/></Types>`
	packageLinks = `<Relationships xmlns="` + packaged + `relationships"><Relationship Id="rId1" Type="` + relationships +
		`/officeDocument" Target="` + bookPart + `"/></Relationships>`
	styles = `<styleSheet xmlns="` + spreadsheet +
		`"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm:ss"/></numFmts>` +
		`<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
)

// newWorkbook begins a workbook. Its first sheet has to be begun before a row is written.
func newWorkbook(to io.Writer) (*workbook, error) {
	b := &workbook{zip: zip.NewWriter(to)}
	if err := b.part(typesPart, types); err != nil {
		return nil, err
	}
	return b, b.part("_rels/.rels", packageLinks)
}

// part writes a whole part.
func (b *workbook) part(name, text string) error {
	part, err := b.zip.Create(name)
	if err == nil {
		_, err = io.WriteString(part, xml.Header+text)
	}
	return err
}

// begin ends the sheet that is being written, if there is one, and begins another.
func (b *workbook) begin(name string) (err error) {
	if err := b.end(); err != nil {
		return err
	}
	b.names, b.rows = append(b.names, name), 0
	if b.sheet, err = b.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(b.names))); err != nil {
		return err
	}
	_, err = io.WriteString(b.sheet, xml.Header+`<worksheet xmlns="`+spreadsheet+`"><sheetData>`)
	return err
}

func (b *workbook) end() error {
	if b.sheet == nil {
		return nil
	}
	_, err := io.WriteString(b.sheet, `</sheetData></worksheet>`)
	b.sheet = nil
	return err
}

// beginRow begins the next row of the sheet. Its cells are added, and then it is written by endRow.
func (b *workbook) beginRow() {
	b.rows++
	b.line = append(b.line[:0], `<row r="`...)
	b.line = strconv.AppendInt(b.line, int64(b.rows), 10)
	b.line = append(b.line, `">`...)
}

func (b *workbook) endRow() error {
	b.line = append(b.line, `</row>`...)
	_, err := b.sheet.Write(b.line)
	return err
}

// cell begins a cell of a column, counted from 0.
func (b *workbook) cell(at int, attributes string) {
	for len(b.column) <= at {
		b.column = append(b.column, columnLetters(len(b.column)))
	}
	b.line = append(b.line, `<c r="`...)
	b.line = append(b.line, b.column[at]...)
	b.line = strconv.AppendInt(b.line, int64(b.rows), 10)
	b.line = append(b.line, '"')
	b.line = append(b.line, attributes...)
}

// columnLetters names a column: A to Z, AA, and so on.
func columnLetters(at int) (name string) {
	for at++; at > 0; at = (at - 1) / 26 {
		name = string(rune('A'+(at-1)%26)) + name
	}
	return name
}

func (b *workbook) boolean(at int, value bool) {
	b.cell(at, ` t="b"><v>0</v></c>`)
	if value {
		b.line[len(b.line)-len(`0</v></c>`)] = '1'
	}
}

// number adds a number, of days and moments the 15 digits that spreadsheets keep.
func (b *workbook) number(at int, value float64, style cellStyle) {
	if style == styleNone {
		b.cell(at, `><v>`)
		b.line = strconv.AppendFloat(b.line, value, 'f', -1, 64)
	} else {
		b.cell(at, ` s="`)
		b.line = strconv.AppendInt(b.line, int64(style), 10)
		b.line = append(b.line, `"><v>`...)
		b.line = strconv.AppendFloat(b.line, value, 'G', 15, 64)
	}
	b.line = append(b.line, `</v></c>`...)
}

// text adds a text as it stands, which has to be one that a cell can hold.
func (b *workbook) text(at int, value string) {
	b.cell(at, ` t="inlineStr"><is><t xml:space="preserve">`)
	start := 0
	for i := 0; i < len(value); i++ {
		escape := ""
		switch value[i] {
		case '&':
			escape = "&amp;"
		case '<':
			escape = "&lt;"
		case '>':
			escape = "&gt;"
		case '\r':
			escape = "&#13;" // else a reader of XML makes a line feed of it
		case '_': // _x0041_ would be read as the letter A
			if !isSheetEscape(value[i:]) {
				continue
			}
			escape = "_x005F_"
		default:
			continue
		}
		b.line = append(append(b.line, value[start:i]...), escape...)
		start = i + 1
	}
	b.line = append(append(b.line, value[start:]...), `</t></is></c>`...)
}

// isSheetEscape says that a text begins with the escape of a character (ECMA-376 Part 1, §22.9.2.19).
func isSheetEscape(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// close writes what names the sheets, and ends the archive.
func (b *workbook) close() error {
	if err := b.end(); err != nil {
		return err
	}
	var book, links strings.Builder
	book.WriteString(`<workbook xmlns="` + spreadsheet + `" xmlns:r="` + relationships + `"><sheets>`)
	links.WriteString(`<Relationships xmlns="` + packaged + `relationships">`)
	for i, name := range b.names {
		book.WriteString(`<sheet name="`)
		if err := xml.EscapeText(&book, []byte(name)); err != nil {
			return err
		}
		fmt.Fprintf(&book, `" sheetId="%d" r:id="rId%[1]d"/>`, i+1)
		fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1, relationships)
	}
	book.WriteString(`</sheets></workbook>`)
	fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/></Relationships>`, len(b.names)+1, relationships)
	for _, part := range [...]struct{ name, text string }{
		{bookPart, book.String()}, {"xl/_rels/workbook.xml.rels", links.String()}, {stylePart, styles},
	} {
		if err := b.part(part.name, part.text); err != nil {
			return err
		}
	}
	return b.zip.Close()
}
