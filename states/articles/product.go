package articles

import (
	"bytes"
	"context"
	"io"
	"slices"
	"time"

	"laundromat/internal/digest"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/text/job"
)

// Product makes the articles of documents.
type Product struct{}

// Name is that of the product.
func (Product) Name() string { return kind.Articles }

// Make makes the articles of one reading: a line of JSON each. When the bytes were fetched is not in them, so that
// the
// same bytes give the same file.
func (Product) Make(ctx context.Context, d *states.Decoded, to *states.Making) (made states.Made, err error) {
	lines := &lineWriter{to: to}
	made, err = writeArticles(ctx, d, to, lines, job.Output{Format: "jsonl"})
	made.Written, made.UsesURI = lines.written, true // each article names it
	made.None = err == nil && made.Written == 0
	return made, err
}

// Formed makes the articles of a document in another format of the command text. When its bytes were fetched is the
// date
// of records of WARC.
type Formed struct {
	Format string // one of MadeForms
	To     io.Writer
}

// MadeForms are the formats that are made of a document's bytes, beside those of what is stored of its articles.
func MadeForms() []string {
	return slices.DeleteFunc(job.Outputs(), func(f string) bool { return slices.Contains(StoredForms(), f) })
}

// Make writes the articles; what comes of them is counted.
func (f *Formed) Make(ctx context.Context, d *states.Decoded, to *states.Making) (states.Made, error) {
	return writeArticles(ctx, d, to, f.To, job.Output{Format: f.Format, Date: d.Fetched})
}

// writeArticles writes the articles of one reading.
func writeArticles(ctx context.Context, d *states.Decoded, to *states.Making, out io.Writer, as job.Output) (made states.Made, err error) {
	doc := job.Document{Name: d.Name, FileName: d.FileName, MediaType: d.ContentType, URL: d.URL, Key: keyOf(d.Name, d.URL, d.Key),
		Shared: d.Page}
	if to.Named != nil {
		doc.Named = func(url string) { to.Named(states.Named{URI: url}) }
	}
	if doc.Form, err = formOf(d.Kind, &doc, d.Head); err != nil {
		return made, err
	}
	if as.Format != "jsonl" && !d.Fetched.IsZero() {
		doc.Added = d.Fetched.UTC().Format(time.RFC3339)
	}
	noticeStatus(d.Status, to.Notice)
	several := d.Kind != kind.HTML && d.Kind != kind.Text
	opt := job.WriterOptions{Output: as, Temp: to.Temp, Memory: to.Memory / 4}
	if several && as.Format == "jsonl" {
		opt.Repeats = job.MarkRepeats
	}
	writer, err := job.NewWriter(out, opt)
	if err != nil {
		return made, err
	}
	defer writer.Close()
	batch := writer.Batch(d.Name)
	defer batch.Free()
	options := job.Options{MaxMemory: to.Memory / 2}
	if as.Format == "f5" || as.Format == "full5" {
		options.Tokens = job.CoreNLP // as the command has them there
	}
	put := func(item *job.Item) error {
		writer.Append(batch, item, listener(to.Notice))
		return writer.Put(batch)
	}
	var count job.Count
	if job.IsStream(doc.Form) {
		count, err = options.Stream(ctx, d.Text, doc, listener(to.Notice), put)
	} else {
		var source []byte
		if source, err = whole(d, to.Memory/4); err != nil {
			return made, err
		}
		count, err = options.Whole(ctx, source, doc, listener(to.Notice), put)
	}
	made.Articles = digest.Articles{Read: count.Read, Kept: count.Kept, Empty: count.Empty}
	if err != nil {
		return made, err
	}
	repeats, err := writer.Finish(ctx)
	for _, r := range repeats {
		made.Articles.Repeated += r.Repeated
	}
	return made, err
}

// whole is the text of a document: that of the page that another reader left, if there is one.
func whole(d *states.Decoded, limit int64) ([]byte, error) {
	const leaves = "there are for it"
	if d.Page != nil && d.Page.Source() != nil {
		return held(d.Page.Source(), limit, leaves)
	}
	return readWhole(d.Text, d.Size, limit, leaves)
}

// formOf is what a document is for package job. The guess of its kind was made before.
func formOf(is kind.Kind, doc *job.Document, head []byte) (job.Form, error) {
	switch is {
	case kind.RSS, kind.Atom, kind.JSONFeed, kind.RSS10:
		return job.Feed, nil
	}
	form, _, err := job.Guess(doc, head)
	if is != kind.HTML || form == job.HTML || form == job.XHTML {
		return form, err
	}
	// Its content says that it is a page, whatever a server or its name calls it.
	if form, _, err = job.Guess(&job.Document{}, head); err != nil || form != job.XHTML {
		form = job.HTML
	}
	return form, nil
}

// lineWriter hands what is written on, line by line.
type lineWriter struct {
	to      *states.Making
	rest    []byte
	written int64
}

func (w *lineWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			w.rest = append(w.rest, rest...)
			break
		}
		line := rest[:end]
		if len(w.rest) > 0 {
			w.rest = append(w.rest, line...)
			line = w.rest
		}
		if err := w.to.Line(line); err != nil {
			return 0, err
		}
		w.rest = w.rest[:0]
		w.written++
		rest = rest[end:]
	}
	return len(p), nil
}
