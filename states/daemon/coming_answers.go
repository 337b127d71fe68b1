package daemon

import (
	"context"
	"sync"
	"time"

	"laundromat/seedlist"
)

// The first tables of a host ask for what its site says of metadata, and then look into the usual places. Until they
// have, all other tables of that host are given back. Most answers come within milliseconds, so the first wait for
// them where they are: given back, they would be looked at again only after a pause, for each answer.

const (
	// comingPatience is how long a table waits for answers before it is given back.
	comingPatience = time.Second
	// comingWaiters wait at a time, so that slow hosts hold up few workers.
	comingWaiters = 8
)

// coming tells those who wait for an answer of each that came.
type coming struct {
	mu    sync.Mutex
	news  chan struct{} // closed with the next answer
	seats chan struct{}
}

func newComing() coming {
	return coming{news: make(chan struct{}), seats: make(chan struct{}, comingWaiters)}
}

// tell wakes all who wait.
func (c *coming) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.news)
	c.news = make(chan struct{})
}

// next is closed with the next answer. Who asks for it before looking at what is known misses none.
func (c *coming) next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.news
}

// answerWait is what is left of the time that one table waits.
type answerWait struct{ left time.Duration }

// patienceOf is how long a table of a claim waits where it is. A suspect doesn't: it is washed alone, so that all
// others would wait with it, and a process that is killed meanwhile would blame it for that.
func patienceOf(claim *seedlist.Claim) answerWait {
	if claim.Crashes > 0 {
		return answerWait{}
	}
	return answerWait{comingPatience}
}

// await waits for news. It is false where that is over, or where others wait already.
func (p *answerWait) await(ctx context.Context, c *coming, news <-chan struct{}) bool {
	if p.left <= 0 {
		return false
	}
	select {
	case c.seats <- struct{}{}:
	default:
		return false
	}
	defer func() { <-c.seats }()
	began := time.Now()
	timer := time.NewTimer(p.left)
	defer timer.Stop()
	defer func() { p.left -= time.Since(began) }()
	select {
	case <-news:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// quietSites are sites that were found to have no metadata of tables, as the list had them a moment ago: each table of
// theirs asks for that.
type quietSites struct {
	mu    sync.Mutex
	known map[string]quietSite
}

type quietSite struct {
	site  seedlist.Context
	until time.Time
}

const (
	// quietTime is how long what the list has of a site is not read again.
	quietTime = time.Second
	mostQuiet = 1000
)

func (q *quietSites) keep(place string, site seedlist.Context, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.known) >= mostQuiet || q.known == nil {
		q.known = map[string]quietSite{}
	}
	q.known[place] = quietSite{site, now.Add(quietTime)}
}

// isQuiet says that the usual places of a site need not be looked into for a table.
func (q *quietSites) isQuiet(place, table string, now time.Time) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	known, isKnown := q.known[place]
	if !isKnown || now.After(known.until) || isOld(&known.site, now) {
		return false
	}
	may, isComing, isChanged := mayLook(&known.site, table, now)
	return !may && !isComing && !isChanged
}
