// Package csvw makes statements of tables, as W3C's "Generating RDF from Tabular Data on the Web" says. The metadata
// of a table is found by the rules of "Model for Tabular Data and Metadata on the Web", and honoured.
//
//	c := csvw.New(csvw.Options{Load: load, Notice: report})
//	err := c.Table(ctx, &csvw.Resource{URL: "http://example.org/a.csv", Text: text}, sink)
//	err = c.Metadata(ctx, &csvw.Resource{URL: "http://example.org/metadata.json", Text: text}, sink)
//
// One row at a time is held. Keys are sorted outside of memory, and checked when all tables are read.
package csvw
