package main

import (
	"context"
	"errors"
	"io"
	"time"

	"laundromat/internal/fetch"
	"laundromat/report"
	"laundromat/states"
)

// furtherPages fetches pages that documents lead to, as a crawler does: it asks robots.txt, and makes pauses.
type furtherPages struct {
	inputs    *inputs
	settings  states.Settings
	hostDelay time.Duration
	fetcher   *fetch.Fetcher // nil until one is wanted
}

// page fetches a page in UTF-8, and says where it was in the end.
func (f *furtherPages) page(ctx context.Context, url string) ([]byte, string, error) {
	o := f.inputs.options
	if f.fetcher == nil {
		f.fetcher = fetch.New(fetch.Options{
			UserAgent: userAgent(o.contact), AllowPrivate: o.allowPrivate, MaxBytes: min(o.maxBytes, o.memory/4),
			HostDelay: max(0, f.hostDelay), HostConnections: 1,
		})
	}
	in, closer, err := f.inputs.fetch(ctx, f.fetcher, url)
	if err != nil {
		return nil, "", err
	}
	defer closer.Close()
	var text []byte
	reader := states.TextReader{
		Settings: f.settings,
		Given:    o.given,
		Read: func(_ context.Context, x *states.Text) (err error) {
			if x.Text != nil && text == nil {
				text, err = io.ReadAll(io.LimitReader(x.Text, o.memory/4))
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
