package daemon

import (
	"bufio"
	"context"
	"io"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/articles"
	"laundromat/states/kind"
)

// Articles makes the articles of stored documents again, in formats that need more than the stored articles hold.
type Articles struct {
	Files  files.Blobs
	Seeds  seedlist.List
	Temp   string // the folder for what is spooled
	Memory int64  // that a document may take
}

// Write makes the articles of a document that people know by a name, and writes them in one of [articles.MadeForms].
func (a *Articles) Write(ctx context.Context, seed seedlist.Seed, name, format string, to io.Writer) error {
	base, contentType, err := provenance(ctx, a.Seeds, seed)
	if err != nil {
		return err
	}
	stored, err := OpenText(ctx, a.Files, seed, a.Temp)
	if err != nil {
		return err
	}
	defer stored.Close()
	text := bufio.NewReaderSize(stored, states.GuessPrefix)
	head, err := text.Peek(states.GuessPrefix)
	if err != nil && err != io.EOF {
		return err
	}
	d := &states.Decoded{Kind: kind.Kind(seed.Format), Key: seed.Hash, Fetched: seed.Retrieved, Head: head, Whole: err == io.EOF,
		Text: text, Document: states.Document{Name: name, FileName: fileName(seed), ContentType: contentType, Base: base, Size: -1}}
	if !fetch.IsFile(base) {
		d.URL = base
	}
	formed := &articles.Formed{Format: format, To: to}
	return states.Safely(func() error {
		_, err := formed.Make(ctx, d, &states.Making{Memory: a.Memory, Temp: a.Temp, Notice: func(fault.Notice) {}})
		return err
	})
}
