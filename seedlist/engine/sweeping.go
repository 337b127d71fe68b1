package engine

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
)

// Orphans returns up to limit hashes whose records were removed. Until they are swept, no work is written down that
// ends with a file of such a hash, in whatever process. It is done again, and writes the file anew.
func (l *Moves) Orphans(ctx context.Context, limit int) ([]string, error) {
	return found(ctx, transactionOf(l, l.options.ReadOnly), func(s *Session) ([]string, error) {
		hashes := s.orphans(OrphanQuery{Take: s.writes, Most: max(limit, 0)})
		s.touched += len(hashes)
		slices.Sort(hashes)
		return hashes, nil
	})
}

// Disown makes orphans of those hashes that have no record.
func (l *Moves) Disown(ctx context.Context, hashes ...string) error {
	var all []string
	for _, hash := range hashes {
		if raw, err := hex.DecodeString(hash); err == nil && len(raw) > 0 {
			all = append(all, strings.ToLower(hash))
		}
	}
	return l.write(ctx, func(s *Session) error {
		s.loadHashes(all...)
		for _, hash := range distinct(all) {
			if s.hashes[hash] == 0 {
				s.touched++
				s.next.Orphans = append(s.next.Orphans, hash)
			}
		}
		return nil
	})
}

// Swept takes hashes off the list of orphans.
func (l *Moves) Swept(ctx context.Context, hashes ...string) error {
	return l.write(ctx, func(s *Session) error {
		s.touched++
		s.next.Swept = append(s.next.Swept, lowered(hashes)...)
		return nil
	})
}

func lowered(hashes []string) []string {
	all := make([]string, len(hashes))
	for i, hash := range hashes {
		all[i] = strings.ToLower(hash)
	}
	return all
}
