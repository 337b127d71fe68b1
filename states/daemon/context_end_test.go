package daemon

import (
	"errors"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/seedlist"
)

// A try decides when a context is asked for next and whether documents wait for it. It also decides whether those that
// named it are washed again.
func TestATryDecidesWhatBecomesOfAContext(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	old := format.ContextDocument{Text: []byte("old"), IRI: "http://a.test/"}
	had := seedlist.Context{IRI: "http://a.test/"}
	endContext(&had, contextEnd{document: old, interval: 100 * day}, now)
	fresh := seedlist.Context{IRI: "http://a.test/"}
	with := func(c seedlist.Context, tries, failures int) seedlist.Context {
		c.Tries, c.Failures = tries, failures
		return c
	}
	trouble := fault.New("test", fault.Remote, fault.HTTPStatus, "503")
	for _, c := range []struct {
		name                        string
		known                       seedlist.Context
		end                         contextEnd
		due                         time.Duration
		tries, failures             int
		isHere, isComing, isWashing bool
	}{
		{"it came", fresh, contextEnd{document: old}, 100 * day, 0, 0, true, false, false},
		{"it came at the second try", with(fresh, 1, 0), contextEnd{document: old}, 100 * day, 0, 0, true, false, false},
		{"it came when nobody waited any more", with(fresh, 0, 2), contextEnd{document: old}, 100 * day, 0, 0, true, false, true},
		{"it is as it was", had, contextEnd{document: old}, 100 * day, 0, 0, true, false, false},
		{"it is as it was, after failures", with(had, 0, 3), contextEnd{document: old}, 100 * day, 0, 0, true, false, false},
		{"it changed", had, contextEnd{document: format.ContextDocument{Text: []byte("new")}}, 100 * day, 0, 0, true, false, true},
		{"to be tried again", fresh, contextEnd{err: trouble, verdict: retried, pause: time.Minute}, time.Minute, 1, 0, false, true, false},
		{"tried in vain", with(fresh, 4, 0), contextEnd{err: trouble, verdict: failed}, day, 0, 1, false, false, false},
		{"refused at once", fresh, contextEnd{err: trouble, verdict: failed}, day, 0, 1, false, false, false},
		{"in vain again", with(fresh, 0, 1), contextEnd{err: trouble, verdict: failed}, 2 * day, 0, 2, false, false, false},
		{"in vain a third time", with(fresh, 0, 2), contextEnd{err: trouble, verdict: failed}, 4 * day, 0, 3, false, false, false},
		{"in vain for years", with(fresh, 0, 60), contextEnd{err: trouble, verdict: failed}, 100 * day, 0, 61, false, false, false},
		{"had, and away since", had, contextEnd{err: trouble, verdict: failed}, day, 0, 1, true, false, false},
		{"had, and to be tried again", had, contextEnd{err: trouble, verdict: retried, pause: time.Hour}, time.Hour, 1, 0, true, false,
			false},
		{"the daemon ends", with(fresh, 2, 0), contextEnd{err: trouble, verdict: givenBack, pause: 7 * time.Second}, 7 * time.Second, 2, 0,
			false, true, false},
		{"trouble of this machine", fresh, contextEnd{err: errors.New("no network"), verdict: paused}, contextRest, 1, 0, false, true,
			false},
		{"lasting trouble of this machine", with(fresh, contextTries-1, 0), contextEnd{err: errors.New("no network"), verdict: paused}, day,
			0, 1, false, false, false},
	} {
		c.end.interval = 100 * day
		known := c.known
		endContext(&known, c.end, now)
		if got := known.Due.Sub(now); got != c.due || known.Tries != c.tries || known.Failures != c.failures {
			t.Errorf("%s: due in %v, %d tries, %d failures; want %v, %d, %d", c.name, got, known.Tries, known.Failures, c.due, c.tries,
				c.failures)
		}
		if isHere := known.SHA256 != "" && len(known.Text) > 0; isHere != c.isHere || known.IsComing() != c.isComing ||
			known.Washing != c.isWashing {
			t.Errorf("%s: here %v, coming %v, washing %v", c.name, isHere, known.IsComing(), known.Washing)
		}
		if (known.Error != nil) != (c.end.err != nil && c.end.verdict != givenBack) {
			t.Errorf("%s: the error is %+v", c.name, known.Error)
		}
	}
}
