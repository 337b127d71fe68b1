package reconcile

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"

	"laundromat/records"
)

// MergedValues says, within the field of a merged record that says what it is made of, of each field which records
// have its value.
const MergedValues = "values"

// The names within the field of a merged record that says what it is made of.
const (
	inputsOf   = "inputs"
	inputName  = "in"
	numberName = "number" // of the record in all inputs, from 1
	fromName   = "from"   // that of the first record of an input
	lineName   = "line"
	wasName    = "was"
)

// groups are records that are the same, two and more in each.
type groups struct {
	of   []uint32 // the records of all
	ends []uint32 // where those of each end
}

func (g *groups) len() int { return len(g.ends) }

// at are the records of a group.
func (g *groups) at(i int) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = g.ends[i-1]
	}
	return g.of[from:g.ends[i]]
}

func (g *groups) add(group ...uint32) {
	g.of = append(g.of, group...)
	g.ends = append(g.ends, uint32(len(g.of)))
}

// arrange puts the records into the order of the inputs.
func (e *Engine) arrange() error {
	t := e.table
	e.places = make([]uint32, t.size())
	e.group = make([]int32, t.size())
	for n, number := range t.numbers {
		e.places[number] = uint32(n)
		e.group[n] = -1
	}
	for i := range e.groups.len() {
		g := e.groups.at(i)
		for _, n := range g {
			e.group[n] = int32(i)
		}
		// The first input comes first; within it the order of the numbers stays.
		slices.SortStableFunc(g, func(a, b uint32) int { return cmp.Compare(t.inputOf(a), t.inputOf(b)) })
	}
	return nil
}

// written is a record that is ready to be passed on, or why there is none.
type written struct {
	records []*records.Record
	err     error
}

// Write passes all records on, in the order of the inputs. A merged record is in the place of the first of its
// records. The next records are made while the last are passed on.
func (e *Engine) Write(ctx context.Context, to records.Sink) (count int64, err error) {
	ctx, stop := context.WithCancel(ctx)
	ready := make(chan written, 2)
	var making sync.WaitGroup
	defer making.Wait()
	defer stop()
	making.Go(func() {
		defer close(ready)
		done := make([]bool, e.groups.len())
		for from := 0; from < len(e.places); from += chunk {
			some := written{err: ctx.Err()}
			if some.err == nil {
				some.records, some.err = e.made(e.places[from:min(from+chunk, len(e.places))], done)
			}
			select {
			case ready <- some:
			case <-ctx.Done():
				return
			}
			if some.err != nil {
				return
			}
		}
	})
	for some := range ready {
		for _, r := range some.records {
			if err := to.Record(r); err != nil {
				return count, &records.SinkError{Err: err}
			}
			count++
		}
		if some.err != nil {
			return count, some.err
		}
	}
	return count, ctx.Err()
}

// made are the records of some places; done says which groups were made before.
func (e *Engine) made(places []uint32, done []bool) (all []*records.Record, err error) {
	for _, n := range places {
		g := e.group[n]
		if g >= 0 && done[g] {
			continue
		}
		var r *records.Record
		if g < 0 {
			r, _, err = e.table.record(n)
		} else {
			done[g] = true
			r, err = e.merge(e.groups.at(int(g)))
		}
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

// merge makes one record of several, which knows them.
func (e *Engine) merge(group []uint32) (*records.Record, error) {
	t := e.table
	all, merged, values, err := e.combine(group)
	if err != nil {
		return nil, err
	}
	var from []records.Value
	for i, n := range group {
		from = append(from, original(all[i], t.inputs[t.inputOf(n)].Name, int64(t.numbers[n])+1))
	}
	merged.Fields = append(merged.Fields, records.Field{Name: records.MergeField, Value: object(
		records.Field{Name: records.MergedFrom, Value: records.Value{Kind: records.List, Items: from}},
		records.Field{Name: MergedValues, Value: values},
		records.Field{Name: inputsOf, Value: e.table.inputsValue()},
	)})
	return merged, nil
}

// combine reads the records of a group, and makes one of them. values says of each field which of them have its value.
func (e *Engine) combine(group []uint32) (originals []*records.Record, merged *records.Record, values records.Value, err error) {
	t := e.table
	all := make([]*records.Record, len(group))
	for i, n := range group {
		r, _, err := t.record(n)
		if err != nil {
			return nil, nil, values, err
		}
		originals = append(originals, r)
		all[i] = named(r, t.inputOf(n), e.plan.with)
	}
	merged = &records.Record{Document: all[0].Document, Table: all[0].Table, Pos: all[0].Pos, Element: all[0].Element}
	values = records.Value{Kind: records.Object}
	dates := datesIn(all, e.plan.date)
	for _, r := range all {
		merged.Repaired = merged.Repaired || r.Repaired
		for i := range r.Fields {
			name := r.Fields[i].Name
			if merged.Field(name) != nil {
				continue
			}
			value, of := e.choose(name, all, dates)
			field := *all[of[0]].Field(name)
			field.Value = value
			merged.Fields = append(merged.Fields, field)
			items := make([]records.Value, len(of))
			for k, at := range of {
				items[k] = records.IntOf(int64(at))
			}
			values.Fields = append(values.Fields, records.Field{Name: name, Value: records.Value{Kind: records.List, Items: items}})
			for _, w := range all[of[0]].Was {
				if w.Field == name {
					merged.Was = append(merged.Was, w)
				}
			}
		}
	}
	return originals, merged, values, nil
}

// named is a record whose fields have the names of the first input.
func named(r *records.Record, input int, with map[string]string) *records.Record {
	if input == 0 || len(with) == 0 {
		return r
	}
	as := *r
	as.Fields = slices.Clone(r.Fields)
	for name, other := range with {
		if f := as.Field(other); f != nil && as.Field(name) == nil {
			f.Name = name
		}
	}
	return &as
}

// Group is records that were found to be the same.
type Group struct {
	Records []*records.Record // as they were added
	IDs     []string
	Inputs  []int // of each, the number of its input, from 0
	// Merged is made of them by the rules, and Values says of each of its fields which of the records have the value.
	Merged *records.Record
	Values records.Value
	// Pairs are those within it; of more than 100 records, the surest of each record.
	Pairs []Pair
}

// mostPaired is of how many records all pairs are told.
const mostPaired = 100

// pairsOf are the pairs of a group that are told.
func (e *Engine) pairsOf(group []uint32) (told []Pair, err error) {
	var all []scoredPair
	if len(group) <= mostPaired {
		err = e.within(group, func(p scoredPair) error {
			all = append(all, p)
			return nil
		})
	} else {
		all, err = surest(group, e.within)
	}
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		p, err := e.pair(s)
		if err != nil {
			return nil, err
		}
		told = append(told, p)
	}
	return told, nil
}

// surest are the surest pairs of each record of a group, each pair once.
func surest(group []uint32, within func([]uint32, func(scoredPair) error) error) ([]scoredPair, error) {
	best := map[uint32]scoredPair{}
	err := within(group, func(p scoredPair) error {
		for _, n := range [...]uint32{p.a, p.b} {
			if was, is := best[n]; !is || was.score < p.score {
				best[n] = p
			}
		}
		return nil
	})
	compared := func(p, q scoredPair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) }
	all := slices.SortedFunc(maps.Values(best), compared)
	return slices.CompactFunc(all, func(p, q scoredPair) bool { return compared(p, q) == 0 }), err
}

// Groups calls each with every group, in an order that depends on the ids of their records alone.
func (e *Engine) Groups(ctx context.Context, each func(Group) error) error {
	for i := range e.groups.len() {
		group := e.groups.at(i)
		if err := ctx.Err(); err != nil {
			return err
		}
		var g Group
		var err error
		if g.Records, g.Merged, g.Values, err = e.combine(group); err != nil {
			return err
		}
		for _, n := range group {
			id, err := e.table.id(n)
			if err != nil {
				return err
			}
			g.IDs, g.Inputs = append(g.IDs, id), append(g.Inputs, e.table.inputOf(n))
		}
		if g.Pairs, err = e.pairsOf(group); err != nil {
			return err
		}
		if err := each(g); err != nil {
			return err
		}
	}
	return nil
}

// inputsValue says which records are of which input, so that all can be given back.
func (t *table) inputsValue() records.Value {
	v := records.Value{Kind: records.List}
	for _, input := range t.inputs {
		v.Items = append(v.Items, object(records.Field{Name: inputName, Value: records.TextOf(input.Name)},
			records.Field{Name: fromName, Value: records.IntOf(input.From + 1)}))
	}
	return v
}

func object(fields ...records.Field) records.Value {
	return records.Value{Kind: records.Object, Fields: fields}
}

// original is a record as a merged one holds it.
func original(r *records.Record, input string, number int64) records.Value {
	v := records.Value{Kind: records.Object, Fields: []records.Field{
		{Name: inputName, Value: records.TextOf(input)},
		{Name: numberName, Value: records.IntOf(number)},
	}}
	if r.Pos.Line > 0 {
		v.Fields = append(v.Fields, records.Field{Name: lineName, Value: records.IntOf(r.Pos.Line)})
	}
	held := records.Value{Kind: records.Object, Fields: slices.Clone(r.Fields)}
	v.Fields = append(v.Fields, records.Field{Name: records.OriginalRecord, Value: held})
	if len(r.Was) > 0 {
		was := records.Value{Kind: records.Object}
		for _, w := range r.Was {
			was.Fields = append(was.Fields, records.Field{Name: w.Field, Value: object(
				records.Field{Name: "value", Value: w.Value}, records.Field{Name: "rule", Value: records.TextOf(w.Rule)},
			)})
		}
		v.Fields = append(v.Fields, records.Field{Name: wasName, Value: was})
	}
	return v
}

// dates are how new records are.
func datesIn(all []*records.Record, field string) []string {
	out := make([]string, len(all))
	if field == "" {
		return out
	}
	for i, r := range all {
		if f := r.Field(field); f != nil {
			text := fold(f.Value.Text)
			if d, ok := parseDate(text); ok { // a time after the day decides between records of a day
				rest := text[min(len(text), 10):]
				text = string([]byte{byte('0' + d.year/1000), byte('0' + d.year/100%10), byte('0' + d.year/10%10), byte('0' + d.year%10),
					byte('0' + d.month/10), byte('0' + d.month%10), byte('0' + d.day/10), byte('0' + d.day%10)}) + rest
			}
			out[i] = text
		}
	}
	return out
}

// isEmpty says that a value says nothing.
func isEmpty(v *records.Value) bool {
	return v.Kind == records.Null || v.Kind == records.Text && v.Text == "" || v.Kind == records.List && len(v.Items) == 0 ||
		v.Kind == records.Object && len(v.Fields) == 0
}

// choose is the value of a field of a merged record, and the records that have it.
func (e *Engine) choose(name string, all []*records.Record, dates []string) (value records.Value, of []int) {
	var has []int
	for i, r := range all {
		if f := r.Field(name); f != nil && !isEmpty(&f.Value) {
			has = append(has, i)
		}
	}
	if len(has) == 0 { // absent here, null or empty there
		for i, r := range all {
			if f := r.Field(name); f != nil {
				return f.Value, []int{i}
			}
		}
	}
	at := func(i int) records.Value { return all[i].Field(name).Value }
	best := has[0]
	if !slices.Contains(e.plan.ids, name) {
		switch e.plan.ruleOf(name) {
		case All:
			return everyValue(has, at)
		case Longest:
			for _, i := range has[1:] {
				if sizeOf(at(i)) > sizeOf(at(best)) {
					best = i
				}
			}
		case Newest:
			for _, i := range has[1:] {
				if dates[i] > dates[best] {
					best = i
				}
			}
		case Trusted: // the first is of the first input
		}
	}
	of = []int{best}
	for _, i := range has {
		if i != best && at(i).Equal(at(best)) {
			of = append(of, i)
		}
	}
	return at(best), of
}

// everyValue are all different values, in the order of the records; one alone is no list.
func everyValue(has []int, at func(i int) records.Value) (records.Value, []int) {
	var items []records.Value
	for _, i := range has {
		values := []records.Value{at(i)}
		if values[0].Kind == records.List {
			values = values[0].Items
		}
		for _, v := range values {
			if !slices.ContainsFunc(items, v.Equal) {
				items = append(items, v)
			}
		}
	}
	if first := at(has[0]); len(items) == 1 && first.Kind != records.List {
		return items[0], has
	}
	return records.Value{Kind: records.List, Items: items}, has
}

// sizeOf is how long a value is.
func sizeOf(v records.Value) int {
	n := utf8.RuneCountInString(v.Text)
	for i := range v.Items {
		n += sizeOf(v.Items[i])
	}
	for i := range v.Fields {
		n += sizeOf(v.Fields[i].Value)
	}
	return n
}
