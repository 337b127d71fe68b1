package seedlist

import (
	"slices"
	"testing"
)

// moves are all there are, written down apart from the table: what the design says.
var moves = map[cause][][2]State{
	byClaim: {
		{Added, Downloading}, {Filed, Unarchiving}, {Unarchived, Guessing}, {Guessed, Parsing},
	},
	byOutcome: {
		{Downloading, Filed}, {Downloading, Failed},
		{Unarchiving, Unarchived}, {Unarchiving, Depleted}, {Unarchiving, Failed},
		{Guessing, Guessed}, {Guessing, Failed},
		{Parsing, Parsed}, {Parsing, Failed},
	},
	byReturn: {
		{Downloading, Added}, {Unarchiving, Filed}, {Guessing, Unarchived}, {Parsing, Guessed},
	},
	byNoChange: {
		{Downloading, Parsed}, {Downloading, Depleted}, {Downloading, Failed},
	},
	byInterval: {
		{Parsed, Added}, {Depleted, Added}, {Failed, Added},
	},
	byRetry: {
		{Failed, Added}, {Failed, Filed}, {Failed, Unarchived}, {Failed, Guessed},
	},
	byDepletion: {
		{Parsed, Filed}, {Depleted, Filed}, {Failed, Filed},
	},
}

func TestNoMoveButThoseOfTheDesign(t *testing.T) {
	for _, c := range causes {
		for _, from := range append(States(), "", "nonsense") {
			for _, to := range append(States(), "", "nonsense") {
				want := slices.Contains(moves[c], [2]State{from, to})
				if got := c.allows(from, to); got != want {
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
		if stateOf(s.number()) != s {
			t.Errorf("%s is stored as %s", s, stateOf(s.number()))
		}
	}
	if State("nonsense").number() != 0 || stateOf(0) != "" || stateOf(200) != "" {
		t.Error("what is no state has a number")
	}
	if !slices.Equal(Stages(), []State{Downloading, Unarchiving, Guessing, Parsing}) {
		t.Error(Stages())
	}
}

func TestHotRecordIsReadAsWritten(t *testing.T) {
	h := hot{
		state: Guessing, last: Failed, stage: Parsing, flags: isFetchable | isGone, crashes: 3, tries: 4, fence: 1 << 60, due: -5,
		priority: -7, revision: 9, host: 1 << 63, parent: 11, open: 12,
	}
	data := h.encode()
	got, ok := decodeHot(data)
	if !ok || got != h {
		t.Errorf("%+v, want %+v", got, h)
	}
	if _, ok := decodeHot(data[:20]); ok {
		t.Error("half a record was read")
	}
	if _, ok := decodeHot(nil); ok {
		t.Error("no record was read")
	}
}

func TestIndexKeysSortByPriorityThenDueThenAge(t *testing.T) {
	key := func(priority int, due int64, id uint64) string {
		h := hot{state: Filed, priority: clampPriority(priority), due: due}
		_, k, _ := h.indexKey(id)
		return string(k)
	}
	order := []string{
		key(1<<40, 5, 9), key(7, 5, 9), key(0, -5, 9), key(0, 5, 1), key(0, 5, 2), key(0, 6, 1), key(-1, 0, 0), key(-1<<40, 0, 0),
	}
	if !slices.IsSorted(order) {
		t.Errorf("%x", order)
	}
}
