package recordset

import (
	"bufio"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/prefix"
	"laundromat/records"
	"laundromat/records/schema"
)

// Summary says what the columns of stored records hold.
type Summary struct {
	// Rows are those that were looked at, of all tables. IsWhole says that these are all rows of the file.
	Rows    int64
	IsWhole bool
	Tables  []TableSummary
	// MoreTables counts the rows of further tables, whose names are not kept.
	MoreTables int64
	// Columns are those of the table that was asked for, in the order in which they came.
	Columns []Column
	// MoreColumns counts values of further columns, which are not summed up.
	MoreColumns int64
}

// TableSummary is a table of the document.
type TableSummary struct {
	Name  string
	Rows  int64 // that were looked at
	First int64 // number of its first row in the file
}

// Column is what the rows of a table that were looked at hold in a field.
type Column struct {
	Name, Type, Format string
	Values             int64 // that are not missing
	Missing            int64 // null, absent or the empty text
	// Distinct are the values that were told apart. Others is how many further values were none of these: where it is
	// not 0, there are more.
	Distinct int64
	Others   int64
	// Frequent are the most frequent of those that were told apart.
	Frequent []Frequent
}

// Frequent is a value with how often it is there.
type Frequent struct {
	Value string // cut to its first bytes where it is long
	IsCut bool
	Times int64
}

// The bounds of a summary.
const (
	mostTables   = 1000
	mostColumns  = 1000
	mostDistinct = 1000     // values of a column that are told apart
	mostHeld     = 16 << 20 // bytes of all values that are told apart
	mostFrequent = 10
	frequentCut  = 200 // bytes of a value
)

// Summarise looks at the rows of a table, or of all with "", in the first bytes of the file. Its memory does not grow
// with them. Types are those of the schema, which all rows had a part in; without a schema, of the rows that were
// looked at.
func (s *Stored) Summarise(ctx context.Context, table string, most int64) (Summary, error) {
	return s.summarise(ctx, table, false, most)
}

// SummariseFirst is [Stored.Summarise] of the first table, whatever its name is.
func (s *Stored) SummariseFirst(ctx context.Context, most int64) (Summary, error) {
	return s.summarise(ctx, "", true, most)
}

func (s *Stored) summarise(ctx context.Context, table string, isFirst bool, most int64) (sum Summary, err error) {
	pass := summing{sum: &sum, table: table, tables: map[string]int{}, columns: map[string]int{}, types: schema.NewInference(nil)}
	in := bufio.NewReaderSize(s.Lines, 256<<10)
	for read := int64(0); read < most; {
		if sum.Rows%1024 == 0 && ctx.Err() != nil {
			return sum, ctx.Err()
		}
		line, err := readLine(in)
		if err != nil {
			if sum.IsWhole, err = true, atEnd(err); err != nil {
				return sum, err
			}
			break
		}
		read += int64(len(line)) + 1
		r, err := storedRecord(line)
		if err != nil {
			return sum, err
		}
		if sum.Rows++; isFirst && sum.Rows == 1 {
			pass.table = r.Table
		}
		if pass.addTable(&r); pass.table == "" || r.Table == pass.table {
			pass.rows++
			if err := pass.add(&r); err != nil {
				return sum, err
			}
		}
	}
	if !sum.IsWhole {
		_, err := in.Peek(1)
		sum.IsWhole = err != nil
	}
	return sum, pass.finish(s)
}

// summing is a pass over rows.
type summing struct {
	sum     *Summary
	table   string
	rows    int64 // of the table
	tables  map[string]int
	columns map[string]int
	counts  []map[string]*Frequent
	held    int
	types   *schema.Inference
	key     []byte
}

func (p *summing) addTable(r *records.Record) {
	at, known := p.tables[r.Table]
	switch {
	case known:
		p.sum.Tables[at].Rows++
	case len(p.sum.Tables) == mostTables:
		p.sum.MoreTables++
	default:
		p.tables[r.Table] = len(p.sum.Tables)
		p.sum.Tables = append(p.sum.Tables, TableSummary{Name: r.Table, Rows: 1, First: p.sum.Rows})
	}
}

func (p *summing) add(r *records.Record) error {
	for i := range r.Fields {
		f := &r.Fields[i]
		at, known := p.columns[f.Name]
		if !known {
			if len(p.sum.Columns) == mostColumns {
				p.sum.MoreColumns++
				continue
			}
			at = len(p.sum.Columns)
			p.columns[f.Name] = at
			p.sum.Columns = append(p.sum.Columns, Column{Name: f.Name})
			p.counts = append(p.counts, map[string]*Frequent{})
		}
		if v := &f.Value; v.Kind != records.Null && (v.Kind != records.Text || v.Text != "") {
			p.sum.Columns[at].Values++
			p.count(at, v)
		}
	}
	return p.types.Record(r)
}

// count counts a value. A long one is told apart by its hash.
func (p *summing) count(at int, v *records.Value) {
	text := v.Text
	if v.Kind == records.List || v.Kind == records.Object {
		text = string(v.AppendJSON(nil))
	}
	p.key = append(p.key[:0], byte(v.Kind))
	isCut := len(text) > frequentCut
	if isCut {
		sum := md5.Sum([]byte(text))
		p.key = append(p.key, sum[:]...)
	} else {
		p.key = append(p.key, text...)
	}
	counts := p.counts[at]
	if one := counts[string(p.key)]; one != nil {
		one.Times++
		return
	}
	held := len(p.key) + min(len(text), frequentCut) + 100
	if len(counts) == mostDistinct || p.held+held > mostHeld {
		p.sum.Columns[at].Others++
		return
	}
	p.held += held
	counts[string(p.key)] = &Frequent{Value: strings.Clone(prefix.Of(text, frequentCut)), IsCut: isCut, Times: 1}
}

// finish fills in types, and sorts what was counted.
func (p *summing) finish(s *Stored) error {
	types := map[string]schema.InferredField{}
	for _, f := range p.types.Fields() {
		types[f.Name] = f
	}
	declared, err := s.types()
	if err != nil {
		return err
	}
	for i := range p.sum.Columns {
		c := &p.sum.Columns[i]
		c.Type, c.Format = types[c.Name].Type, types[c.Name].Format
		if is, ok := declared[c.Name]; ok {
			c.Type, c.Format = is.Type, is.Format
		}
		c.Missing = p.rows - c.Values
		c.Distinct = int64(len(p.counts[i]))
		all := make([]Frequent, 0, len(p.counts[i]))
		for _, one := range p.counts[i] {
			all = append(all, *one)
		}
		slices.SortFunc(all, func(a, b Frequent) int {
			return cmp.Or(cmp.Compare(b.Times, a.Times), cmp.Compare(a.Value, b.Value))
		})
		c.Frequent = slices.Clone(all[:min(len(all), mostFrequent)])
	}
	return nil
}

// types are the fields that the schema declares.
func (s *Stored) types() (map[string]schema.InferredField, error) {
	if len(s.Schema) == 0 {
		return nil, nil
	}
	var declared struct{ Fields []schema.InferredField }
	if err := json.Unmarshal(s.Schema, &declared); err != nil {
		return nil, fmt.Errorf("the schema of the records: %w", err)
	}
	all := map[string]schema.InferredField{}
	for _, f := range declared.Fields {
		all[f.Name] = f
	}
	return all, nil
}
