package search

// Field says where the words of an entry are.
type Field string

// The fields, of which the first come first in a list of hits.
const (
	Title     Field = "title"     // of the document, as people or a catalog name it
	Article   Field = "article"   // the title of an article that was made of it
	Class     Field = "class"     // an IRI that its statements use
	Property  Field = "property"  // likewise
	Column    Field = "column"    // of a table that was made of it
	Publisher Field = "publisher" // as a catalog claims
	Claim     Field = "claim"     // anything else that a catalog claims in words
	LabelOf   Field = "label"     // of a thing, in its clean statements
)

// entry is a text of a document that is found by its words.
type entry struct {
	Field    Field
	Property string // of a label
	Text     string
	Line     int64 // of a label, in the clean file, from 1
	term     int64 // the number that the index has for the IRI of a class or property; 0 before it has one
}

// isTerm says that it is an IRI that many documents use.
func (e *entry) isTerm() bool { return e.Field == Class || e.Field == Property }

// words are those by which it is found.
func (e *entry) words() []string {
	switch e.Field {
	case Class, Property, Column:
		return NameWords(e.Text)
	}
	return Words(e.Text)
}

// tier is the place of an entry among those with the same words: 0 for what names documents and terms, then the fewer
// words the earlier.
func (e *entry) tier(words int) int64 {
	switch {
	case e.Field != LabelOf && e.Field != Claim && e.Field != Publisher:
		return 0
	case words <= 2:
		return int64(max(1, words))
	case words <= 4:
		return 3
	case words <= 7:
		return 4
	}
	return 5
}

// A row is the tier, the number of the document, and the number of the entry in it: FTS5 gives rows in their order.
// That of a term has the number of the term in place of a document's, and a bit that no document has.
// Together they have 49 bits, which FTS5 writes as seven bytes: every word that one entry alone has takes those.
const (
	entryBits    = 12
	documentBits = 34
	// mostEntries is how many entries a document may have.
	mostEntries = 1 << entryBits
	termBit     = 1 << (documentBits - 1)
)

func rowOf(tier, document int64, number int) int64 {
	return tier<<(documentBits+entryBits) | document<<entryBits | int64(number)
}

func splitRow(row int64) (document int64, number int) {
	return row >> entryBits & (1<<documentBits - 1), int(row & (mostEntries - 1))
}

// rowOfTerm is the row of the words of a term. It comes after those of what else names documents.
func rowOfTerm(term int64) int64 { return rowOf(0, termBit|term, 0) }

// termOf is the term that a row is of; false if it is of a document.
func termOf(row int64) (int64, bool) {
	of, _ := splitRow(row)
	return of &^ termBit, of&termBit != 0
}
