package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/records/csvw"
	"laundromat/report"
	"laundromat/states"
)

// DescribedTables opens tables and the metadata that describes them: files, and what is on the web. There it behaves as
// a crawler does: it asks robots.txt, and makes pauses.
type DescribedTables struct {
	Opener    *Opener
	Settings  states.Settings
	Given     *states.Given
	HostDelay time.Duration

	fetcher *fetch.Fetcher // nil until one is wanted
}

// Load opens a document. local says that files may be opened, too: what came from the web never leads to one.
func (d *DescribedTables) Load(ctx context.Context, url, encoding string, local bool) (*csvw.Resource, error) {
	var in states.Input
	var closer io.Closer
	var err error
	switch {
	case IsWeb(url):
		if d.fetcher == nil {
			options := d.Opener.Fetch
			options.HostDelay, options.HostConnections = max(0, d.HostDelay), 1
			d.fetcher = fetch.New(options)
		}
		in, closer, err = d.Opener.fetch(ctx, d.fetcher, url)
		if fault.KindOf(err) == fault.Refused {
			return nil, fmt.Errorf("%w: %w", csvw.ErrNotFound, err)
		}
	case fetch.IsFile(url) && local:
		var name string
		if name, err = fetch.FilePath(url); err == nil {
			in, closer, err = d.Opener.file(ctx, name)
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%w: %w", csvw.ErrNotFound, err)
		}
	default:
		return nil, csvw.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	body := &documentBody{closer: closer, done: make(chan struct{}), end: make(chan error, 1)}
	ready := make(chan *states.Text)
	reader := states.TextReader{Settings: d.Settings, Given: states.Given{Encoding: d.Given.Encoding}, Each: body.each,
		Read: func(ctx context.Context, x *states.Text) error { return body.hand(ctx, x, ready) }}
	if encoding != "" && encoding != "utf-8" { // which is the default, so that nobody has to have said it
		reader.Given.Encoding = encoding
	}
	go func() {
		err := reader.Input(ctx, in)
		if err == nil {
			err = reader.Wait()
		}
		body.end <- errors.Join(err, body.failed)
	}()
	select {
	case x := <-ready:
		body.text = x.Text
		return &csvw.Resource{URL: url, Text: body}, nil
	case err := <-body.end:
		if err == nil {
			err = fault.New("inputs.Load", fault.Data, fault.FormatEmpty, "%s: there is no text in it", url)
		}
		return nil, errors.Join(err, closer.Close())
	}
}

// documentBody is the text of a document, which a reader on another goroutine gives out until it is closed.
type documentBody struct {
	text   io.Reader
	closer io.Closer
	done   chan struct{}
	end    chan error
	failed error
	handed bool
}

// hand gives the first text of an input out, and waits for its end.
func (b *documentBody) hand(ctx context.Context, x *states.Text, ready chan<- *states.Text) error {
	if b.handed || x.Text == nil {
		return nil
	}
	b.handed = true
	select {
	case ready <- x:
	case <-ctx.Done():
		return ctx.Err()
	}
	<-b.done // the reader of the text ends with ctx
	return nil
}

func (b *documentBody) each(d *report.Document) {
	if d.Error != nil {
		b.failed = errors.New(d.Error.Message)
	}
}

// Read reads the text.
func (b *documentBody) Read(p []byte) (int, error) { return b.text.Read(p) }

// Close ends the reading.
func (b *documentBody) Close() error {
	close(b.done)
	<-b.end // what is behind the end of the reading does not count
	return b.closer.Close()
}
