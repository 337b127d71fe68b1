package engine

import (
	"context"
	"math"
	"slices"

	"laundromat/seedlist"
)

// Idle says that the list has come to rest.
func (l *Moves) Idle(ctx context.Context) (idle bool, err error) {
	l.mu.Lock()
	last := l.last
	l.mu.Unlock()
	err = l.read(ctx, func(s *Session) error {
		idle = false
		c := s.sums()
		moving := -c.Relative - c.Fragments - c.Damaged
		atWork := int64(0)
		for _, stage := range seedlist.Stages() {
			moving += c.States[stage.Ready()] + c.States[stage]
			atWork += c.States[stage]
		}
		if atWork > 0 {
			return nil
		}
		left := s.leftAlone()
		if moving != 0 && moving != left.counted(&c) {
			if len(left.sources) == 0 {
				return nil
			}
			if last = left.seedInMotion(s, last); last != 0 {
				return nil
			}
		}
		idle = left.catalogsRest(s)
		return nil
	})
	l.mu.Lock()
	l.last = last
	l.mu.Unlock()
	return idle, err
}

// leftAlone is what keeps nothing from its rest: parts of the work that people hold, and seeds of hosts that are
// paused, or rest since they turned.
type leftAlone struct {
	all     bool
	stages  map[seedlist.State]bool
	harvest bool
	sources []string
	hosts   map[string]bool // by their keys
	waiting int64           // seeds of these hosts
}

func (s *Session) leftAlone() leftAlone {
	is := leftAlone{stages: map[seedlist.State]bool{}, hosts: map[string]bool{}}
	for _, h := range s.hostsOf(nil, math.MaxInt) {
		switch {
		case isHold(h) && h.Settings.Paused:
			is.hold(h.Settings.Host[len(heldHost):])
		case isHold(h):
		case h.Settings.Paused || h.Settings.Turned != nil && h.Rest.After(s.now):
			is.hosts[h.Key] = true
			is.waiting += int64(h.Waiting)
		}
	}
	return is
}

func (is *leftAlone) hold(part string) {
	source := seedlist.SourceHeld(part)
	switch {
	case part == seedlist.HoldAll:
		is.all = true
	case part == seedlist.HoldHarvesting:
		is.harvest = true
	case source != "":
		is.sources = append(is.sources, source)
	default:
		is.stages[seedlist.State(part)] = true
	}
}

// counted is how many seeds wait for stages and hosts that are left alone. Those of sources have no count.
func (is *leftAlone) counted(c *seedlist.Counts) (n int64) {
	for _, stage := range seedlist.Stages() {
		switch held := is.all || is.stages[stage]; {
		case held && stage == seedlist.Downloading:
			n += c.States[stage.Ready()] - c.Relative - c.Fragments
		case held:
			n += c.States[stage.Ready()]
		case stage == seedlist.Downloading:
			n += is.waiting
		}
	}
	return n
}

// seedInMotion is the number of a seed that is ready and not left alone; 0 if there is none. It looks first at the one
// that was found before: a list is asked ten times per second whether it rests, and a source may have a million seeds.
func (is *leftAlone) seedInMotion(s *Session, last uint64) uint64 {
	stages := slices.DeleteFunc(seedlist.Stages(), func(stage seedlist.State) bool { return is.stages[stage] })
	for _, stage := range stages {
		if last == 0 {
			break
		}
		if is.firstInMotion(s, stage, s.scan(Scan{State: stage.Ready()}, last-1, 1)) == last {
			return last
		}
	}
	for _, stage := range stages {
		found := s.scan(Scan{State: stage.Ready()}, 0, atOnce)
		for ; len(found) > 0; found = s.scan(Scan{State: stage.Ready()}, found[len(found)-1].Number, atOnce) {
			if at := is.firstInMotion(s, stage, found); at != 0 {
				return at
			}
		}
	}
	return 0
}

// firstInMotion is the number of the first of seeds that are ready for a stage, and are not left alone; 0 if there is
// none.
func (is *leftAlone) firstInMotion(s *Session, stage seedlist.State, ready []*Seed) uint64 {
	s.documents(ready)
	for _, r := range ready {
		if r.Damage != nil || r.Relative || r.Fragment || stage == seedlist.Downloading && is.hosts[r.Host] {
			continue
		}
		stored := s.document(r)
		if !slices.Contains(is.sources, stored.Source) {
			return r.Number
		}
	}
	return 0
}

// catalogsRest says that no catalog is harvested or to be harvested now, but those that people hold.
func (is *leftAlone) catalogsRest(s *Session) bool {
	most := 1
	if is.all || is.harvest || len(is.sources) > 0 {
		most = math.MaxInt32
	}
	for _, c := range s.catalogsOf(CatalogQuery{Moving: s.now, Most: most}) {
		isHeld := is.all || is.harvest || slices.Contains(is.sources, "catalog:"+c.Known.URI)
		if !isHeld || c.Known.Status == seedlist.CatalogHarvesting {
			return false
		}
	}
	return true
}
