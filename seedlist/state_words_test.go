package seedlist_test

import (
	"testing"

	"laundromat/seedlist"
)

// Every state has plain words of its own, which lead back to it, as its name does.
func TestEachStateHasWordsOfItsOwn(t *testing.T) {
	known := map[string]seedlist.State{}
	for _, state := range seedlist.States() {
		words := state.Words()
		if words == "" || state.Meaning() == "" || known[words] != "" {
			t.Errorf("%s is %q, as %q", state, words, known[words])
		}
		known[words] = state
		for _, text := range []string{string(state), words, " " + words + " "} {
			if seedlist.StateNamed(text) != state {
				t.Errorf("%q is %q, want %q", text, seedlist.StateNamed(text), state)
			}
		}
	}
	if seedlist.StateNamed("") != "" || seedlist.StateNamed("lost") != "" {
		t.Error("what isn't a state is named")
	}
}
