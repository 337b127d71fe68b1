package seedlist

import (
	"slices"
	"strings"
)

// stateWords are the states in plain words, as tables have them, and what each means.
var stateWords = map[State]struct{ words, meaning string }{
	Added:       {"waiting to be downloaded", "is known by its URI alone, or is to be fetched again"},
	Downloading: {"being downloaded", "its bytes are being fetched"},
	Filed:       {"waiting to be unpacked", "its bytes are there; whether they are an archive is not known yet"},
	Unarchiving: {"being unpacked", "if it is an archive, each of its entries becomes a seed"},
	Unarchived:  {"waiting to be recognised", "isn't an archive; its encoding and format are not known yet"},
	Guessing:    {"being recognised", "its encoding and format are being found"},
	Guessed:     {"waiting to be washed", "its encoding and format are presumed"},
	Parsing:     {"being washed", "is being read, cleaned and sorted"},
	Parsed:      {"washed", "has a clean file, and perhaps notices"},
	Depleted:    {"unpacked", "was an archive; each of its entries is a seed now"},
	Failed:      {"failed", "ended in an error: \"laundromat why HASH\" says which"},
	Cleaned:     {"clean file", "is what one or more documents were washed to"},
}

// Words says a state in plain words, as tables have it.
func (s State) Words() string { return stateWords[s].words }

// Meaning says what is known of a seed in a state.
func (s State) Meaning() string { return stateWords[s].meaning }

// StateNamed is the state of a name or of its plain words, in any case; "" if there is none.
func StateNamed(text string) State {
	text = strings.TrimSpace(text)
	i := slices.IndexFunc(states, func(s State) bool {
		return strings.EqualFold(string(s), text) || strings.EqualFold(s.Words(), text)
	})
	if i < 0 {
		return ""
	}
	return states[i]
}
