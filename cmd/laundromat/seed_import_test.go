package main

import "testing"

// An interval in a table is a number of seconds, or is written as the flag takes it.
func TestAnIntervalOfATableIsSecondsOrATime(t *testing.T) {
	for cell, want := range map[string]int64{
		"0": 0, "60": 60, "86400": 86400, "-1": -1, "24h": 86400, "2400h": 8640000, "1h30m": 5400, "90s": 90, "1m": 60, "2.5h": 9000,
	} {
		if got, err := intervalOf(cell); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", cell, got, err, want)
		}
	}
	for _, cell := range []string{"weekly", "7d", "1.5", "1e3", "10 h", "500ms", "99999999999", "PT1H", "h", "1,5"} {
		if got, err := intervalOf(cell); err == nil {
			t.Errorf("%q is taken as %d", cell, got)
		}
	}
}
