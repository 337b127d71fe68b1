package daemon

import (
	"context"
	"errors"
	"io"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/states"
)

// Repairs makes the diff of the repairs of stored documents, as the commands wash and check write it.
type Repairs struct {
	Files    files.Blobs
	Seeds    seedlist.List
	Settings states.Settings // how documents are read; its Temp is the folder for what is spooled
	Most     int64           // bytes of a document, after its filters, that are read; 0: all
}

// Write reads the stored bytes of a document, which people know by a name, and writes its repairs as a diff. Of a
// document without repairs it writes nothing, and of no document anything before the diff is proved. An error of
// kind [fault.Limit] says that the document is too long.
func (r *Repairs) Write(ctx context.Context, seed seedlist.Seed, name string, to io.Writer) error {
	document, end, err := storedDocument(ctx, r.Files, r.Seeds, seed, r.Settings.Temp)
	if err != nil {
		return err
	}
	defer end.Close()
	document.Name = name
	isOver := false
	if r.Most > 0 {
		document = boundedDocument(document, r.Most, &isOver)
	}
	contexts := &storedContexts{seeds: r.Seeds}
	err = states.Safely(func() error { return r.write(ctx, &seed, document, contexts, to) })
	switch {
	case isOver:
		return tooLong(r.Most)
	case contexts.failed != nil:
		return contexts.failed
	}
	return err
}

// write reads a document as its last wash did, for its repairs.
func (r *Repairs) write(ctx context.Context, seed *seedlist.Seed, document states.Document, contexts *storedContexts, to io.Writer) error {
	c, err := NewRecipes(r.Seeds).cookAgain(ctx, &seedlist.Claim{Seed: *seed}, document)
	if err == nil {
		err = c.err
	}
	if err == nil && c.guessed.Format == "" {
		err = fault.New("daemon.Repairs", fault.Data, fault.FormatNotRDF, "not RDF: %s", c.guessed.Kind)
	}
	if err != nil {
		return err
	}
	settings := settingsBy(c.by, r.Settings)
	settings.ContextLoader = contexts
	return (&states.Diffs{To: to}).Write(ctx, c.document, c.guessed, states.ParseOptions{Settings: settings})
}

// tooLong says that a document is too long to be read for its repairs.
func tooLong(most int64) error {
	return fault.New("daemon.Repairs", fault.Limit, fault.LimitMemory, "it is longer than %d MiB after its filters, which is too long "+
		"to be read several times here", most>>20)
}

// boundedDocument is a document of which so many bytes are read; a reading of more fails, and sets isOver.
func boundedDocument(d states.Document, most int64, isOver *bool) states.Document {
	open := d.Open
	d.Open = func(ctx context.Context) (io.ReadCloser, error) {
		in, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return &longDocument{ReadCloser: in, left: most + 1, isOver: isOver, most: most}, nil
	}
	return d
}

// longDocument reads so many bytes, and fails where there are more.
type longDocument struct {
	io.ReadCloser
	left, most int64 // left is one more at first, so that a document of exactly so many comes to its end
	isOver     *bool
}

func (b *longDocument) Read(p []byte) (int, error) {
	if b.left <= 0 {
		*b.isOver = true
		return 0, tooLong(b.most)
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// storedContexts gives documents the contexts that the list has, and asks for none.
type storedContexts struct {
	seeds  seedlist.Contexts
	failed error // what the list could not do
}

// LoadContext finds a context in the list.
func (s *storedContexts) LoadContext(ctx context.Context, iri string) (d format.ContextDocument, err error) {
	c, err := s.seeds.Context(ctx, iri)
	switch {
	case errors.Is(err, seedlist.ErrNotFound), err == nil && c.SHA256 == "":
		return d, errors.New("it never came")
	case err != nil:
		s.failed = err
		return d, format.ErrContextDue // the reading ends
	}
	return format.ContextDocument{Text: c.Text, IRI: c.From}, nil
}
