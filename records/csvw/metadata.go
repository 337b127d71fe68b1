package csvw

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/records/schema"
)

// Group is a group of tables, as a metadata document describes it.
type Group struct {
	ID         string
	Tables     []*Table
	properties []property // common ones, in order
	notes      *jsonread.Value
	scope      *scope
	where      string // the URL of the document, where it was found for a table
	isUsual    bool   // it was found in a place of the site or the standard
}

// Table describes a table.
type Table struct {
	URL, ID    string
	place      string // where it is loaded from
	Suppress   bool   // no statement is made of it
	Dialect    *Dialect
	Schema     *Schema
	properties []property
	notes      *jsonread.Value
	scope      *scope
	pos        fault.Pos
	silent     bool           // it is read for its keys alone
	described  bool           // by a metadata document, and not by its header alone
	packaged   *packagedTable // where the document is the descriptor of a Data Package
}

// Schema describes the columns of a table.
type Schema struct {
	Columns     []*Column
	primaryKey  []string
	foreignKeys []*foreignKey
	rowTitles   []string
	id          string
	inherited   inherited
	settled     bool // the columns are those that are described, even if there are none
	scope       *scope
	pos         fault.Pos
}

// Column describes a column.
type Column struct {
	Name     string
	titles   []title
	Suppress bool
	Virtual  bool
	inherited
	cell  *schema.Cell // of a Data Package, which reads its values
	named bool         // by the description itself
	pos   fault.Pos
	made  *columnPlan
}

// title is a text in a language; "und" is not known.
type title struct{ text, language string }

// inherited are the properties that a description passes on to those in it.
type inherited struct {
	about, property, value *template
	datatype               *datatype
	byDefault              string
	language               string
	nulls                  []string
	ordered, required      bool
	separator              string
	separates              bool
}

// foreignKey says that the values of columns are in the rows of another table, or of the same.
type foreignKey struct {
	columns []string
	table   string // its URL, or
	schema  string // that of its schema
	names   []string
	pos     fault.Pos
}

// property is a common property: one that is not of the vocabulary of tables.
type property struct {
	iri   string
	value *jsonread.Value
}

// scope is the context of a metadata document.
type scope struct{ base, language string }

// Dialect says how a table is written as text.
type Dialect struct {
	Encoding         string
	CommentPrefix    string
	Delimiter        string
	LineTerminators  []string
	QuoteChar        string // "" for none
	DoubleQuote      bool
	Header           bool
	HeaderRowCount   int
	SkipRows         int
	SkipColumns      int
	SkipBlankRows    bool
	SkipInitialSpace bool
	TrimStart        bool
	TrimEnd          bool
}

// DefaultDialect is that of a table of which nothing else is said.
func DefaultDialect() *Dialect {
	return &Dialect{Encoding: "utf-8", Delimiter: ",", QuoteChar: `"`, DoubleQuote: true, Header: true, HeaderRowCount: 1}
}
