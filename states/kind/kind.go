// Package kind says what a document is, by one table: what each kind makes by itself, what it may be asked for, and
// how it is read for that. The guess of package rdf/format decides. Only where it says no more than "XML", "JSON" or
// "plain text" do the readers of records and articles look closer, by the marks that they go by themselves.
package kind

import (
	"slices"
	"strings"
	"sync"

	"laundromat/rdf/format"
	"laundromat/seedlist"
)

// Kind is what a document is, as records name it: a format of RDF, one of the kinds below, or the name that
// [format.Guessed] has for what no product is made of: PDF, PNG, SPARQL query, …
type Kind string

// The kinds that are no formats of RDF. XML and JSON are also those of languages written in them.
const (
	HTML          Kind = Kind(format.HTML)
	RSS10         Kind = "RSS 1.0" // which is RDF/XML, too
	RSS           Kind = "RSS"
	Atom          Kind = "Atom"
	JSONFeed      Kind = "JSON Feed"
	Text          Kind = "text"
	F5            Kind = "f5"
	Full5         Kind = "full5"
	CSV           Kind = "CSV"
	TSV           Kind = "TSV"
	XLSX          Kind = "XLSX"
	ODS           Kind = "ODS"
	FlatODS       Kind = "flat ODS"
	SpreadsheetML Kind = "SpreadsheetML"
	JSON          Kind = "JSON"
	JSONLines     Kind = "JSON lines"
	YAML          Kind = "YAML"
	XML           Kind = "XML"
)

// The products, by the names that records, flags and URLs have for them, in their order.
const (
	Statements = seedlist.ProductStatements
	Records    = seedlist.ProductRecords
	Articles   = seedlist.ProductArticles
)

// Products are all of them.
func Products() []string { return seedlist.Products() }

// Form is how a product reads a document.
type Form uint8

// The forms. A document that is read as a tree or whole is held in memory; Raw is of its bytes, without decoding.
const (
	Not Form = iota
	Stream
	Whole
	Tree
	Raw
)

// row says of a kind how each product reads it, which it makes by itself, and the name that package records/extract
// has for it.
type row struct {
	kind                          Kind
	statements, records, articles Form
	byItself                      string
	extract                       string
}

const all = Statements + " " + Records + " " + Articles

var table = []row{
	{Kind(format.NTriples), Stream, Not, Not, Statements, ""},
	{Kind(format.NQuads), Stream, Not, Not, Statements, ""},
	{Kind(format.Turtle), Stream, Not, Not, Statements, ""},
	{Kind(format.TriG), Stream, Not, Not, Statements, ""},
	{Kind(format.N3), Stream, Not, Not, Statements, ""},
	{Kind(format.RDFXML), Stream, Stream, Not, Statements, "xml"},
	{Kind(format.TriX), Stream, Stream, Not, Statements, "xml"},
	{Kind(format.JSONLD), Stream, Stream, Not, Statements, "json"},
	{Kind(format.RDFJSON), Stream, Stream, Not, Statements, "json"},
	{Kind(format.RDFa), Stream, Stream, Not, Statements, "xml"},
	{HTML, Tree, Tree, Tree, all, "html"},
	{RSS10, Stream, Stream, Whole, Statements + " " + Articles, "xml"},
	{RSS, Not, Stream, Whole, Articles, "xml"},
	{Atom, Not, Stream, Whole, Articles, "xml"},
	{JSONFeed, Not, Stream, Whole, Articles, "json"},
	{Text, Not, Not, Whole, Articles, ""},
	{F5, Not, Not, Stream, Articles, ""},
	{Full5, Not, Not, Stream, Articles, ""},
	{CSV, Not, Stream, Not, Records, "csv"},
	{TSV, Not, Stream, Not, Records, "tsv"},
	{XLSX, Not, Raw, Not, Records, "xlsx"},
	{ODS, Not, Raw, Not, Records, "ods"},
	{FlatODS, Not, Stream, Not, Records, "fods"},
	{SpreadsheetML, Not, Stream, Not, Records, "spreadsheetml"},
	{JSON, Not, Stream, Not, Records, "json"},
	{JSONLines, Not, Stream, Not, Records, "jsonl"},
	{YAML, Not, Stream, Not, Records, "yaml"},
	{XML, Not, Stream, Not, Records, "xml"},
}

func (k Kind) row() *row {
	for i := range table {
		if table[i].kind == k {
			return &table[i]
		}
	}
	return &row{kind: k}
}

// Form is how a product reads documents of the kind; Not if it can't be made of them.
func (k Kind) Form(product string) Form {
	r := k.row()
	switch product {
	case Statements:
		return r.statements
	case Records:
		return r.records
	case Articles:
		return r.articles
	}
	return Not
}

// ByItself are the products that are made of documents of the kind where nobody asks for others.
func (k Kind) ByItself() []string { return strings.Fields(k.row().byItself) }

// Makes are those of the wanted products that documents of the kind make by themselves.
func (k Kind) Makes(wanted []string) (made []string) {
	for _, product := range k.ByItself() {
		if slices.Contains(wanted, product) {
			made = append(made, product)
		}
	}
	return made
}

// Extract is the name of the kind in package records/extract; "" if it reads none of it.
func (k Kind) Extract() string { return k.row().extract }

// HasSheets says that documents of the kind are workbooks: a place in one is a row and a column of a sheet, and none
// of a text.
func (k Kind) HasSheets() bool {
	switch k {
	case XLSX, ODS, FlatODS, SpreadsheetML:
		return true
	}
	return false
}

// IsTable says that documents of the kind are tables, of text or sheets.
func (k Kind) IsTable() bool { return k == CSV || k == TSV || k.HasSheets() }

// Named is a kind by a name that people have for it, in any case: that of records, of a format of RDF, or of a format
// of records.
func Named(name string) (Kind, bool) {
	name = plainName(name)
	if is, ok := byPlainName()[name]; ok {
		return is, true
	}
	if is, ok := byExtract[name]; ok {
		return is, true
	}
	is, err := format.Named(name)
	return Kind(is), err == nil
}

// byPlainName are the kinds of the table by their plain names.
var byPlainName = sync.OnceValue(func() map[string]Kind {
	kinds := make(map[string]Kind, len(table))
	for i := range table {
		if name := plainName(string(table[i].kind)); kinds[name] == "" {
			kinds[name] = table[i].kind
		}
	}
	return kinds
})

var withoutMarks = strings.NewReplacer("-", "", "/", "", " ", "")

func plainName(name string) string {
	return withoutMarks.Replace(strings.ToLower(strings.TrimSpace(name)))
}

// byExtract are further names of kinds, as package records/extract has them.
var byExtract = map[string]Kind{"fods": FlatODS, "spreadsheetml": SpreadsheetML, "jsonl": JSONLines, "ndjson": JSONLines, "yml": YAML,
	"plaintext": Text, "txt": Text, "htm": HTML, "xhtml": HTML}

// Names are the names of all kinds.
func Names() []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = string(table[i].kind)
	}
	return names
}

// IsBytes says that documents of the kind are read as bytes, and not as text.
func (k Kind) IsBytes() bool { return k.row().records == Raw }

// BeginsAsText says that documents of the kind begin as a text does, and are bytes that a program reads.
func (k Kind) BeginsAsText() bool {
	switch k {
	case "PDF", "PostScript", "RTF":
		return true
	}
	return false
}

// IsNoText says that a document whose first bytes are those of a text is none that people read.
func (k Kind) IsNoText() bool { return k == "binary data" || k.BeginsAsText() }

// MayBeGiven says that a document may be read as one of the kind, whatever it looks like.
func (k Kind) MayBeGiven() bool {
	r := k.row()
	return r.statements != Not || r.records != Not || k == Text
}

// Others are the names of the kinds that are no RDF, in the order of the table.
func Others() (names []string) {
	for i := range table {
		if k := table[i].kind; table[i].statements == Not {
			names = append(names, k.Record())
		}
	}
	return names
}

// Record is the format in the record of a document of the kind.
func (k Kind) Record() string {
	if k == RSS10 {
		return string(format.RDFXML)
	}
	return string(k)
}

// OfRecord are the kinds that a document may be of, by the format in its record: one, but for feeds in RDF/XML, which
// the record does not tell from other RDF/XML. Of a document whose format is not known, they are all.
func OfRecord(name string) []Kind {
	if name != "" && name != RSS10.Record() {
		return []Kind{Kind(name)}
	}
	var all []Kind
	for i := range table {
		if k := table[i].kind; name == "" || k.Record() == name {
			all = append(all, k)
		}
	}
	return all
}

// verbs are the commands that make the products.
var verbs = map[string]string{Statements: "wash", Records: "records", Articles: "text"}

// Elsewhere says which commands read documents of the kind, as "laundromat records" does a CSV; "" if none does by
// itself but that of product.
func (k Kind) Elsewhere(product string) string {
	var names []string
	for _, other := range k.ByItself() {
		if other != product {
			names = append(names, `"laundromat `+verbs[other]+`"`)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " reads it"
	}
	return strings.Join(names, " and ") + " read it"
}

// Unwanted says by which setting of a daemon that makes some products documents of the kind make others; "" if there is
// none.
func (k Kind) Unwanted(wanted []string) string {
	others := slices.DeleteFunc(k.ByItself(), func(product string) bool { return slices.Contains(wanted, product) })
	if len(others) == 0 {
		return ""
	}
	isNamed := func(product string) bool { return slices.Contains(wanted, product) || slices.Contains(others, product) }
	all := slices.DeleteFunc(Products(), func(product string) bool { return !isNamed(product) })
	return "--products " + strings.Join(all, ",") + " makes " + strings.Join(others, " and ") + " of it"
}
