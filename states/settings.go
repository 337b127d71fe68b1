package states

import (
	"laundromat/archive"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// Settings are what a person asks of every document of a run. They are filled once, and held as
// they are by all that works on documents: Washer, ParseOptions, and the daemon.
//
// The zero value washes as "laundromat wash" does without flags, with the limits that the readers
// and package archive choose.
type Settings struct {
	format.Settings               // how documents are read; its Temp is the folder for all that is spooled
	Clean           clean.Options // how statements are made clean
	Limits          archive.Limits
}

// ParseOptions are the settings of a run, and what one document adds to them: which hashes are
// wanted. The daemon also sets the memory and the workers that it has for the document.
type ParseOptions struct {
	Settings
	Hashes Hashes // of the document's bytes
	Edits  bool   // repairs carry their edits
	Held   *Held  // takes what other products read too; nil if there are none
}

// LongestTerm is how long a term, a tag or a line may be that readers hold, in bytes, where nobody says another
// length. A process may use so much memory. On its way from a reader to a sorted line a term takes up to
// [TermFactor] times that, besides what the sort has. Of 256 MiB, N-Triples with a term of a twelfth after 2.5 million
// lines took 77 %, of a sixth 99 %, and of a quarter 122 %. RDF/XML took 103 % with one of an eighth.
func LongestTerm(memory int64) int { return int(max(memory/12, 1<<20)) }

// TermFactor is how many bytes of memory each byte of a very long term takes.
const TermFactor = 5

// UsualTerm is how long a term may be for which a document draws no memory, in bytes, where a process may use so much.
func UsualTerm(memory int64) int { return int(min(max(memory/32, 1<<20), 16<<20)) }
