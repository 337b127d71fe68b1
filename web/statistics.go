package web

import (
	"context"
	"errors"
	"io/fs"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/rdf/statistics"
	"laundromat/seedlist/seedfile"
)

type statisticsRequest struct {
	Hash string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed, or of its clean file"`
}

type statisticsReply struct {
	Body statistics.Statistics
}

func statisticsOf(ctx context.Context, a *api, r *statisticsRequest) (*statisticsReply, error) {
	clean, err := cleanOf(ctx, a, r.Hash)
	if err != nil {
		return nil, err
	}
	counted, err := cleanStatistics(ctx, a, clean)
	if err != nil {
		return nil, err
	}
	return &statisticsReply{Body: *counted}, nil
}

// mostCounted is the largest clean file, in bytes of text, that is counted when it is asked for: a tenth of a
// second.
const mostCounted = 64 << 20

// cleanStatistics are those of a clean file: stored beside it, or counted if it is so small that none are stored.
// One that
// was washed before statistics were kept is counted too, unless it is large.
func cleanStatistics(ctx context.Context, a *api, clean string) (*statistics.Statistics, error) {
	stored, err := seedfile.Statistics(a.Files, clean)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return countClean(ctx, a, clean)
	case err != nil:
		return nil, problem(err)
	}
	stored.Labels, stored.LabelsLeft = nil, 0 // the search has them
	return stored, nil
}

func countClean(ctx context.Context, a *api, clean string) (*statistics.Statistics, error) {
	record, err := a.Seeds.Record(ctx, clean)
	if err != nil {
		return nil, problem(err)
	}
	if record.Content != nil && record.Content.NumberOfBytes > mostCounted {
		return nil, huma.Error404NotFound("its statements are too many to be counted now, and were washed before this was done in the wash: " +
			"wash it again (laundromat seed rewash)")
	}
	counted, err := seedfile.CountStatistics(a.Files, clean, statistics.New())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(err)
	case err != nil:
		return nil, problem(err)
	}
	return counted, nil
}

// Statistics are what the clean statements of a document say.
func (r *Reader) Statistics(ctx context.Context, hash string) (*statistics.Statistics, error) {
	reply, err := statisticsOf(ctx, r.a, &statisticsRequest{Hash: hash})
	if err != nil {
		return nil, err
	}
	return &reply.Body, nil
}
