package outputs

import (
	"path/filepath"
	"strings"

	"laundromat/rdf/clean"
	"laundromat/rdf/write"
)

// Form is what is written: a syntax, and how it is compressed.
type Form struct {
	Syntax write.Syntax
	Coding string // "", ".gz" or ".zst"
}

// Suffix is what files end in.
func (f Form) Suffix() string { return "." + f.Syntax.Extension() + f.Coding }

// FormOf is the form that the end of a name says.
func FormOf(name string) (f Form, ok bool) {
	for _, coding := range []string{".gz", ".zst"} {
		if rest, found := strings.CutSuffix(name, coding); found {
			name, f.Coding = rest, coding
			break
		}
	}
	f.Syntax, ok = write.Of(strings.TrimPrefix(filepath.Ext("x"+filepath.Base(name)), "."))
	return f, ok
}

// CleanOutput is what the syntax can't say.
func (f Form) CleanOutput() clean.Output {
	if f.Syntax.IsLines() && f.Syntax.HasGraphs() {
		return clean.Output{}
	}
	return clean.Output{Name: f.Syntax.String(), NoGraphs: !f.Syntax.HasGraphs(), NoTripleTerms: !f.Syntax.HasTripleTerms()}
}

// TakesPrefixes says that IRIs are written with prefixes.
func (f Form) TakesPrefixes() bool { return f.Syntax == write.Turtle || f.Syntax == write.TriG }
