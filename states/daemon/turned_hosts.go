package daemon

import (
	"context"
	"sync"
	"time"

	"laundromat/internal/commands"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

const (
	turnedWithin = 24 * time.Hour // what turns together does so within this time
	turnedFresh  = time.Minute    // how old what is known of all hosts that turned may be
)

// hostDays is what hosts gave within the last day. A daemon that begins knows nothing of the day before: what
// turned counts from then on.
type hostDays struct {
	mu     sync.Mutex
	days   map[string]*hostDay
	swept  int             // the size of days after the last sweep
	turned map[string]bool // the hosts that turned, as far as is known
	known  time.Time       // as of when
}

// hostDay is what one host gave.
type hostDay struct {
	asked  []askedHour
	turned map[string]turnedSeed // by hash of the seed
}

type askedHour struct {
	hour time.Time
	n    int
}

// turnedSeed is a document that was data and is something else.
type turnedSeed struct {
	at   time.Time
	text string // the sum of what came; "" if nothing did
}

// forget drops what is older than a day.
func (d *hostDay) forget(now time.Time) {
	for len(d.asked) > 0 && now.Sub(d.asked[0].hour) >= turnedWithin {
		d.asked = d.asked[1:]
	}
	for hash, seed := range d.turned {
		if now.Sub(seed.at) >= turnedWithin {
			delete(d.turned, hash)
		}
	}
}

// sum is the day, as it is decided on.
func (d *hostDay) sum() (day seedlist.HostDay) {
	for _, hour := range d.asked {
		day.Asked += hour.n
	}
	texts := make(map[string]int)
	for _, seed := range d.turned {
		day.Turned++
		if seed.text != "" {
			texts[seed.text]++
			day.Alike = max(day.Alike, texts[seed.text])
		}
	}
	return day
}

// at is the day of a host. h.mu is held.
func (h *hostDays) at(host string, now time.Time) *hostDay {
	day := h.days[host]
	if day == nil {
		if len(h.days) >= max(1024, 2*h.swept) {
			for name, day := range h.days {
				if day.forget(now); len(day.asked)+len(day.turned) == 0 {
					delete(h.days, name)
				}
			}
			h.swept = len(h.days)
		}
		if h.days == nil {
			h.days = make(map[string]*hostDay)
		}
		day = &hostDay{turned: make(map[string]turnedSeed)}
		h.days[host] = day
	}
	day.forget(now)
	return day
}

// asked counts a document that was asked for.
func (h *hostDays) asked(host string, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	day, hour := h.at(host, now), now.Truncate(time.Hour)
	if n := len(day.asked); n > 0 && day.asked[n-1].hour.Equal(hour) {
		day.asked[n-1].n++
		return
	}
	day.asked = append(day.asked, askedHour{hour, 1})
}

// turns counts a document that was data and is something else, and sums the day.
func (h *hostDays) turns(host, hash, text string, now time.Time) seedlist.HostDay {
	h.mu.Lock()
	defer h.mu.Unlock()
	day := h.at(host, now)
	day.turned[hash] = turnedSeed{now, text}
	return day.sum()
}

// set notes that a host has turned, or is well. The day begins anew for it.
func (h *hostDays) set(host string, hasTurned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.days, host)
	if delete(h.turned, host); hasTurned {
		h.turned[host] = true
	}
}

// hasTurned says that a host has turned, as far as is known. What another daemon has found is known a minute later.
func (h *hostDays) hasTurned(ctx context.Context, hosts seedlist.Hosts, host string, now time.Time) (bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.turned != nil && now.Sub(h.known) < turnedFresh {
		return h.turned[host], nil
	}
	all, err := hosts.Hosts(ctx)
	if err != nil {
		return false, err
	}
	h.turned, h.known = make(map[string]bool), now
	for i := range all {
		if all[i].Turned != nil {
			h.turned[all[i].Host] = true
		}
	}
	return h.turned[host], nil
}

// noteHost notes what the end of a claim says of the host of its document.
func (f *finishing) noteHost() {
	r, seed, now := f.runner, &f.claim.Seed, time.Now()
	uri, err := seedlist.ParseURI(seed.URI)
	if f.verdict != succeeded && f.verdict != failed || err != nil || uri.Host == "" || uri.IsFile() {
		return
	}
	// One that is asked for again within the day is counted already.
	if f.claim.Stage == seedlist.Downloading && now.Sub(seed.Processed) >= turnedWithin {
		r.days.asked(uri.Host, now)
	}
	ctx := context.WithoutCancel(f.working)
	hasTurned, err := r.days.hasTurned(ctx, r.seeds, uri.Host, now)
	switch {
	case err != nil:
	case f.isWell():
		if hasTurned {
			err = r.hostIsWell(ctx, uri.Host)
		}
	case f.hasTurned():
		err = r.hostTurns(ctx, uri.Host, f.text(), seed.Hash, hasTurned)
	}
	if err != nil {
		f.log.Warn().Err(err).Str("host", uri.Host).Msg("whether the host has turned could not be written down")
	}
}

// last is the work by which the claim ended.
func (f *finishing) last() *stageResult {
	if n := len(f.links); n > 0 {
		return &f.links[n-1]
	}
	return &f.stageResult
}

// isUnchanged says that the download brought what was there before.
func (f *finishing) isUnchanged() bool {
	download, ok := f.last().done.(*downloadOutcome)
	return ok && f.verdict == succeeded && download.unchanged
}

// isWell says that the document was washed or opened, or is as it was then.
func (f *finishing) isWell() bool {
	end := f.last().done.common().next
	if f.isUnchanged() {
		end = f.claim.Last
	}
	return f.verdict == succeeded && (end == seedlist.Parsed || end == seedlist.Depleted)
}

// hasTurned says that the document was data, and that its host gives something else in its place. What its owner took
// back, and what is our own trouble, is not that.
func (f *finishing) hasTurned() bool {
	seed, last := &f.claim.Seed, f.last()
	if seed.ServedClean() == "" && f.claim.Last != seedlist.Depleted {
		return false
	}
	if f.isUnchanged() {
		return f.claim.Last == seedlist.Failed
	}
	if f.verdict != failed {
		return false
	}
	reply := last.done.common().reply
	if last.claim.Stage == seedlist.Downloading && reply == 0 {
		return false // it gave nothing
	}
	switch fault.KindOf(last.err) {
	case fault.Data, fault.Refused, fault.Remote:
		return !seedlist.IsForGood(seedlist.Try{Error: recordError(last.claim, last.err), Reply: reply})
	}
	return false
}

// text is the sum of what came in the place of the document; "" if that was not looked into.
func (f *finishing) text() string {
	if last := f.last(); last.claim.Stage != seedlist.Downloading && last.claim.Seed.Content != nil {
		return last.claim.Seed.Content.SHA256
	}
	return ""
}

// hostTurns notes one more document of a host that has turned.
func (r *Runner) hostTurns(ctx context.Context, host, text, hash string, hasTurned bool) error {
	now := time.Now()
	var event *seedlist.Turned
	if !hasTurned {
		day := r.days.turns(host, hash, text, now)
		if day.Turned < 3 { // only then it matters how many there are
			few, _, err := r.seeds.List(ctx, seedlist.Filter{Host: host, Limit: 3})
			if err != nil {
				return err
			}
			day.Has = len(few)
		}
		if event = seedlist.NewTurned(day, now); event == nil {
			return nil
		}
	}
	begins := false
	_, err := r.seeds.SetHost(ctx, host, func(settings *seedlist.HostSettings) {
		if begins = settings.Turned == nil && event != nil; begins {
			settings.Turned = event
		} else if settings.Turned != nil {
			settings.Turned = settings.Turned.Again(now)
		}
	})
	if err != nil {
		return err
	}
	if !hasTurned {
		r.days.set(host, true)
	}
	if begins {
		r.log.Warn().Str("code", string(fault.HostTurned)).Str("host", host).Int("documents", event.Documents).Int("asked", event.Asked).
			Msg("the host gives something else in the place of its data, and is asked for one document an hour")
		r.opt.Events.Happened(commands.Turned, TurnedHost{Host: host, Since: event.Since, Documents: event.Documents, Asked: event.Asked})
	}
	return nil
}

// hostIsWell ends that a host has turned.
func (r *Runner) hostIsWell(ctx context.Context, host string) error {
	var was *seedlist.Turned
	_, err := r.seeds.SetHost(ctx, host, func(settings *seedlist.HostSettings) { was, settings.Turned = settings.Turned, nil })
	if err != nil {
		return err
	}
	r.days.set(host, false)
	if was != nil {
		r.log.Info().Str("code", string(fault.HostTurned)).Str("host", host).Time("since", was.Since).Msg("the host is well again")
	}
	return nil
}
