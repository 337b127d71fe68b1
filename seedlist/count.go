package seedlist

import (
	"laundromat/internal/digest"
	"laundromat/internal/fault"
)

// Counts are sums over the whole store. They are kept in the transactions that
// change what they count, and never found by scanning.
type Counts struct {
	Seeds    int64 `json:"seeds"` // all records, clean ones and relative ones too
	Relative int64 `json:"relative"`
	// Fragments are URIs with a fragment: they name things in documents that are counted themselves.
	Fragments int64 `json:"fragments"`
	Waiting   int64 `json:"waiting"` // ready, but due later
	// Washed are documents with a file of some product, whatever became of them since. Refreshed are those of them that
	// are being fetched or washed again.
	Washed    int64 `json:"washed"`
	Refreshed int64 `json:"refreshed"`
	// Damaged are seeds that wait and are not worked on, since their record can't be read.
	Damaged int64           `json:"damaged,omitzero"`
	States  map[State]int64 `json:"states"`
	// Formats and Errors count seeds. A page counts as HTML, and under each syntax that it holds ([Record.Syntaxes]).
	// An error counts as long as the record shows it, also while the seed waits to be tried again.
	Formats map[string]int64     `json:"formats"`
	Errors  map[fault.Code]int64 `json:"errors"`
	Notices map[fault.Code]Found `json:"notices"`
	// Statements are summed over dirty documents; Clean over clean files, each once.
	Statements digest.Statements `json:"statements"`
	// Products are those that any document was asked for.
	Products map[string]ProductCount `json:"products"`
	// Recipes are the documents that a recipe was found for, by its name and the SHA-256 of its form.
	Recipes map[string]map[string]int64 `json:"recipes,omitempty"`
	// RecipeFields are how many records have each field, by the name of the recipe that they were made by.
	RecipeFields map[string]map[string]int64 `json:"recipe_fields,omitempty"`
	// RecipePages are the seeds that a recipe led to, by its name.
	RecipePages map[string]int64 `json:"recipe_pages,omitempty"`
	// of all dirty documents as they came, archives and their entries alike
	Bytes     int64      `json:"bytes"`
	Clean     CleanCount `json:"clean"`
	Unchanged int64      `json:"unchanged"` // downloads that found nothing new, ever
	// Removed is what was removed by retention, ever.
	Removed Trimmed `json:"removed,omitzero"`
}

// ProductCount counts one product.
type ProductCount struct {
	Seeds   int64 `json:"seeds"`   // documents with a file of it
	Errors  int64 `json:"errors"`  // documents of which it could not be made, whether they have an older file or not
	None    int64 `json:"none"`    // documents that could hold some and hold none
	Bytes   int64 `json:"bytes"`   // of files before compression; those of statements each once
	Written int64 `json:"written"` // statements, rows, articles
	// Read is what the last washes read: what was Kept, Repaired or Dropped, and of articles what was Empty.
	Read     int64 `json:"read"`
	Kept     int64 `json:"kept"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`
	Empty    int64 `json:"empty,omitzero"`    // articles without text
	Repeated int64 `json:"repeated,omitzero"` // articles that repeat others of their document
}

// OfStatements takes what the counts say of statements, which they have as their own sums.
func (c *ProductCount) OfStatements(all *Counts) {
	s := &all.Statements
	c.Bytes, c.Written = all.Clean.Bytes, s.Written
	c.Read, c.Kept, c.Repaired, c.Dropped = s.Read, s.Kept, s.Repaired, s.Dropped
}

// Found counts one code of notices.
type Found struct {
	Seeds int64 `json:"seeds"` // documents that have it
	Times int64 `json:"times"` // how often in all
}

// CleanCount counts what was washed.
type CleanCount struct {
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"` // before compression
	Lines int64 `json:"lines"` // statements
}
