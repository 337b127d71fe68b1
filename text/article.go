// Package text holds what the text engine makes. An [Article] is the text of one page or feed entry, with its blocks,
// tokens, links and quotes. Each of these knows its place.
//
// All offsets in this package are bytes of Article.Text, from 0; an end is exclusive. JSON has code points instead,
// or units of UTF-16: see [Article.AppendJSON]. Places turns an offset into the place in the document's bytes.
//
// The parts are made by the packages below this one, each of which takes an article and fills its own field.
package text

// Article is the text of one page, feed entry, record or file.
type Article struct {
	ID     string // the key of URL, else of the member; as given where the format gives one
	Source string // the URL or member that the article was read from
	URL    string // where the article itself is, which a page may say of itself
	// Created is when the article was published, by the evidence CreatedFrom names: feed, json-ld, meta, time or
	// file. Both are empty where nothing says it.
	Created     string
	CreatedFrom string
	Added       string // when the bytes were fetched; empty for files
	Language    string // as the document says it; empty where it doesn't

	Title string // without space around it
	// TitleSource is the title as it was, if it had tags or references that Title has not.
	TitleSource string
	TitleTokens []Token

	Text   string
	Blocks []Block
	Tokens []Token
	Links  []Link
	Quotes []Quote
	// Places says where the text stands in the document.
	Places Places

	Languages []LanguageSpan
	Metadata  Metadata
}

// Append adds the text of another article of the same document behind that of this one, with its blocks, links and
// places. Tokens and quotes are made of the whole.
func (a *Article) Append(b *Article) {
	a.Text += "\n\n"
	by := len(a.Text)
	a.Text += b.Text
	for _, block := range b.Blocks {
		block.Span = block.Span.moved(by)
		a.Blocks = append(a.Blocks, block)
	}
	for _, link := range b.Links {
		if !link.InTitle {
			link.Span = link.Span.moved(by)
		}
		a.Links = append(a.Links, link)
	}
	for _, run := range b.Places {
		run.Text += by
		a.Places = a.Places.Append(run)
	}
}

// Span is a stretch of a text.
type Span struct{ Start, End int }

func (s Span) moved(by int) Span { return Span{s.Start + by, s.End + by} }

// Block is a stretch of text that stands apart. Blocks are in the order of the document, never overlap, and hold all
// of the text but what keeps them apart.
type Block struct {
	Span
	Kind  Kind
	Level int  // of a heading: 1 to 6
	Bytes Span // its place in the document's UTF-8 text
	// Part, Score and Reason are what the choice of the main content says; Part is empty where none was made.
	Part   string
	Score  float64
	Reason string
}

// Kind is what a block is.
type Kind uint8

// The kinds of blocks. Those from Navigation on say where the block stands, which counts for more than what it is.
const (
	Paragraph Kind = iota
	Heading
	ListItem
	TableCell
	Code // preformatted: white space is kept
	Quotation
	Caption
	Term       // of a list of definitions
	Definition // of a term
	Control    // text of a form: a button, an option, a label, a legend
	Navigation
	Header
	Footer
	Aside
	Hidden // what is not shown unless somebody asks: the attribute hidden, suggestions for a field
)

var kindNames = [...]string{"paragraph", "heading", "list-item", "table-cell", "code", "quotation", "caption", "term", "definition",
	"control", "navigation", "header", "footer", "aside", "hidden"}

func (k Kind) String() string { return kindNames[k] }

// Token is a word, a number or a sign. Text is its normalised form.
type Token struct {
	Start, End int
	Text       string
}

// Link is a reference to another document. Span is the place of its text; it is empty, at the offset of the next
// token, where the link has none.
type Link struct {
	Span
	URL     string
	InTitle bool // of the title; Span says nothing
}

// Quote is the text between two quotation marks, without space at its ends.
type Quote struct {
	Span
	Text string
}

// LanguageSpan is a stretch in one language.
type LanguageSpan struct {
	Span
	Language    string // a tag of BCP 47
	Probability float64
}

// Language is a language of the whole article.
type Language struct {
	Tag         string
	Probability float64
}

// Metadata is what is said of an article as a whole.
type Metadata struct {
	Languages []Language
	Phase     string
	// Useful is the share of useful characters; HasUseful says that it is known.
	Useful    float64
	HasUseful bool
	// Garbled says that the text is; IsJudged that this is known.
	Garbled, IsJudged bool
	DuplicateOf       *Duplicate
	// Kind is what kind of page it is. Confidence is how well the words of the main part are likely to be those of
	// the main content; it says nothing where Kind is empty.
	Kind        string
	Confidence  float64
	Author      *Said
	Site        *Said
	Description *Said
}

// Said is what a page says of itself, and where: json-ld, meta or element.
type Said struct{ Value, From string }

// Duplicate is an article that this one is like.
type Duplicate struct {
	ID       string
	Likeness float64
}
