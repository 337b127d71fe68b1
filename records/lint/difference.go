package lint

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// maxDifferences is how many differences of one fixture are told.
const maxDifferences = 10

// difference is where a fixture gives something else than is expected.
type difference struct {
	record int // from 0; -1 for the number of records
	field  string
	text   string
}

// compareStatements tells which statements of a fixture are missing, and which are not expected. It gives the number of
// them.
func (l *linter) compareStatements(f *fixture, got []string) int {
	if !f.states {
		return 0
	}
	if l.spec.RDF == nil {
		l.tell(f.from, fault.Notice{Code: fault.RecordFixture, Severity: fault.Warning,
			Message: "it has expected statements, and the spec has no part rdf"})
		return 1
	}
	var all []fault.Notice
	add := func(message string, pos fault.Pos) {
		all = append(all, fault.Notice{Code: fault.RecordFixture, Severity: fault.Warning, Message: message, Pos: pos})
	}
	has := map[string]bool{}
	for _, line := range got {
		has[line] = true
	}
	for i, line := range f.lines {
		if !has[line] {
			at := f.lineNode
			pos := fault.Pos{}
			if i < len(at) {
				pos = fault.Pos{Line: int64(at[i].Line), Column: int64(at[i].Column)}
			}
			add("the statement is missing: "+line, pos)
		}
	}
	for _, line := range got {
		if !slices.Contains(f.lines, line) {
			add("the statement is not expected: "+line, fault.Pos{})
		}
	}
	for i, n := range all {
		if i == maxDifferences {
			n = fault.Notice{Code: fault.RecordFixture, Severity: fault.Warning, Message: fmt.Sprintf("and %s more",
				counted(len(all)-i, "difference"))}
		}
		if i <= maxDifferences {
			l.tell(f.from, n)
		}
	}
	return len(all)
}

// compare tells how what a fixture gives differs from what is expected. The order of fields
// does not count. It gives the number of differences.
func (l *linter) compare(f *fixture, got *gathered) int {
	if !f.known {
		return 0
	}
	var all []difference
	if len(got.records) != len(f.records) {
		all = append(all, difference{-1, "", fmt.Sprintf("it gives %s, and %d are expected",
			counted(len(got.records), "record"), len(f.records))})
	}
	for i := range f.records {
		if len(got.records) == len(f.records) { // else the records at one place are not the same
			all = append(all, differences(i, "", &got.records[i], &f.records[i])...)
		}
	}
	if len(all) == 0 {
		return 0
	}
	for i, d := range all {
		if i == maxDifferences {
			l.tell(f.from, fault.Notice{Code: fault.RecordFixture, Severity: fault.Warning,
				Message: fmt.Sprintf("and %s more", counted(len(all)-i, "difference"))})
			break
		}
		n := fault.Notice{Code: fault.RecordFixture, Severity: fault.Warning, Field: d.field, Message: d.text}
		if d.record >= 0 {
			n.Message = fmt.Sprintf("record %d: %s", d.record+1, d.text)
			if d.record < len(f.nodes) {
				n.Pos = fault.Pos{Line: int64(f.nodes[d.record].Line), Column: int64(f.nodes[d.record].Column)}
			}
		}
		l.tell(f.from, n)
	}
	// What was lost on the way explains the differences.
	told := 0
	for _, n := range got.notices {
		if n.Severity >= fault.Warning && told < maxDifferences {
			told++
			l.tell(f.file, n)
		}
	}
	return len(all)
}

// differences are those of one value and its parts.
func differences(record int, field string, got, want *records.Value) (all []difference) {
	if got.Kind == records.Object && want.Kind == records.Object {
		for i := range want.Fields {
			name := within(field, want.Fields[i].Name)
			v, ok := got.Get(want.Fields[i].Name)
			if !ok {
				all = append(all, difference{record, name, fmt.Sprintf("%s: %s is expected, and it is not there",
					name, shown(&want.Fields[i].Value))})
				continue
			}
			all = append(all, differences(record, name, &v, &want.Fields[i].Value)...)
		}
		for i := range got.Fields {
			if _, ok := want.Get(got.Fields[i].Name); !ok {
				name := within(field, got.Fields[i].Name)
				all = append(all, difference{record, name, fmt.Sprintf("%s is not expected, and it is %s",
					name, shown(&got.Fields[i].Value))})
			}
		}
		return all
	}
	if same(got, want) {
		return nil
	}
	return []difference{{record, field, fmt.Sprintf("%s: %s is expected, and it is %s", field, shown(want), shown(got))}}
}

// same says that two values are equal but for the order of fields.
func same(v, w *records.Value) bool {
	switch {
	case v.Kind != w.Kind || v.Text != w.Text || len(v.Fields) != len(w.Fields):
		return false
	case v.Kind == records.List:
		return slices.EqualFunc(v.Items, w.Items, func(a, b records.Value) bool { return same(&a, &b) })
	}
	for i := range v.Fields {
		other, ok := w.Get(v.Fields[i].Name)
		if !ok || !same(&v.Fields[i].Value, &other) {
			return false
		}
	}
	return true
}

func sameRecords(a, b []records.Value) bool {
	return slices.EqualFunc(a, b, func(v, w records.Value) bool { return same(&v, &w) })
}

func within(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

// shown is a value for a message.
func shown(v *records.Value) string {
	text := string(v.AppendJSON(nil))
	if len(text) > 120 {
		text = strings.ToValidUTF8(text[:120], "") + "…"
	}
	return text
}
