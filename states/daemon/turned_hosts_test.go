package daemon_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/seedlist"
)

// hostNow is the host of the world's server as it is kept.
func (w *world) hostNow() seedlist.HostUse {
	w.t.Helper()
	use, err := w.seeds.Host(w.t.Context(), w.http.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	return use
}

// Documents of a host that were data, and are something else now, are one event, which the log tells once. It ends
// with the first that is well. What was taken back, or never was data, makes none.
func TestAHostThatTurns(t *testing.T) {
	for name, c := range map[string]struct {
		has    int    // documents of the host
		before string // what they were
		status int
		body   string // what the first of them are now; %d is the number of each
		turn   int    // so many of them
		want   bool
	}{
		"three of thirty":                {30, nt("good %d"), 200, loginPage + "<!-- %d -->", 3, true},
		"two of thirty":                  {30, nt("good %d"), 200, loginPage, 2, false},
		"three of forty":                 {40, nt("good %d"), 200, loginPage + "<!-- %d -->", 3, false},
		"one text under three of forty":  {40, nt("good %d"), 200, loginPage, 3, true},
		"all of three, not found":        {3, nt("good %d"), 404, "not found", 3, true},
		"all of three, forbidden":        {3, nt("good %d"), 403, loginPage, 3, true},
		"all of three, gone":             {3, nt("good %d"), 410, "gone", 3, false},
		"all of three, never data":       {3, loginPage, 200, loginPage + " ", 3, false},
		"all of three, other data":       {3, nt("good %d"), 200, nt("other %d"), 3, false},
		"a host of one document":         {1, nt("good %d"), 200, loginPage, 1, true},
		"a host of two, one of them":     {2, nt("good %d"), 200, loginPage, 1, false},
		"a host of two, both":            {2, nt("good %d"), 200, loginPage, 2, true},
		"archives that are pages":        {3, "zip", 200, loginPage, 3, true},
		"all of three, a server's error": {3, nt("good %d"), 500, loginPage, 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Retries.Tries = 1
			w.fetch.IgnoreRobots = true
			var pages []*page
			var paths []string
			text := func(format string, i int) []byte {
				if format == "zip" {
					return zipOf(t, "a.nt", nt(fmt.Sprint("member", i)))
				}
				return []byte(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
			}
			for i := range c.has {
				paths = append(paths, fmt.Sprint("/", i))
				pages = append(pages, w.page(paths[i], text(c.before, i)))
			}
			w.add(paths...)
			// One daemon asks for all of them within the day.
			stop := w.start()
			rested := func() bool { return w.idle() }
			w.await("the first fetches", rested)
			if w.hostNow().Turned != nil {
				t.Fatalf("%+v", w.hostNow())
			}
			for i, p := range pages[:c.turn] {
				p.set(c.status, text(c.body, i))
			}
			w.retry(paths[:c.turn]...)
			w.await("the second fetches", rested)
			stop()
			w.opt.UntilIdle = true
			told := strings.Count(w.log.String(), "host/turned")
			use := w.hostNow()
			if got := use.Turned != nil; got != c.want || (told == 1) != c.want || use.Rests.IsZero() == c.want {
				t.Fatalf("%+v, told %d times\n%s", use, told, w.log.String())
			}
			w.sound()
			if !c.want {
				return
			}
			if use.Turned.Documents != c.turn || use.Turned.Asked < c.turn {
				t.Errorf("%+v", use.Turned)
			}
			// By hand it is asked at once. What is not well yet changes nothing, what is ends it.
			w.retry(paths[0])
			w.run()
			if again := w.hostNow(); again.Turned == nil || *again.Turned != *use.Turned {
				t.Errorf("%+v", again.Turned)
			}
			for i, p := range pages {
				p.set(200, text(c.before, i))
			}
			w.retry(paths[:c.turn]...)
			w.run()
			w.sound()
			if is := w.hostNow(); is.Turned != nil || !is.Rests.IsZero() || strings.Count(w.log.String(), "well again") != 1 {
				t.Errorf("%+v\n%s", is, w.log.String())
			}
		})
	}
}

// idle says that the list has come to rest.
func (w *world) idle() bool {
	idle, err := w.seeds.Idle(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return idle
}
