package seedlist

import (
	"slices"
	"testing"
)

// moves are all there are, written down apart from the table: what the design says.
var moves = map[Cause][][2]State{
	ByClaim: {
		{Added, Downloading}, {Filed, Unarchiving}, {Unarchived, Guessing}, {Guessed, Parsing},
	},
	ByOutcome: {
		{Downloading, Filed}, {Downloading, Failed},
		{Unarchiving, Unarchived}, {Unarchiving, Depleted}, {Unarchiving, Failed},
		{Guessing, Guessed}, {Guessing, Failed},
		{Parsing, Parsed}, {Parsing, Failed},
	},
	ByReturn: {
		{Downloading, Added}, {Unarchiving, Filed}, {Guessing, Unarchived}, {Parsing, Guessed},
	},
	ByNoChange: {
		{Downloading, Parsed}, {Downloading, Depleted}, {Downloading, Failed},
	},
	ByInterval: {
		{Parsed, Added}, {Depleted, Added}, {Failed, Added},
	},
	ByRetry: {
		{Failed, Added}, {Failed, Filed}, {Failed, Unarchived}, {Failed, Guessed},
	},
	ByDepletion: {
		{Parsed, Filed}, {Depleted, Filed}, {Failed, Filed},
	},
	ByRewash: {
		{Parsed, Filed}, {Depleted, Filed}, {Failed, Filed},
	},
}

func TestNoMoveButThoseOfTheDesign(t *testing.T) {
	for _, c := range causes {
		for _, from := range append(States(), "", "nonsense") {
			for _, to := range append(States(), "", "nonsense") {
				want := slices.Contains(moves[c], [2]State{from, to})
				if got := c.Allows(from, to); got != want {
					t.Errorf("cause %d: %q → %q: %v, want %v", c, from, to, got, want)
				}
			}
		}
	}
}

func TestEveryStateIsReadyWorkingOrFinal(t *testing.T) {
	for _, s := range States() {
		kinds := 0
		for _, is := range []bool{s.IsReady(), s.IsWorking(), s.IsFinal()} {
			if is {
				kinds++
			}
		}
		if kinds != 1 {
			t.Errorf("%s is of %d kinds", s, kinds)
		}
		if s.IsReady() && s.Working().Ready() != s || s.IsWorking() && (s.Ready().Working() != s || len(s.Next()) < 2) {
			t.Errorf("%s: its row of the table", s)
		}
		if StateOf(s.Number()) != s {
			t.Errorf("%s is stored as %s", s, StateOf(s.Number()))
		}
	}
	if State("nonsense").Number() != 0 || StateOf(0) != "" || StateOf(200) != "" {
		t.Error("what isn't a state has a number")
	}
	if !slices.Equal(Stages(), []State{Downloading, Unarchiving, Guessing, Parsing}) {
		t.Error(Stages())
	}
}
