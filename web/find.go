package web

import (
	"context"
	"strings"

	"laundromat/internal/spelling"
	"laundromat/seedlist"
)

// Meant says which seeds a reference may have been meant for that names none.
type Meant struct {
	// Hashes are keys that begin with it, at most mostMeant.
	Hashes []string `json:"hashes"`
	// Nearest is the key or URI that is spelt most like it; "" if none is like it.
	Nearest string `json:"nearest,omitempty"`
}

// mostMeant is how many keys of one beginning are named.
const mostMeant = 5

// LeastPrefix is how many digits of a key are enough to name it, where no other begins so.
const LeastPrefix = 6

// IsPrefix says that ref may be the beginning of a key, or a key in capitals.
func IsPrefix(ref string) bool {
	return LeastPrefix <= len(ref) && len(ref) <= 32 && strings.Trim(strings.ToLower(ref), "0123456789abcdef") == ""
}

// meant looks at every seed: it is asked where a person waits, after what was asked for was not found.
func (a *api) meant(ctx context.Context, r *struct {
	Ref string `query:"ref" required:"true" doc:"a hash, the beginning of one, or a URI"`
}) (*raw, error) {
	found := Meant{Hashes: []string{}}
	prefix := strings.ToLower(r.Ref)
	byKey := IsPrefix(r.Ref)
	least := max(2, len(r.Ref)/8) + 1
	filter := seedlist.Filter{Limit: 1000}
	for {
		seeds, next, err := a.Seeds.List(ctx, filter)
		if err != nil {
			return nil, problem(err)
		}
		for i := range seeds {
			if byKey && strings.HasPrefix(seeds[i].Hash, prefix) && len(found.Hashes) < mostMeant {
				found.Hashes = append(found.Hashes, seeds[i].Hash)
			}
			name := seeds[i].URI
			if byKey {
				name = seeds[i].Hash
			}
			if name == "" {
				continue
			}
			if d := spelling.Apart(r.Ref, name); d < least {
				found.Nearest, least = seedlist.Shown(name), d
			}
		}
		if next == "" {
			return rawJSON(found)
		}
		filter.Cursor = next
	}
}

// Beginning is a seed whose key or URI begins with what was typed.
type Beginning struct {
	Hash string `json:"hash"`
	URI  string `json:"uri,omitempty"` // as it is shown
}

const (
	mostBeginnings = 100     // that are named
	mostBegun      = 100_000 // seeds that are looked at: a person waits
)

// begins names seeds whose key or URI begins with what was typed.
func (a *api) begins(ctx context.Context, r *struct {
	Typed string `query:"typed" doc:"the beginning of a hash or URI"`
}) (*raw, error) {
	found := []Beginning{}
	typed := strings.ToLower(r.Typed)
	filter := seedlist.Filter{Limit: 1000}
	for range mostBegun / filter.Limit {
		seeds, next, err := a.Seeds.List(ctx, filter)
		if err != nil {
			return nil, problem(err)
		}
		for i := range seeds {
			uri := seedlist.Shown(seeds[i].URI)
			if uri != "" && strings.HasPrefix(uri, r.Typed) || typed != "" && strings.HasPrefix(seeds[i].Hash, typed) {
				found = append(found, Beginning{seeds[i].Hash, uri})
			}
			if len(found) == mostBeginnings {
				return rawJSON(found)
			}
		}
		if next == "" {
			break
		}
		filter.Cursor = next
	}
	return rawJSON(found)
}
