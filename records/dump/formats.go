package dump

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"

	"laundromat/internal/lean"
)

// A format is a row of the table of formats.
type format struct {
	name, suffix, mediatype string
	// also are other endings of such a file's name.
	also []string
	// records begins a file of a format without columns; nil for one with columns.
	records func(*output, func(fault.Notice)) recordWriter
	// open begins the rows of a file; nil for a format without columns.
	open func(*output, *table) (rowWriter, error)
	// most is how many columns a table may have; 0 for a format without columns.
	most int
	// typed formats need the type of each column before the first row.
	typed bool
	// sheets says that all numbers are doubles, whole ones too.
	sheets bool
	// text says that cells are text without types, which spreadsheets may take for formulas.
	text bool
	// same are the states of a field that share a cell.
	same state
	// heavy formats are left out of a lean program.
	heavy bool
}

const (
	// maxHeldColumns is the limit of Parquet: its writer has buffers for each column.
	maxHeldColumns = 16_384
	// maxTextColumns bounds what one name a record would cost: each row has a cell for each.
	maxTextColumns = 1_000_000
)

var formats = [...]format{
	{name: "jsonl", suffix: ".jsonl", mediatype: "application/jsonl", records: openJSONLines},
	{name: "json", suffix: ".json", mediatype: "application/json", records: openJSON},
	{name: "yaml", suffix: ".yaml", also: []string{".yml"}, mediatype: "application/yaml", records: openYAML},
	{name: "xml", suffix: ".xml", mediatype: "application/xml", records: openXML},
	{name: "html", suffix: ".html", also: []string{".htm"}, mediatype: "text/html", open: openHTML, most: maxTextColumns},
	{name: "csv", suffix: ".csv", mediatype: "text/csv", open: openCSV, most: maxTextColumns, text: true, same: isAbsent | isNull},
	{name: "tsv", suffix: ".tsv", mediatype: "text/tab-separated-values", open: openTSV, most: maxTextColumns, text: true,
		same: isAbsent | isNull | isEmpty},
	{name: "parquet", suffix: ".parquet", mediatype: "application/vnd.apache.parquet", open: openParquet, most: maxHeldColumns,
		typed: true, same: isAbsent | isNull, heavy: true},
	{name: "sqlite", suffix: ".sqlite", mediatype: "application/vnd.sqlite3", open: openSQLite, most: 2000,
		typed: true, same: isAbsent | isNull, heavy: true},
	{name: "xlsx", suffix: ".xlsx", mediatype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		open: openXLSX, most: sheetColumns, sheets: true, same: isAbsent | isNull},
}

// Formats are the names of the formats, those of a lean program alone in one.
func Formats() (names []string) {
	for i := range formats {
		if !lean.Built || !formats[i].heavy {
			names = append(names, formats[i].name)
		}
	}
	return names
}

// FormatOf is the format that a file's name ends in; empty if it is none.
func FormatOf(path string) string {
	path = strings.ToLower(path)
	for i := range formats {
		if strings.HasSuffix(path, formats[i].suffix) ||
			slices.ContainsFunc(formats[i].also, func(s string) bool { return strings.HasSuffix(path, s) }) {
			return formats[i].name
		}
	}
	return ""
}

// LeftOut says that this program is built without a format of that name.
func LeftOut(name string) bool {
	return lean.Built && slices.ContainsFunc(formats[:], func(f format) bool { return f.heavy && f.name == name })
}

func formatNamed(name string) (*format, error) {
	for i := range formats {
		if formats[i].name != name {
			continue
		}
		if LeftOut(name) {
			return nil, fmt.Errorf("%w; it writes %s", lean.Lacks(name), strings.Join(Formats(), ", "))
		}
		return &formats[i], nil
	}
	return nil, fmt.Errorf("there is no format %q: it is one of %s", name, strings.Join(Formats(), ", "))
}

// traits are what any of several formats needs.
type traits struct {
	columns, typed, sheets, text bool
	most                         int    // of the columns in any of them
	widest                       string // the format that has so many
	same                         state
}

func (t *traits) add(f *format) {
	t.columns = t.columns || f.open != nil
	if f.most > t.most {
		t.most, t.widest = f.most, f.name
	}
	t.typed = t.typed || f.typed
	t.sheets = t.sheets || f.sheets
	t.text = t.text || f.text
	t.same |= f.same
}
