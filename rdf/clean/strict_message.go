package clean

import (
	"strings"
	"sync"
)

// wouldBe says of a repair that was not made what its message says was done.
//
// Most messages end with what was done: "it was read as …". Those that only name the fault are completed.
func wouldBe(message string) string {
	told := conditional().Replace(message)
	if told == message {
		told += "; it would be read as what it surely means"
	}
	return told + ", but not with --strict"
}

// conditional turns what was done with a fault into what would be done.
var conditional = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer(conditionals()...) })

// conditionals are the ways in which messages of repairs say what was done. In the present tense fewer do: what
// "is written" or "is given" may be the fault.
func conditionals() (pairs []string) {
	add := func(was, done string) { pairs = append(pairs, " "+was+" "+done, " would be "+done) }
	for _, done := range []string{
		"read", "taken", "left", "ignored", "passed", "cut", "kept", "resolved", "written", "replaced", "put", "skipped",
		"completed", "joined", "removed", "closed", "added", "decoded", "encoded", "percent-encoded", "given", "obeyed",
	} {
		add("was", done)
		add("were", done)
	}
	for _, done := range []string{"read", "taken", "left out", "ignored", "passed over", "kept", "resolved"} {
		add("is", done)
		add("are", done)
	}
	return pairs
}
