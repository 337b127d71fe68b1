package daemon

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// TestKindAloneDecidesTheMove walks every kind with tries left and without, while
// working and while stopping.
func TestKindAloneDecidesTheMove(t *testing.T) {
	retries := Retries{Tries: 3, First: time.Second, Most: time.Minute}
	type outcome struct {
		verdict verdict
		pause   time.Duration
	}
	for kind, want := range map[fault.Kind]struct{ first, last, stopping outcome }{
		fault.Unknown: {outcome{failed, 0}, outcome{failed, 0}, outcome{failed, 0}},
		fault.Remote:  {outcome{retried, time.Second}, outcome{failed, 0}, outcome{givenBack, 0}},
		fault.Refused: {outcome{failed, 0}, outcome{failed, 0}, outcome{failed, 0}},
		fault.Data:    {outcome{failed, 0}, outcome{failed, 0}, outcome{failed, 0}},
		fault.Limit:   {outcome{failed, 0}, outcome{failed, 0}, outcome{failed, 0}},
		fault.Local:   {outcome{paused, 0}, outcome{paused, 0}, outcome{paused, 0}},
		fault.Stopped: {outcome{givenBack, 0}, outcome{givenBack, 0}, outcome{givenBack, 0}},
		fault.Bug:     {outcome{failed, 0}, outcome{failed, 0}, outcome{failed, 0}},
	} {
		err := fmt.Errorf("wrapped: %w", fault.New("test", kind, "test/code", "trouble"))
		for _, row := range []struct {
			name     string
			tries    int
			stopping bool
			want     outcome
		}{
			{"first try", 0, false, want.first},
			{"last try", 2, false, want.last},
			{"stopping", 0, true, want.stopping},
		} {
			verdict, pause := settle(err, row.tries, row.stopping, retries)
			if got := (outcome{verdict, pause}); got != row.want {
				t.Errorf("%v, %s: got %v, want %v", kind, row.name, got, row.want)
			}
		}
	}
}

// TestALostClaimIsNoFailure: that a claim is no longer held says nothing about the document.
func TestALostClaimIsNoFailure(t *testing.T) {
	local := fault.New("test", fault.Local, fault.LocalDatabase, "away")
	for _, row := range []struct {
		name     string
		err      error
		tries    int
		stopping bool
		want     verdict
	}{
		{"bare", seedlist.ErrLost, 0, false, givenBack},
		{"last try", seedlist.ErrLost, 99, false, givenBack},
		{"stopping", seedlist.ErrLost, 0, true, givenBack},
		{"joined with nothing", errors.Join(nil, seedlist.ErrLost), 0, false, givenBack},
		{"wrapped", fmt.Errorf("file entry: %w", seedlist.ErrLost), 2, false, givenBack},
		{"wrapped twice", fmt.Errorf("a: %w", fmt.Errorf("b: %w", seedlist.ErrLost)), 2, false, givenBack},
		{"of no kind", &fault.Error{Op: "test", Err: seedlist.ErrLost}, 0, false, givenBack},
		{"with trouble of the machine", errors.Join(local, seedlist.ErrLost), 0, false, paused},
		{"behind trouble of the machine", errors.Join(seedlist.ErrLost, local), 0, false, paused},
		{"with another unknown error", errors.Join(errors.New("other"), seedlist.ErrLost), 0, false, givenBack},
		{"another unknown error", errors.New("other"), 0, false, failed},
	} {
		if got, pause := settle(row.err, row.tries, row.stopping, Retries{}); got != row.want || pause != 0 {
			t.Errorf("%s: %v after %v, want %v", row.name, got, pause, row.want)
		}
	}
}

func TestPauseDoublesAndObeysTheServerUpToABound(t *testing.T) {
	retries := Retries{Tries: 100, First: time.Second, Most: time.Minute}
	remote := func(after time.Duration) error {
		return &fault.Error{Kind: fault.Remote, After: after}
	}
	for _, row := range []struct {
		tries int
		after time.Duration
		want  time.Duration
	}{
		{0, 0, time.Second},
		{1, 0, 2 * time.Second},
		{4, 0, 16 * time.Second},
		{5, 0, 32 * time.Second},
		{6, 0, time.Minute},
		{60, 0, time.Minute},
		{0, 7 * time.Second, 7 * time.Second},
		{4, 7 * time.Second, 16 * time.Second},
		{0, time.Hour, time.Minute},
	} {
		if _, pause := settle(remote(row.after), row.tries, false, retries); pause != row.want {
			t.Errorf("tries %d, Retry-After %v: pause %v, want %v", row.tries, row.after, pause, row.want)
		}
	}
}

// TestAStopForgetsNoRetryAfter gives back what is tried again later, by this daemon or another.
func TestAStopForgetsNoRetryAfter(t *testing.T) {
	retries := Retries{Tries: 3, First: time.Second, Most: time.Minute}
	for after, want := range map[time.Duration]time.Duration{0: 0, 7 * time.Second: 7 * time.Second, time.Hour: time.Minute} {
		if verdict, pause := settle(&fault.Error{Kind: fault.Remote, After: after}, 2, true, retries); verdict != givenBack ||
			pause != want {
			t.Errorf("Retry-After %v: %v after %v", after, verdict, pause)
		}
	}
}

// TestASeedWhoseHostRestsComesBackThen: no try is counted for what was not asked.
func TestASeedWhoseHostRestsComesBackThen(t *testing.T) {
	retries := Retries{Most: time.Minute}
	resting := &fault.Error{Kind: fault.Stopped, After: 20 * time.Second}
	if verdict, pause := settle(resting, 4, false, retries); verdict != givenBack || pause != 20*time.Second {
		t.Errorf("%v after %v", verdict, pause)
	}
	resting.After = time.Hour
	if verdict, pause := settle(resting, 4, false, retries); verdict != givenBack || pause != time.Minute {
		t.Errorf("%v after %v", verdict, pause)
	}
	if verdict, pause := settle(resting, 4, true, retries); verdict != givenBack || pause != 0 {
		t.Errorf("%v after %v, and we are being stopped", verdict, pause)
	}
}

func TestSuccessIsSuccessAlsoWhileStopping(t *testing.T) {
	if verdict, _ := settle(nil, 4, true, Retries{}); verdict != succeeded {
		t.Errorf("got %v", verdict)
	}
}
