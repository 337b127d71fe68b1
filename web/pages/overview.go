package pages

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// overview is what a person sees first: how much is washed, what is at work, what is stuck and why.
type overview struct {
	Stats  web.Stats
	Funnel []stateCount
	Most   int64 // the largest count of a state
	AtWork int64
	Work   []seedlist.Seed // the oldest of each working state
	Oldest []seedlist.Seed // of each ready state
	Tried  []triedCode
	Waits  []hostCount        // hosts that are left alone now
	Turned []seedlist.HostUse // hosts that give something else in the place of their data
	Failed []hostCount        // hosts with the most failed seeds
	Hosts  int                // that have failed seeds, also those that are not shown
	Washed throughput
	// Forecast says when what is left will be done.
	Forecast forecast
	// Products are those beside statements that documents were asked for.
	Products []productCount
	Disk     Disk
}

// stateCount is how many seeds are in a state.
type stateCount struct {
	State seedlist.State
	N     int64
}

// triedCode is how many seeds wait in a state for another try, after an error of this code.
type triedCode struct {
	State seedlist.State
	Code  fault.Code
	Title string
	N     int64
}

// productCount is what is counted of a product.
type productCount struct {
	Name string
	seedlist.ProductCount
}

// hostCount is how many seeds of a host are in a state, and why they wait.
type hostCount struct {
	Host string
	N    int64
	Wait seedlist.HostWait
}

const (
	oldestShown = 5  // seeds of a state
	hostsShown  = 10 // with failed seeds
	codesShown  = 10 // of what is tried again
)

func (s *site) overview(r *http.Request) (page, error) {
	ctx := r.Context()
	stats, err := s.read.Stats(ctx)
	if err != nil {
		return page{}, err
	}
	o := overview{Stats: stats}
	if s.Disk != nil {
		o.Disk = s.Disk()
	}
	for _, state := range seedlist.States() {
		n := stats.States[state]
		o.Funnel = append(o.Funnel, stateCount{state, n})
		o.Most = max(o.Most, n)
		if state.IsWorking() {
			o.AtWork += n
		}
	}
	for _, name := range seedlist.Products()[1:] {
		if n, isAsked := stats.Products[name]; isAsked {
			o.Products = append(o.Products, productCount{name, n})
		}
	}
	if o.Washed, err = s.throughput(ctx, r.FormValue("by")); err != nil {
		return page{}, err
	}
	if o.Forecast, err = readForecast(ctx, s, &stats); err != nil {
		return page{}, err
	}
	if err := s.fillWork(ctx, &o); err != nil {
		return page{}, err
	}
	if err := s.fillTrouble(ctx, &o); err != nil {
		return page{}, err
	}
	return page{title: "Overview", template: "overview.html", data: o, listens: true}, nil
}

// fillWork finds what is at work, and the oldest of what waits.
func (s *site) fillWork(ctx context.Context, o *overview) error {
	for _, state := range seedlist.States() {
		if o.Stats.States[state] == 0 || !state.IsWorking() && !state.IsReady() {
			continue
		}
		q := web.ListQuery{SeedFilter: web.SeedFilter{State: string(state)}, Limit: oldestShown}
		if state == seedlist.Added {
			q.Limit *= 5 // those that are never fetched are among them
		}
		list, err := s.read.List(ctx, q)
		if err != nil {
			return err
		}
		shown := 0
		for _, seed := range list.Seeds {
			switch {
			case state.IsWorking():
				o.Work = append(o.Work, seed)
			case seed.Relative || seed.Document != "" || shown == oldestShown || seed.Due.After(time.Now()):
			default:
				o.Oldest = append(o.Oldest, seed)
				shown++
			}
		}
	}
	return nil
}

// fillTrouble finds what is tried again, and the hosts that are in trouble. While lists are made anew, the
// counts are of what they hold so far.
func (s *site) fillTrouble(ctx context.Context, o *overview) error {
	for _, state := range seedlist.States() {
		if !state.IsReady() || o.Stats.States[state] == 0 {
			continue
		}
		among, err := s.read.Among(ctx, web.ListQuery{SeedFilter: web.SeedFilter{State: string(state)}}, []views.Facet{views.Error},
			codesShown)
		if err != nil {
			return err
		}
		for _, c := range among.Facets[views.Error].Counts {
			info, _ := fault.Explain(fault.Code(c.Values[0]))
			o.Tried = append(o.Tried, triedCode{state, fault.Code(c.Values[0]), info.Title, c.Seeds})
		}
	}
	hosts, err := s.read.Hosts(ctx)
	if err != nil {
		return err
	}
	for i := range hosts {
		if hosts[i].Turned != nil {
			o.Turned = append(o.Turned, hosts[i])
		}
	}
	for _, wait := range o.Stats.Waits.Hosts {
		n, err := count(ctx, s.read, web.SeedFilter{State: string(seedlist.Added), Host: wait.Host})
		if err != nil {
			return err
		}
		o.Waits = append(o.Waits, hostCount{wait.Host, n, wait})
	}
	failed, err := s.read.Among(ctx, web.ListQuery{SeedFilter: web.SeedFilter{State: string(seedlist.Failed)}}, []views.Facet{views.Host},
		hostsShown)
	if err != nil {
		return err
	}
	for _, c := range failed.Facets[views.Host].Counts {
		o.Failed = append(o.Failed, hostCount{Host: c.Values[0], N: c.Seeds})
	}
	o.Hosts = failed.Facets[views.Host].Total
	return nil
}

// count is how many seeds a filter lets through.
func count(ctx context.Context, read *web.Reader, filter web.SeedFilter) (int64, error) {
	among, err := read.Among(ctx, web.ListQuery{SeedFilter: filter}, nil, 0)
	return among.Seeds, err
}

// throughput is what was washed by spans of time, oldest first.
type throughput struct {
	By    string
	Bys   []string
	Spans []washedSpan
	Sum   seedlist.Washed
}

// washedSpan is what was washed in a span of time.
type washedSpan struct {
	seedlist.Washed
	Name string
}

// How many spans of each kind are shown.
const (
	hoursShown  = 48
	daysShown   = 60
	monthsShown = 24
)

// throughput reads the sums that are kept. Months are made of days.
func (s *site) throughput(ctx context.Context, by string) (t throughput, err error) {
	t.Bys = []string{"hour", "day", "month"}
	now := time.Now().UTC()
	var name string
	var begins []time.Time
	var read []seedlist.Washed
	switch by {
	case "", "hour":
		t.By, name = "hour", "01-02 15:00"
		for i := range hoursShown {
			begins = append(begins, now.Truncate(time.Hour).Add(-time.Duration(hoursShown-1-i)*time.Hour))
		}
		read, err = s.read.Washed(ctx, seedlist.Hour, hoursShown)
	case "day":
		t.By, name = "day", "2006-01-02"
		for i := range daysShown {
			begins = append(begins, now.Truncate(24*time.Hour).AddDate(0, 0, i+1-daysShown))
		}
		read, err = s.read.Washed(ctx, seedlist.Day, daysShown)
	case "month":
		t.By, name = "month", "2006-01"
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		for i := range monthsShown {
			begins = append(begins, first.AddDate(0, i+1-monthsShown, 0))
		}
		read, err = s.read.Washed(ctx, seedlist.Day, int(now.Sub(begins[0]).Hours()/24)+1)
	default:
		return t, web.Invalid(fmt.Sprintf("throughput is by %s", strings.Join(t.Bys, ", ")))
	}
	if err != nil {
		return t, err
	}
	for _, begin := range begins {
		t.Spans = append(t.Spans, washedSpan{seedlist.Washed{Begin: begin}, begin.Format(name)})
	}
	for _, w := range read {
		at := len(begins) - 1
		for at >= 0 && begins[at].After(w.Begin) {
			at--
		}
		if at < 0 {
			continue // it began before the first
		}
		for _, sum := range []*seedlist.Washed{&t.Spans[at].Washed, &t.Sum} {
			sum.Documents += w.Documents
			sum.Bytes += w.Bytes
			sum.Statements += w.Statements
		}
	}
	return t, nil
}

// Newest are the spans, the newest first, as the table has them.
func (t throughput) Newest() []washedSpan {
	newest := make([]washedSpan, 0, len(t.Spans))
	for i := range t.Spans {
		newest = append(newest, t.Spans[len(t.Spans)-1-i])
	}
	return newest
}

// In is how many seeds are in a state.
func (o overview) In(state string) int64 { return o.Stats.States[seedlist.State(state)] }
