package postgres

import (
	"context"
	"fmt"
)

// speaker begins the names of processes that may speak for the list, in the table of those that live.
const speaker = "speaks/"

// Speak makes this process one of those that may speak for the list: of these the one that began first does, as long
// as it lives.
func (s *Store) Speak(ctx context.Context) error {
	name := fmt.Sprintf("%s%020d/%s", speaker, s.now0().UnixNano(), s.holder)
	s.signs.speaker.Store(&name)
	return s.db.once(ctx, func(sql statements) error { return s.signOfLife(ctx, sql) })
}

// Speaks says that this process speaks for the list now: no two do, but for a moment. None does for up to a minute
// after the death of the one that did.
func (s *Store) Speaks(ctx context.Context) (speaks bool, err error) {
	name := s.signs.speaker.Load()
	if name == nil {
		return false, nil
	}
	err = s.db.scan(ctx, &speaks, "SELECT coalesce(min(holder), '') = $2 FROM holders WHERE holder LIKE $1 AND lease >= $3", speaker+"%",
		*name, s.now0().UnixNano())
	return speaks, s.trouble("postgres.Speaks", err)
}
