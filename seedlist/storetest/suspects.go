package storetest

import (
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// RunDeaths holds lists against the laws of what a process that died was working on. The function die ends the process
// that has the list as a kill does. It returns the list as another process has it, which has given back what
// the dead one held.
func RunDeaths(t *testing.T, open func(t *testing.T, options seedlist.Options) (list seedlist.List, die func() seedlist.List)) {
	for _, law := range []struct {
		name string
		hold func(t *testing.T, m *mortal)
	}{
		{"ASuspectThatFailedIsTriedFromItsStage", aSuspectThatFailedIsTriedFromItsStage},
		{"ASuspectThatWaitsIsFoundWhenItIsDue", aSuspectThatWaitsIsFoundWhenItIsDue},
	} {
		t.Run(law.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				list, die := open(t, seedlist.Options{HostConnections: 100, HostDelay: -1})
				law.hold(t, &mortal{list, die})
			})
		})
	}
}

// mortal is a list whose process can die.
type mortal struct {
	list seedlist.List
	kill func() seedlist.List
}

func (m *mortal) die() { m.list = m.kill() }

func (m *mortal) suspect(t *testing.T) seedlist.Claim {
	t.Helper()
	c, found, err := m.list.ClaimSuspect(t.Context(), "w")
	if err != nil || !found {
		t.Fatalf("no suspect: %v", err)
	}
	return c
}

func (m *mortal) noSuspect(t *testing.T, when string) {
	t.Helper()
	if c, found, err := m.list.ClaimSuspect(t.Context(), "w"); found || err != nil {
		t.Fatalf("%s a suspect is claimed: %s of %s, %v", when, c.Stage, c.Seed.URI, err)
	}
}

// aSuspectThatFailedIsTriedFromItsStage: its bytes are there, and are no reason to ask the host again.
func aSuspectThatFailedIsTriedFromItsStage(t *testing.T, m *mortal) {
	for _, stage := range seedlist.Stages()[1:] {
		hash := Add(t, m.list, "http://a.example/"+string(stage))[0]
		Drive(t, m.list, stage)
		m.die()
		m.suspect(t)
		m.die()
		c := m.suspect(t)
		if c.Stage != stage || c.Crashes != 2 {
			t.Fatalf("%s, %d deaths; want %s, 2", c.Stage, c.Crashes, stage)
		}
		Complete(t, m.list, c, seedlist.Outcome{Next: seedlist.Failed, Again: 10 * time.Second})
		time.Sleep(11 * time.Second)
		// Whoever claims downloads sees to what is due.
		if claims := Must[[]seedlist.Claim](t)(m.list.Claim(t.Context(), seedlist.Downloading, "w", 1)); len(claims) > 0 {
			t.Errorf("what failed in %s is fetched again", stage)
		}
		WantState(t, m.list, hash, stage.Ready())
		if c = m.suspect(t); c.Stage != stage || c.Crashes != 1 {
			t.Errorf("%s, %d deaths; want %s, 1", c.Stage, c.Crashes, stage)
		}
		Complete(t, m.list, c, seedlist.Outcome{Next: seedlist.Failed})
		Audit(t, m.list)
	}
}

func aSuspectThatWaitsIsFoundWhenItIsDue(t *testing.T, m *mortal) {
	for _, stage := range seedlist.Stages()[1:] {
		Add(t, m.list, "http://a.example/"+string(stage))
		Drive(t, m.list, stage)
		m.die()
		due := time.Now().Add(10 * time.Second)
		if err := m.list.GiveBack(t.Context(), m.suspect(t), seedlist.Return{CountTry: true, Due: due}); err != nil {
			t.Fatal(err)
		}
		if w := Must[seedlist.Waits](t)(m.list.Waits(t.Context(), 1)); w.Later != 1 || !w.Next.Equal(due) {
			t.Errorf("%s: waits %+v, want one at %v", stage, w, due)
		}
		m.noSuspect(t, "before it is due")
		if err := m.list.WaitSuspect(t.Context()); err != nil || time.Now().Before(due) {
			t.Errorf("%s: woken %v before it is due: %v", stage, time.Until(due), err)
		}
		if claims := Must[[]seedlist.Claim](t)(m.list.Claim(t.Context(), stage, "w", 1)); len(claims) > 0 {
			t.Errorf("%s: a suspect is claimed among others", stage)
		}
		c := m.suspect(t)
		if c.Stage != stage || c.Crashes != 1 || c.Try != 2 {
			t.Errorf("%s, %d deaths, try %d; want %s, 1, 2", c.Stage, c.Crashes, c.Try, stage)
		}
		Complete(t, m.list, c, seedlist.Outcome{Next: seedlist.Failed})
		m.noSuspect(t, "at the end")
		Audit(t, m.list)
	}
}
