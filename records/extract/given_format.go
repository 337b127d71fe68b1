package extract

import (
	"slices"
	"strings"

	"laundromat/records/spec"
)

// SetFormat puts a format in the place of a spec's own. An error names its place as line 1 of given.
func SetFormat(s *spec.Spec, given, format string) error {
	entry := &spec.Entry{Key: "format", Line: 1, Column: 1,
		Value: &spec.Node{Kind: spec.Text, Text: strings.ToLower(format), File: given, Line: 1, Column: 1}}
	if _, err := Compile(&spec.Node{Kind: spec.Map, Entries: []*spec.Entry{entry}}); err != nil {
		return err
	}
	source := &spec.Node{Kind: spec.Map, File: given, Line: 1, Column: 1}
	if s.Source != nil {
		*source = *s.Source
		source.Entries = slices.DeleteFunc(slices.Clone(source.Entries), func(e *spec.Entry) bool { return e.Key == "format" })
	}
	source.Entries = append(source.Entries, entry)
	s.Source = source
	return nil
}
