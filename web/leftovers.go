package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
)

// GCRequest says which leftovers of kills are removed.
type GCRequest struct {
	// Older is how many seconds ago a file must have been written at least.
	Older float64 `json:"older"`
	// DryRun lets everything stay.
	DryRun bool `json:"dry_run"`
	// Most removes files without a record even if they are most of all.
	Most bool `json:"most"`
	// Keep says what is kept besides, in place of what the daemon keeps; nil: as it says.
	Keep *KeepRequest `json:"keep,omitempty"`
}

// KeepRequest says what is kept, in the words of the flags: "all" where nothing is said.
type KeepRequest struct {
	Dirty    string `json:"dirty,omitempty"`
	Notices  string `json:"notices,omitempty"`
	Attempts string `json:"attempts,omitempty"`
	Versions string `json:"versions,omitempty"`
}

// Collected is a line of what gc writes: a leftover, or at the end the sums.
type Collected struct {
	File  string  `json:"file,omitempty"`
	Bytes int64   `json:"bytes,omitempty"`
	Why   string  `json:"why,omitempty"`
	Sums  *GCSums `json:"sums,omitempty"`
}

// GCSums are what gc counted. Of a dry run they are what would be removed.
type GCSums struct {
	DryRun         bool  `json:"dry_run"`
	Looked         int64 `json:"looked"` // files that were held against the records
	Files          int64 `json:"files"`  // without a record
	Bytes          int64 `json:"bytes"`
	Temporary      int64 `json:"temporary"` // files that were never whole
	TemporaryBytes int64 `json:"temporary_bytes"`
	Sockets        int64 `json:"sockets"`
	Young          int64 `json:"young"` // files without a record that were written too lately
	// Unkept is what was removed since a setting says so.
	Unkept seedlist.Trimmed `json:"unkept,omitzero"`
	Error  string           `json:"error,omitempty"`
}

// gc removes what kills left. What went wrong on the way stands in the sums.
func (a *api) gc(w http.ResponseWriter, r *http.Request) {
	var wanted GCRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<10)).Decode(&wanted); err != nil || wanted.Older < 0 {
		writeProblem(w, huma.Error422UnprocessableEntity("want an object with older (seconds from 0), dry_run, most and keep"))
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	encoder := json.NewEncoder(w)
	sums, err := a.GC(r.Context(), wanted, func(c Collected) error { return encoder.Encode(c) })
	if err != nil && !errors.Is(err, context.Canceled) {
		sums.Error = err.Error()
	}
	encoder.Encode(Collected{Sums: &sums})
}
