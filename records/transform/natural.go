package transform

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Natural fills the fields of a schema from fields of the same names. Case, spaces, punctuation and accents are of no
// account: "Birth Date", "birth_date" and "BirthDate" are one name. A field of the very name comes before others.
type Natural struct {
	names  []string
	byForm map[string][]string // the schema's names, by what is compared
}

// CompileNatural makes the map for the names of a schema, in its order.
func CompileNatural(names []string) *Natural {
	n := &Natural{names: names, byForm: map[string][]string{}}
	for _, name := range names {
		f := form(name)
		n.byForm[f] = append(n.byForm[f], name)
	}
	return n
}

// form is what is compared of a name: its letters and digits, small and without accents. It is the name itself where
// it has none.
func form(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteString(strings.ToLower(string(r)))
		}
	}
	if b.Len() == 0 {
		return name
	}
	return b.String()
}

// FieldNames are those of the schema.
func (n *Natural) FieldNames() []string { return n.names }

// FieldsBehind is 0: no other fields are written.
func (n *Natural) FieldsBehind() int { return 0 }

// NaturalStage is a sink that maps records and passes them on.
type NaturalStage struct {
	records.Sink
	n    *Natural
	out  records.Record
	any  bool
	came map[string]*joined // the fields of the input, by name
	// order are their names, as they came first.
	order []string
}

// joined is what became of a field of the input.
type joined struct {
	to    string // the field that it may fill; "" for none
	lost  int    // in how many records another field had filled it already
	fills int    // in how many records it did
}

// Sink makes a stage whose records flow into to.
func (n *Natural) Sink(to records.Sink) Stager {
	return &NaturalStage{Sink: to, n: n, came: map[string]*joined{}}
}

// Record maps one record. The number of records stays the same.
func (s *NaturalStage) Record(in *records.Record) error {
	s.any = true
	out := &s.out
	fields, was := out.Fields[:0], out.Was[:0]
	*out = *in
	out.Fields, out.Was = fields, was
	from := make([]*records.Field, len(s.n.names))
	for _, exact := range []bool{true, false} {
		for i := range in.Fields {
			f := &in.Fields[i]
			j := s.joins(f.Name)
			if (j.to == f.Name) != exact || j.to == "" {
				continue
			}
			at := slices.Index(s.n.names, j.to)
			if from[at] != nil {
				j.lost++
				continue
			}
			from[at] = f
			j.fills++
		}
	}
	for i, f := range from {
		if f == nil {
			continue
		}
		for _, w := range in.Was {
			if w.Field == f.Name {
				out.Keep(s.n.names[i], w.Value, w.Rule)
			}
		}
		field := *f
		field.Name = s.n.names[i]
		out.Fields = append(out.Fields, field)
	}
	return s.Sink.Record(out)
}

// joins is what a field of the input fills. Of several names with one form it fills the one that is written alike.
func (s *NaturalStage) joins(name string) *joined {
	if j := s.came[name]; j != nil {
		return j
	}
	j := &joined{}
	switch alike := s.n.byForm[form(name)]; {
	case slices.Contains(s.n.names, name):
		j.to = name
	case len(alike) == 1:
		j.to = alike[0]
	}
	s.came[name] = j
	s.order = append(s.order, name)
	return j
}

// Flush reports which fields were joined, which fill nothing, and which fields of the schema none fills. It then
// flushes what follows.
func (s *NaturalStage) Flush() error {
	var renamed, rest []string
	filled := map[string]bool{}
	for _, name := range s.order {
		j := s.came[name]
		filled[j.to] = true
		if j.to == "" {
			rest = append(rest, fmt.Sprintf("%q", name))
		} else if j.to != name && j.fills > 0 {
			renamed = append(renamed, fmt.Sprintf("%q fills %q", name, j.to))
		}
		if j.lost > 0 {
			s.Sink.Notice(fault.Notice{Code: fault.MapNaturalTwice, Severity: fault.Warning, Field: j.to,
				Message: fmt.Sprintf("in %d records %q would fill %q, which another field fills already: it is left out", j.lost, name,
					j.to)})
		}
	}
	if s.any {
		if len(renamed) > 0 || len(rest) > 0 {
			var parts []string
			if len(renamed) > 0 {
				parts = append(parts, shortened(renamed))
			}
			if len(rest) > 0 {
				parts = append(parts, "left out, since the schema has no field of such a name: "+shortened(rest))
			}
			s.Sink.Notice(fault.Notice{Code: fault.MapNatural, Severity: fault.Note, Message: strings.Join(parts, "; ")})
		}
		for _, name := range s.n.names {
			if !filled[name] {
				s.Sink.Notice(fault.Notice{Code: fault.MapNeverFound, Severity: fault.Warning, Field: name,
					Message: fmt.Sprintf("no record has a field of the name %q, or one like it", name)})
			}
		}
	}
	if to, ok := s.Sink.(records.Flusher); ok {
		return to.Flush()
	}
	return nil
}

// mostShown is how many names a notice shows.
const mostShown = 50

// shortened joins names, the first of them where there are many.
func shortened(names []string) string {
	if len(names) <= mostShown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostShown], ", "), len(names)-mostShown)
}
