package daemon

import (
	"context"
	"errors"

	"laundromat/seedlist"
)

// seedNames finds how people know seeds. It is used from one goroutine, and remembers archives: their
// names are those of later calls, too.
type seedNames struct {
	seeds seedlist.Reader
	known map[string]string // of archives that were met
}

// mostRemembered is how many seeds are remembered.
const mostRemembered = 10_000

func remember(in map[string]string, hash, what string) {
	if len(in) >= mostRemembered {
		clear(in)
	}
	in[hash] = what
}

// nameOf is how people know a seed: its URI or, of a member, URI!/entry!/entry. A clean file has
// none of its own.
func (s *seedNames) nameOf(ctx context.Context, seed *seedlist.Seed) (string, error) {
	switch {
	case seed.URI != "":
		return seedlist.Shown(seed.URI), nil
	case seed.Parent == "" || seed.Archive == nil:
		return seed.Hash, nil
	}
	name, known := s.known[seed.Parent]
	if !known {
		parent, err := s.seeds.Record(ctx, seed.Parent)
		switch {
		case errors.Is(err, seedlist.ErrNotFound):
			name = seed.Parent
		case err != nil:
			return "", err
		default:
			if name, err = s.nameOf(ctx, &parent); err != nil {
				return "", err
			}
		}
		if s.known == nil {
			s.known = map[string]string{}
		}
		remember(s.known, seed.Parent, name)
	}
	return name + "!/" + seed.Archive.Entry, nil
}
