package transform

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Stage is a sink that maps records and passes them on.
type Stage struct {
	records.Sink
	m     *Map
	out   records.Record
	found []bool // by rule, whether any record had the fields that it reads
	any   bool
}

// Stager is a sink that maps records. Flush is called once, at the end of the last document.
type Stager interface {
	records.Sink
	records.Flusher
}

// Sink makes a stage whose records flow into to.
func (m *Map) Sink(to records.Sink) Stager {
	if m.next != nil {
		to = m.next.Sink(to)
	}
	return &Stage{Sink: to, m: m, found: make([]bool, len(m.rules))}
}

// Record maps one record. The number of records stays the same.
func (s *Stage) Record(in *records.Record) error {
	s.any = true
	out := &s.out
	fields, was := out.Fields[:0], out.Was[:0]
	*out = *in
	out.Fields, out.Was = fields, was
	for i, r := range s.m.rules {
		if r.star {
			s.copyRest(r, in)
			continue
		}
		s.rule(i, r, in)
	}
	return s.Sink.Record(out)
}

// copyRest copies the fields that no rule makes, with their originals.
func (s *Stage) copyRest(r *rule, in *records.Record) {
next:
	for i := range in.Fields {
		f := &in.Fields[i]
		if s.m.made[f.Name] {
			continue
		}
		for _, e := range r.except {
			if e == f.Name {
				continue next
			}
		}
		s.out.Fields = append(s.out.Fields, *f)
		s.keepEarlier(in, f.Name, f.Name)
	}
}

// keepEarlier passes on the original that a field had before the map.
func (s *Stage) keepEarlier(in *records.Record, from, to string) {
	for _, w := range in.Was {
		if w.Field == from {
			s.out.Keep(to, w.Value, w.Rule)
		}
	}
}

func (s *Stage) rule(index int, r *rule, in *records.Record) {
	var source records.Field
	c := call{rule: r, record: in, options: &s.m.options}
	for _, name := range r.from {
		if f := in.Field(name); f != nil {
			if !c.present {
				source, c.value, c.present = *f, f.Value, true
			}
			s.found[index] = true
		}
	}
	if !c.present && !r.missing {
		return
	}
	o := r.verb.apply(&c)
	if o.code != "" {
		s.tell(r, in, source, &o)
	}
	if c.present && len(r.from) == 1 {
		s.keepEarlier(in, source.Name, r.out)
	}
	if original, changed := r.original(&c, &o); changed {
		s.out.Keep(r.out, original, r.name)
	}
	for _, f := range o.parts {
		f.Pos, f.Element = source.Pos, source.Element
		s.out.Fields = append(s.out.Fields, f)
	}
	if !o.absent {
		source.Name, source.Value = r.out, o.value
		s.out.Fields = append(s.out.Fields, source)
	}
}

// original is what a rule's field held before the rule; changed says that it holds
// something else now.
func (r *rule) original(c *call, o *outcome) (v records.Value, changed bool) {
	if len(r.from) == 1 {
		return c.value, c.present && (o.absent || !sameWritten(&c.value, &o.value))
	}
	v.Kind = records.List
	for _, name := range r.from {
		if f := c.record.Field(name); f != nil {
			v.Items = append(v.Items, f.Value)
		}
	}
	return v, len(v.Items) > 0 && !o.absent
}

// sameWritten says that two values are written alike: a text as 5 is the number 5. There is nothing to give back.
func sameWritten(a, b *records.Value) bool {
	if a.Kind != b.Kind && isScalar(a.Kind) && isScalar(b.Kind) {
		return a.Text == b.Text
	}
	return a.Equal(*b)
}

func isScalar(k records.Kind) bool {
	return k == records.Text || k == records.Number || k == records.Bool
}

func (s *Stage) tell(r *rule, in *records.Record, source records.Field, o *outcome) {
	severity := o.severity
	if severity == 0 {
		severity = fault.Warning
	}
	source.Name = r.out
	s.Sink.Notice(in.FieldNotice(&source, o.code, severity, o.message))
}

// Flush tells which rules found none of their fields in any record, and flushes what
// follows. It is called once, at the end of the last document.
func (s *Stage) Flush() error {
	for i, r := range s.m.rules {
		if s.any && !r.star && !r.missing && !s.found[i] {
			s.Sink.Notice(fault.Notice{Code: fault.MapNeverFound, Severity: fault.Warning, Field: r.out,
				Message: fmt.Sprintf("no record has the field %s that the rule %q reads",
					strings.Join(quoted(r.from), " or "), r.name)})
		}
	}
	if to, ok := s.Sink.(records.Flusher); ok {
		return to.Flush()
	}
	return nil
}

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = fmt.Sprintf("%q", n)
	}
	return all
}

// each applies a reading of texts and numbers to a value, or to the items of a list. What
// is empty stays as it is, without a word.
func (c *call) each(read func(records.Value) outcome) outcome {
	v := c.value
	switch v.Kind {
	case records.Null:
		return outcome{value: v, absent: !c.present}
	case records.Text, records.Number:
		text := strings.TrimSpace(v.Text)
		if text == "" {
			return outcome{value: v}
		}
		if slices.Contains(c.rule.nulls, text) {
			return outcome{}
		}
		return read(v)
	case records.List:
		all := outcome{value: records.Value{Kind: records.List, Items: make([]records.Value, len(v.Items))}}
		for i := range v.Items {
			item := *c
			item.value = v.Items[i]
			o := item.each(read)
			all.value.Items[i] = o.value
			if o.code == "" {
				continue
			}
			if all.code == "" || all.severity == fault.Note {
				all.code, all.severity = o.code, o.severity
			}
			if all.message != "" {
				all.message += "; "
			}
			if len(all.message) < 1000 {
				all.message += o.message
			}
		}
		return all
	}
	return c.stays(fault.MapKind, "this verb reads a text or a number, and this is a %s", v.Kind)
}
