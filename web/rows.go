package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// Rows are lines of a clean file.
type Rows struct {
	Clean string `json:"clean" doc:"hash of the clean file"`
	From  int64  `json:"from" doc:"number of the first line, from 1"`
	Rows  []Row  `json:"rows"`
	Total *int64 `json:"total,omitempty" doc:"lines of the file"`
	// Next is the number of the line after these; 0 at the end.
	Next int64 `json:"next,omitempty"`
}

// Row is a line of a clean file, as it is written there.
type Row struct {
	Line int64  `json:"line"`
	Text string `json:"text"`
	// Cut says that the line is longer: here are its first bytes.
	Cut bool `json:"cut,omitempty"`
}

const (
	longestRow = 64 << 10 // bytes of a line that are shown
	mostRows   = 4 << 20  // bytes of all lines of an answer
)

type rowsRequest struct {
	Hash  string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed, or of its clean file"`
	From  int64  `query:"from" minimum:"1" default:"1" doc:"number of the first line"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

type rowsReply struct {
	Link string `header:"Link"`
	Body Rows
}

// documentOf is the seed of a hash; of a URI with a fragment that of its document.
func documentOf(ctx context.Context, a *api, hash string) (seedlist.Seed, error) {
	seed, err := a.find(ctx, hash)
	if err == nil && seed.Document != "" {
		seed, err = a.find(ctx, seed.Document)
	}
	return seed, err
}

// cleanOf is the clean file that is served of a document, by the hash of its seed or its own.
func cleanOf(ctx context.Context, a *api, hash string) (string, error) {
	seed, err := documentOf(ctx, a, hash)
	if err != nil {
		return "", err
	}
	return cleanFile(ctx, a, &seed)
}

// cleanFile is the hash of the clean file of a seed, or the problem that says why there is none.
func cleanFile(ctx context.Context, a *api, seed *seedlist.Seed) (string, error) {
	if clean := seed.CleanFile(); clean != "" {
		return clean, nil
	}
	return "", huma.Error404NotFound(a.whyNotClean(ctx, seed))
}

func (a *api) rows(ctx context.Context, r *rowsRequest) (*rowsReply, error) {
	clean, err := cleanOf(ctx, a, r.Hash)
	if err != nil {
		return nil, err
	}
	body := Rows{Clean: clean, From: r.From, Rows: []Row{}}
	if clean, err := a.Seeds.Record(ctx, body.Clean); err == nil && clean.Content != nil {
		body.Total = clean.Content.NumberOfLines
	}
	size := 0
	err = files.EachRow(a.Files, body.Clean, r.From, longestRow, func(row files.Row) (bool, error) {
		line := r.From + int64(len(body.Rows))
		if len(body.Rows) == r.Limit || size > mostRows {
			body.Next = line
			return false, nil
		}
		size += len(row.Text)
		text := strings.ToValidUTF8(string(row.Text), "") // a cut may be within a character
		body.Rows = append(body.Rows, Row{Line: line, Text: text, Cut: row.Cut})
		return true, nil
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(err)
	case err != nil:
		return nil, problem(err)
	}
	reply := &rowsReply{Body: body}
	if body.Next > 0 {
		reply.Link = fmt.Sprintf(`</api/v1/seeds/%s/rows?from=%d&limit=%d>; rel="next"`, r.Hash, body.Next, r.Limit)
	}
	return reply, nil
}
