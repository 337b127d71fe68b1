package inputs

import (
	"context"
	"errors"
	"io"
	"time"

	"laundromat/internal/fetch"
	"laundromat/report"
	"laundromat/states"
)

// FurtherPages fetches pages that documents lead to, as a crawler does: it asks robots.txt, and makes pauses.
type FurtherPages struct {
	Opener    *Opener
	Settings  states.Settings
	Given     *states.Given // as it is when a page is fetched
	HostDelay time.Duration
	Memory    int64 // of which a page may take a quarter, in bytes

	fetcher *fetch.Fetcher // nil until one is wanted
}

// Page fetches a page in UTF-8, and says where it was in the end.
func (f *FurtherPages) Page(ctx context.Context, url string) ([]byte, string, error) {
	if f.fetcher == nil {
		options := f.Opener.Fetch
		options.MaxBytes = min(options.MaxBytes, f.Memory/4)
		options.HostDelay, options.HostConnections = max(0, f.HostDelay), 1
		f.fetcher = fetch.New(options)
	}
	in, closer, err := f.Opener.fetch(ctx, f.fetcher, url)
	if err != nil {
		return nil, "", err
	}
	defer closer.Close()
	var text []byte
	reader := states.TextReader{
		Settings: f.Settings,
		Given:    *f.Given,
		Read: func(_ context.Context, x *states.Text) (err error) {
			if x.Text != nil && text == nil {
				text, err = io.ReadAll(io.LimitReader(x.Text, f.Memory/4))
			}
			return err
		},
		Each: func(d *report.Document) {
			if d.Error != nil {
				err = errors.New(d.Error.Message)
			}
		},
	}
	if stopped := reader.Input(ctx, in); stopped != nil {
		return nil, "", stopped
	}
	if err == nil && text == nil {
		err = errors.New("it has no text")
	}
	return text, in.Base, err
}
