package engine

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"laundromat/seedlist"
)

// holds are the parts of the work that people hold. A list keeps them as settings of hosts that no URI can have, so
// that they go where these go. All processes of a list read them again each second.
type holds struct {
	list *Moves

	mu   sync.Mutex
	read time.Time
	now  []string
	last uint64 // the seed that kept the list from its rest when that was asked last; see [Moves.Idle]
}

// heldHost begins the name of such a host.
const heldHost = "*"

// holdsRead is how long it takes a process to follow another one.
const holdsRead = time.Second

// isHold says that the settings of a host are a hold.
func isHold(h *Host) bool { return strings.HasPrefix(h.Settings.Host, heldHost) }

// Held are the parts of the work that are held, by name.
func (l *holds) Held(ctx context.Context) (all []string, err error) {
	all, err = found(ctx, l.list.ask, func(s *Session) (all []string, err error) {
		for _, h := range s.hostsOf(nil, 0) {
			if isHold(h) && h.Settings.Paused {
				all = append(all, strings.TrimPrefix(h.Settings.Host, heldHost))
			}
		}
		return all, nil
	})
	slices.Sort(all)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.read, l.now = time.Now(), all
	}
	return all, err
}

// Hold holds a part of the work, or lets it go on. What is at work goes on in any case.
func (l *holds) Hold(ctx context.Context, part string, isHeld bool) (changed bool, err error) {
	if err := seedlist.CheckHold(part); err != nil {
		return false, err
	}
	_, err = setHost(ctx, l.list, heldHost+part, func(h *seedlist.HostSettings) {
		changed = h.Paused != isHeld
		h.Paused = isHeld
	})
	if err == nil {
		_, err = l.Held(ctx)
	}
	if source := seedlist.SourceHeld(part); err == nil && changed && !isHeld && source != "" {
		err = l.unpark(ctx, source)
	}
	return changed, err
}

// lately are the parts that are held, as they were a second ago at most.
func (l *holds) lately(ctx context.Context) ([]string, error) {
	l.mu.Lock()
	all, read := l.now, l.read
	l.mu.Unlock()
	if !read.IsZero() && time.Since(read) < holdsRead {
		return all, nil
	}
	return l.Held(ctx)
}

// await returns when a part is not held.
func (l *holds) await(ctx context.Context, part string) error {
	for {
		_, is, err := l.holdsOf(ctx, part)
		if err != nil || !is {
			return err
		}
		select {
		case <-time.After(holdsRead):
		case <-l.list.ended:
			return seedlist.ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// holdsOf says that a part is held, and which sources are.
func (l *holds) holdsOf(ctx context.Context, part string) (sources []string, isHeld bool, err error) {
	all, err := l.lately(ctx)
	for _, is := range all {
		if source := seedlist.SourceHeld(is); source != "" {
			sources = append(sources, source)
		}
	}
	return sources, slices.Contains(all, part) || slices.Contains(all, seedlist.HoldAll), err
}

// hasLately says that a part was held when that was read last.
func (l *holds) hasLately(part string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.now, part) || slices.Contains(l.now, seedlist.HoldAll)
}

// parkedFor is after what time a seed of a source that is held is looked at again.
const parkedFor = time.Hour

// park puts off seeds of sources that are held, and returns the others.
func park(s *Session, picked []*Seed, sources []string) []*Seed {
	if len(sources) == 0 {
		return picked
	}
	var free []*Seed
	for _, r := range picked {
		stored := s.document(r)
		if !slices.Contains(sources, stored.Source) {
			free = append(free, r)
			continue
		}
		s.touch(r)
		r.Due = s.now.Add(parkedFor).UnixNano()
	}
	return free
}

// unpark lets the seeds of a source be claimed again that were put off.
func (l *holds) unpark(ctx context.Context, source string) error {
	for _, stage := range seedlist.Stages() {
		for after, isLast := uint64(0), false; !isLast; {
			err := l.list.write(ctx, func(s *Session) error {
				found := s.scan(Scan{State: stage.Ready()}, after, atOnce)
				if isLast = len(found) < atOnce; len(found) == 0 {
					return nil
				}
				last := found[len(found)-1].Number
				for _, r := range s.keep(found) {
					if r.Damage != nil || r.Due <= s.now.UnixNano() || r.Tries > 0 {
						continue // one that is to be tried again waits as long as it did
					}
					stored := s.document(r)
					if stored.Source == source {
						s.touch(r)
						r.Due = s.now.UnixNano()
					}
				}
				after = last
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
