package states

import (
	"bytes"
	"context"
	"io"
	"time"

	"laundromat/archive"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/states/kind"
)

// Product makes one kind of file of documents other than statements: records or articles.
type Product interface {
	// Name is that in records, flags and URLs.
	Name() string
	// Make makes the product of one reading of a document. What its lines flow into may fail; that error comes back
	// as it is. Findings in the data are none.
	Make(ctx context.Context, d *Decoded, to *Making) (Made, error)
}

// Decoded is a document whose encoding is presumed, and proved while it is read.
type Decoded struct {
	Document
	Kind kind.Kind
	// Head is the beginning of the text, and Whole says that there is no more. Of bytes that are no text it is empty.
	Head  []byte
	Whole bool
	// Text is the document in UTF-8, to be read once; nil where it is read from Raw.
	Text io.Reader
	Raw  archive.SpooledSource
	// Page is the document for those who read it as a page; nil if no other does.
	Page *page.Shared
	// URL is where it is; "" for a file.
	URL string
	// Key is the KEY of the document.
	Key     string
	Fetched time.Time // zero for files
	// Status is that of the reply whose body it is; 0 where there was none.
	Status int
}

// Making takes what a product makes of one reading.
type Making struct {
	// Line takes a line of the file, with its end.
	Line   func([]byte) error
	Notice func(fault.Notice) // of the product
	// Document takes what is found of the document, for all products: its transport, its encoding. It is nil where
	// another reading told that already.
	Document func(fault.Notice)
	// Named takes a page that the document leads to by a recipe; nil where nobody asks.
	Named  func(Named)
	Memory int64  // that may be used, in bytes
	Temp   string // the folder for what is spooled
	// Statements takes those that are made of records; nil where none are wanted.
	Statements *StatementsMaking
}

// StatementsMaking takes the statements that are made of the records of a document.
type StatementsMaking struct {
	Lines    clean.Lines
	Notice   func(fault.Notice) // about statements; one about a record without a node has its Lost
	Clean    clean.Options
	Contexts format.ContextLoader
}

// StatementsMade is what became of the statements of a document's records.
type StatementsMade struct {
	clean.Tally
	WithoutNode int64 // records of which no statements could be made, as they have no IRI
	Failed      error // why there are none; the records are made all the same
}

// Named is a page that a document leads to.
type Named struct {
	URI string
	// IsDetail says that it holds the details of one record.
	IsDetail bool
}

// Made is what became of a product.
type Made struct {
	Records  digest.Records
	Articles digest.Articles
	// Written are the lines of the file.
	Written int64
	// None says that the document could hold some, beside other things, and holds none.
	None bool
	// IsBare says that nothing is there which a recipe asks for. It counts as one record lost.
	IsBare bool
	// UsesURI says that the document's URI, or when it was fetched, may have a part in what was made.
	UsesURI bool
	Tables  int64
	// Fields are how many records have each field, of those that a spec makes.
	Fields   map[string]int64
	Schema   []byte // the Table Schema of records; nil for others
	Evidence []format.Evidence
	// Statements are those that were made of records, where they were wanted.
	Statements StatementsMade
}

// ProductOutput takes what is made of a document for a product.
type ProductOutput struct {
	Product Product
	// Begin is called for each reading: again where one refuted what was presumed of the document, and then what came
	// before is void.
	Begin func() (*Making, error)
	// Progress is given, now and then, how many bytes are read; nil if nobody asks.
	Progress func(bytes int64)
}

// MakeProduct reads a document for a product. The Reading holds the encoding and the text as proved.
func MakeProduct(ctx context.Context, d Decoded, presumed Guessed, opt ParseOptions, out ProductOutput) (Reading, Made, error) {
	product := out.Product
	if source := opt.Held.source(); source != nil && presumed.Encoding.Strays == nil {
		made, err := makeOfHeld(ctx, d, presumed, opt.Held, out)
		return Reading{}, made, blamed(err)
	}
	if presumed.Kind.Form(product.Name()) == kind.Raw {
		made, err := makeOfBytes(ctx, d, product, out.Begin)
		return Reading{}, made, blamed(err)
	}
	pass := pass{document: d.Document, guessed: presumed, opt: opt}
	for {
		reading, made, err := pass.make(ctx, d, product, out)
		again, failed := pass.refutedEncoding(ctx, reading, err)
		if !again && failed == nil {
			again, failed = pass.foundDoubled(ctx, reading, err)
		}
		switch {
		case failed != nil:
			return Reading{}, Made{}, blamed(failed)
		case !again:
			reading.proved = pass.guessed
			return reading, made, blamed(err)
		}
	}
}

// makeOfHeld makes a product of what another reading left.
func makeOfHeld(ctx context.Context, d Decoded, proved Guessed, held *Held, out ProductOutput) (made Made, err error) {
	to, err := out.Begin()
	if err != nil {
		return made, err
	}
	source := held.source()
	d.Whole, d.Head, d.Text = len(source) <= GuessPrefix, source[:min(len(source), GuessPrefix)], bytes.NewReader(source)
	d.Size, d.Page = int64(len(source)), held.shared()
	d.presume(proved)
	err = Safely(func() (err error) {
		made, err = out.Product.Make(ctx, &d, to)
		return err
	})
	return made, err
}

// presume notes what a document is presumed to be.
func (d *Decoded) presume(guessed Guessed) {
	d.Kind = guessed.Kind
	if guessed.called != "" {
		d.ContentType = guessed.called
	}
}

// makeOfBytes makes a product of bytes that are no text.
func makeOfBytes(ctx context.Context, d Decoded, product Product, begin func() (*Making, error)) (made Made, err error) {
	to, err := begin()
	if err != nil {
		return made, err
	}
	r, err := d.Bytes(ctx)
	if err != nil {
		return made, err
	}
	defer r.Close()
	d.Raw, err = archive.Spool(ctx, WithContext(ctx, r), to.Temp, SpoolMemory)
	if err != nil {
		return made, err
	}
	defer d.Raw.Close()
	err = Safely(func() (err error) {
		made, err = product.Make(ctx, &d, to)
		return err
	})
	return made, err
}

// make is one reading.
func (p *pass) make(ctx context.Context, d Decoded, product Product, out ProductOutput,
) (reading Reading, made Made, err error) {
	held := p.opt.Held
	held.Reset()
	to, err := out.Begin()
	if err != nil {
		return reading, made, err
	}
	tell := to.Document
	if tell == nil {
		tell = func(fault.Notice) {}
	}
	raw, err := p.document.Bytes(ctx)
	if err != nil {
		return reading, made, err
	}
	defer raw.Close()
	for _, n := range p.guessed.Notices {
		tell(n)
	}
	watching := &watched{ctx: ctx, from: raw, tally: &clean.Tally{}}
	if out.Progress != nil {
		watching.tell = func(bytes, _ int64) { out.Progress(bytes) }
	}
	head, whole, err := headOf(watching)
	if d.Whole = whole; err != nil {
		return reading, made, err
	}
	if d.Head, err = decodePrefix(head, p.guessed.Encoding.Name); err != nil {
		return reading, made, err
	}
	decoding, err := p.guessed.decode(io.MultiReader(bytes.NewReader(head), watching), tell)
	if err != nil {
		return reading, made, err
	}
	d.Text = p.guessed.withoutStrays(decoding.text, tell)
	d.presume(p.guessed)
	if d.Kind == kind.HTML {
		d.Page = held.shared()
	}
	err = Safely(func() (err error) {
		made, err = product.Make(ctx, &d, to)
		return err
	})
	if err == nil { // a reader may stop before the end; counts are of the whole
		_, err = io.Copy(io.Discard, d.Text)
	}
	if err != nil {
		return reading, made, err
	}
	p.doubled = decoding.doubled
	reading.Text = decoding.finish(&p.guessed, tell, false)
	held.finish()
	reading.Encoding, reading.Format = p.guessed.Encoding, format.Format(p.guessed.Kind.Record())
	return reading, made, nil
}
