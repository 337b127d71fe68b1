package daemon

import (
	"bytes"
	"context"
	"io"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recipe"
	"laundromat/states/recordset"
)

// RecipeTrial reads a document of the store by a recipe, and keeps nothing.
type RecipeTrial struct {
	Files files.Blobs
	Seeds seedlist.List
	Temp  string
	// Rows and Notices are how many of either are given, Bytes how much of the document is read.
	Rows, Notices int
	Bytes         int64
}

// Tried is what a recipe makes of a document.
type Tried struct {
	Kind kind.Kind // that it is read as
	Sums digest.Records
	// Rows are the first records, as lines of JSON without their ends.
	Rows    [][]byte
	Fields  map[string]int64 // in how many records each field is
	Notices []fault.Notice   // the first
	Found   int64            // notices in all
	Pages   []string         // the first that the document leads to
	Led     int64            // pages in all
	IsCut   bool             // only the beginning of the document was read
	// IsMatched says that the recipe is for this document, as far as its record says.
	IsMatched bool
}

// trialMemory is what a document may take that is read for a trial.
const trialMemory = 64 << 20

// Try reads a document. An error says why nothing comes of it.
func (t *RecipeTrial) Try(ctx context.Context, seed seedlist.Seed, by *recipe.Recipe) (tried Tried, err error) {
	set := recipe.NewSet([]recipe.Listed{{Name: by.Name, Match: &by.Match}})
	facts, _, err := RecipeFacts(ctx, t.Seeds, set, &seed, seed.Matched())
	if err != nil {
		return tried, err
	}
	tried.IsMatched = set.Find(&facts) != nil
	document, end, err := t.document(ctx, seed, &tried)
	if err != nil {
		return tried, err
	}
	defer end.Close()
	d := states.Decoded{Document: readBy(by, document), Key: seed.Hash, Fetched: seed.Retrieved}
	if !d.Document.BaseIsFile && !fetch.IsFile(d.Document.Base) {
		d.URL = d.Document.Base
	}
	err = states.Safely(func() error { return t.make(ctx, &seed, d, by, &tried) })
	return tried, err
}

// make makes the records of a document, and takes the first of all that comes.
func (t *RecipeTrial) make(ctx context.Context, seed *seedlist.Seed, d states.Decoded, by *recipe.Recipe, tried *Tried) error {
	guessed, err := states.Guess(ctx, d.Document, by.Given())
	tried.Kind = guessed.Kind
	switch {
	case err != nil && fault.CodeOf(err) != fault.FormatNotRDF:
		return err
	case by.FormOf(guessed.Kind) == kind.Not:
		return fault.New("daemon.RecipeTrial", fault.Data, fault.FormatNotRDF, "no records are made of %s", guessed.Kind)
	}
	product := recordset.Product{Recipe: by}
	if by.Spec == nil {
		product.Recipe = nil // records as they stand
	}
	if page := seed.Page; page != nil && seed.PageOf() == by.Name {
		product.IsFurther, product.IsDetail = true, page.Detail
	}
	var settings states.Settings
	opt := states.ParseOptions{Settings: settingsBy(by, settings), Hashes: states.ForNothing}
	_, made, err := states.MakeProduct(ctx, d, guessed, opt, states.ProductOutput{Product: product, Begin: func() (*states.Making, error) {
		// What a reading before gave is void.
		tried.Rows, tried.Notices, tried.Found, tried.Pages, tried.Led = nil, nil, 0, nil, 0
		return &states.Making{Memory: trialMemory, Temp: t.Temp, Line: func(line []byte) error {
			if len(tried.Rows) < t.Rows {
				tried.Rows = append(tried.Rows, bytes.Clone(bytes.TrimSuffix(line, []byte("\n"))))
			}
			return nil
		}, Notice: func(n fault.Notice) {
			if tried.Found++; len(tried.Notices) < t.Notices {
				tried.Notices = append(tried.Notices, n)
			}
		}, Named: func(n states.Named) {
			if tried.Led++; len(tried.Pages) < t.Rows {
				tried.Pages = append(tried.Pages, n.URI)
			}
		}}, nil
	}})
	tried.Sums, tried.Fields = made.Records, made.Fields
	return err
}

// document is the stored document, up to so many bytes.
func (t *RecipeTrial) document(ctx context.Context, seed seedlist.Seed, tried *Tried) (d states.Document, end io.Closer, err error) {
	if d, end, err = storedDocument(ctx, t.Files, t.Seeds, seed, t.Temp); err != nil {
		return d, nil, err
	}
	open := d.Open
	d.Size = -1
	d.Open = func(ctx context.Context) (io.ReadCloser, error) {
		in, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{&firstBytes{in: in, left: t.Bytes, isCut: &tried.IsCut}, in}, nil
	}
	return d, end, nil
}

// firstBytes reads so many bytes, and says whether there are more.
type firstBytes struct {
	in    io.Reader
	left  int64
	isCut *bool
}

func (b *firstBytes) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if n, _ := io.ReadFull(b.in, make([]byte, 1)); n > 0 {
			*b.isCut = true
		}
		return 0, io.EOF
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
