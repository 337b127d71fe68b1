package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
)

// Compacted is what a copy of the seed list came to, in bytes.
type Compacted struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// compaction is the operation that copies the seed list into a smaller file.
func compaction(a *api) operation {
	return post("/api/v1/compact", func(ctx context.Context, _ *struct{}) (*raw, error) {
		if a.Compact == nil {
			return nil, huma.Error409Conflict("the seed list can't be copied here")
		}
		done, err := a.Compact(ctx)
		if err != nil {
			return nil, problem(err)
		}
		return rawJSON(done)
	})
}
