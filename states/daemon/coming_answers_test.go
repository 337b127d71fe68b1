package daemon

import (
	"context"
	"fmt"
	"testing"
	"time"

	"laundromat/records/csvw"
	"laundromat/seedlist"
)

func TestFewTablesWaitWhereTheyAreForAnAnswer(t *testing.T) {
	c := newComing()
	news := c.next()
	go c.tell()
	if one := (answerWait{time.Hour}); !one.await(t.Context(), &c, news) {
		t.Error("an answer came, and who waited for it gave up")
	}
	if c.next() == news {
		t.Error("the next answer is the one that came")
	}
	if none := (answerWait{}); none.await(t.Context(), &c, news) {
		t.Error("who has waited long enough goes on waiting")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if one := (answerWait{time.Hour}); one.await(stopped, &c, c.next()) {
		t.Error("who was stopped has an answer")
	}
	for range comingWaiters {
		c.seats <- struct{}{}
	}
	if further := (answerWait{time.Hour}); further.await(t.Context(), &c, news) {
		t.Error("more wait at a time than may")
	}
}

// TestASuspectIsNotBlamedForItsWait: a process that is killed while it washes a suspect alone finds it at work.
func TestASuspectIsNotBlamedForItsWait(t *testing.T) {
	for crashes, waits := range []bool{true, false, false} {
		c := newComing()
		news := c.next()
		c.tell()
		wait := patienceOf(&seedlist.Claim{Crashes: crashes})
		if got := wait.await(t.Context(), &c, news); got != waits {
			t.Errorf("after %d deaths a table waits: %v", crashes, got)
		}
	}
}

func TestASiteIsQuietForTablesThatNeedNotLook(t *testing.T) {
	now := time.Now()
	place := csvw.SitePlace("http://m.example/t.csv")
	site := func() seedlist.Context {
		m := &seedlist.TableMetadata{Answered: now, Probes: map[string]seedlist.TableProbe{}}
		for i := range probedTables {
			m.Probes[fmt.Sprint(i)] = seedlist.TableProbe{Began: now, IsNone: true}
		}
		return seedlist.Context{IRI: place, Metadata: m}
	}
	coming, described, few := site(), site(), site()
	coming.Metadata.Probes["0"] = seedlist.TableProbe{Began: now}
	described.Metadata.Describes = true
	delete(few.Metadata.Probes, "0")
	for _, c := range []struct {
		name  string
		site  seedlist.Context
		table string
		after time.Duration
		want  bool
	}{
		{"another table", site(), "another", 0, true},
		{"one that has looked before", site(), "3", 0, false},
		{"a moment later", site(), "another", 2 * quietTime, false},
		{"one of the first still looks", coming, "another", 0, false},
		{"the site has metadata", described, "another", 0, false},
		{"another may look", few, "another", 0, false},
	} {
		var quiet quietSites
		if quiet.isQuiet(place, c.table, now) {
			t.Errorf("%s: a site that nobody has asked is quiet", c.name)
		}
		quiet.keep(place, c.site, now)
		if got := quiet.isQuiet(place, c.table, now.Add(c.after)); got != c.want {
			t.Errorf("%s: quiet %v, want %v", c.name, got, c.want)
		}
	}
}
