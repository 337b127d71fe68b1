package seedlist

import (
	"testing"
	"time"
)

func TestAClockThatWasSetIsToldFromOneThatWent(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, c := range []struct{ shown, passed, want time.Duration }{
		{0, 0, 0},
		{30 * time.Second, 30 * time.Second, 0},
		{30*time.Second + time.Millisecond, 30 * time.Second, 0},
		{29 * time.Second, 30 * time.Second, 0},
		{28 * time.Second, 30 * time.Second, 0},
		{27 * time.Second, 30 * time.Second, -3 * time.Second},
		{33 * time.Second, 30 * time.Second, 3 * time.Second},
		{time.Hour + 30*time.Second, 30 * time.Second, time.Hour},
		{-time.Hour, 30 * time.Second, -time.Hour - 30*time.Second},
		{55 * year, 30 * time.Second, 55*year - 30*time.Second},
		{-10 * year, time.Second, -10*year - time.Second},
	} {
		if got := clockSet(c.shown, c.passed); got != c.want {
			t.Errorf("the clock went by %v in %v: set by %v, want %v", c.shown, c.passed, got, c.want)
		}
	}
	now := time.Now()
	if set := ClockSet(now, now.Add(time.Hour)); set != 0 {
		t.Errorf("a clock that went was set by %v", set)
	}
}
