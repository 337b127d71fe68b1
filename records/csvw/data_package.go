package csvw

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/records/datapackage"
	"laundromat/records/extract"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// packagedTable is how a table is read that the descriptor of a Data Package describes.
type packagedTable struct {
	name   string // of the resource
	of     *datapackage.Resource
	source *extract.Source
	parts  []part // further texts of the table
	inline []byte // in place of texts elsewhere
	null   string // the text that the dialect has for no value
	match  string // how fields find their columns
	isJSON bool
}

// apart makes a table of each part of a table.
func (g *Group) apart() {
	for _, t := range slices.Clone(g.Tables) {
		if t.packaged == nil || len(t.packaged.parts) == 0 {
			continue
		}
		parts := t.packaged.parts
		t.packaged.parts = nil
		for _, p := range parts {
			one := *t
			one.URL, one.place = p.url, ""
			g.Tables = append(g.Tables, &one)
		}
	}
}

// part is a further text of a table.
type part struct{ url, place string }

// isPackage says that a metadata document is the descriptor of a Data Package.
func isPackage(v *jsonread.Value) bool {
	return v.Get("@context") == nil && v.Get("resources") != nil && datapackage.IsDescriptor(specNode(v, ""))
}

// specNode is a JSON value as the readers of specs and schemas take it.
func specNode(v *jsonread.Value, file string) *spec.Node {
	n := &spec.Node{File: file, Line: int(v.Pos.Line), Column: int(v.Pos.Column), Text: v.Text}
	switch v.Kind {
	case jsonread.Boolean:
		n.Kind = spec.Bool
	case jsonread.Number:
		n.Kind = spec.Number
	case jsonread.Text:
		n.Kind = spec.Text
	case jsonread.Array:
		n.Kind = spec.List
		for _, item := range v.Items {
			n.Items = append(n.Items, specNode(item, file))
		}
	case jsonread.Object:
		n.Kind = spec.Map
		for _, m := range v.Members {
			n.Entries = append(n.Entries, &spec.Entry{Key: m.Name,
				Line: int(m.Pos.Line), Column: int(m.Pos.Column), Value: specNode(m.Value, file)})
		}
	}
	return n
}

// packageGroup reads the descriptor of a Data Package as a group of tables.
func (r *reader) packageGroup(v *jsonread.Value) (*Group, error) {
	refuse := func(err error) error {
		if wrong := new(spec.Error); errors.As(err, &wrong) {
			return fault.New("csvw", fault.Data, fault.CSVWMetadata, "%s", wrong)
		}
		return err
	}
	p, err := datapackage.Read(specNode(v, r.where))
	if err != nil {
		return nil, refuse(err)
	}
	given := schema.Options{Resources: map[string]schema.Resource{}}
	for _, res := range p.Resources {
		given.Resources[res.Name] = schema.Resource{}
	}
	g := &Group{scope: &scope{base: r.where}}
	for _, res := range p.Resources {
		if !res.IsTable() {
			r.warn(nil, "the resource %q is no table; no statement is made of it", res.Name)
			continue
		}
		if err := r.loadParts(res); err != nil {
			return nil, refuse(err)
		}
		t, err := r.packagedTable(res, given)
		if err != nil {
			return nil, refuse(err)
		}
		g.Tables = append(g.Tables, t)
	}
	if len(g.Tables) == 0 {
		return nil, r.bad(v, "no resource of the Data Package is a table")
	}
	return g, r.packageKeys(g)
}

// loadParts loads a schema and a dialect that are documents of their own.
func (r *reader) loadParts(res *datapackage.Resource) error {
	if res.SchemaPath != "" {
		loaded, where, err := r.load(r.ctx, resolve(r.where, datapackage.Reference(res.SchemaPath)))
		if err != nil {
			return err
		}
		res.Schema = specNode(loaded, where)
	}
	if res.DialectPath != "" {
		loaded, where, err := r.load(r.ctx, resolve(r.where, datapackage.Reference(res.DialectPath)))
		if err != nil {
			return err
		}
		return res.SetDialect(specNode(loaded, where))
	}
	return nil
}

func (r *reader) packagedTable(res *datapackage.Resource, opt schema.Options) (*Table, error) {
	s := &scope{base: r.where}
	t := &Table{scope: s, described: true, Dialect: DefaultDialect(), Schema: &Schema{scope: s, inherited: inherited{nulls: []string{""},
		language: "und"}}, packaged: &packagedTable{name: res.Name, of: res, source: res.Source, null: res.NullSequence()}}
	p := t.packaged
	if p.isJSON = res.Source.Format == "json" || res.Source.Format == "jsonl"; res.Encoding != "" {
		t.Dialect.Encoding = res.Encoding
	}
	if res.Data != nil {
		p.inline = res.Inline()
		t.URL = resolve(r.where, datapackage.Reference(res.Name))
	} else {
		for i, path := range res.Paths {
			if place := resolve(r.where, datapackage.Reference(path)); i == 0 {
				t.URL = place
			} else {
				p.parts = append(p.parts, part{place, place})
			}
		}
	}
	compiled, err := res.Compile(opt)
	if err != nil || compiled == nil {
		return t, err
	}
	p.match = compiled.Match()
	names := compiled.FieldNames()
	if has := res.Source.Header; has != nil && !*has {
		res.Source.Labels = names
	}
	for _, name := range names {
		cell := compiled.Cell(name)
		t.Schema.Columns = append(t.Schema.Columns, &Column{Name: encodeName(name), titles: []title{{name, "und"}},
			inherited: inherited{nulls: []string{""}, language: "und", required: cell.IsRequired()}, cell: cell, named: true})
	}
	primary, foreign := compiled.Keys()
	t.Schema.primaryKey = encodeNames(primary)
	for _, key := range foreign {
		t.Schema.foreignKeys = append(t.Schema.foreignKeys, &foreignKey{columns: encodeNames(key.Fields), table: key.Resource,
			names: encodeNames(key.Reference)})
	}
	return t, nil
}

func encodeNames(names []string) (all []string) {
	for _, name := range names {
		all = append(all, encodeName(name))
	}
	return all
}

// packageKeys turns the names of resources in foreign keys into URLs of tables.
func (r *reader) packageKeys(g *Group) error {
	for _, t := range g.Tables {
		for _, key := range t.Schema.foreignKeys {
			if key.table == "" {
				key.table = t.URL
				continue
			}
			i := slices.IndexFunc(g.Tables, func(other *Table) bool { return other.packaged.name == key.table })
			if i < 0 {
				return r.bad(nil, "a foreign key refers to the resource %q, which is no table", key.table)
			}
			key.table = g.Tables[i].URL
		}
	}
	return r.check(g)
}

// readPackaged reads the texts of a table one after another.
func (t *tableRows) readPackaged(ctx context.Context, first *Resource) error {
	p := t.w.table.packaged
	if t.opt.Guess == nil {
		return fault.New("csvw", fault.Limit, fault.CSVWMetadata, "tables of Data Packages are not read here")
	}
	if first != t.given && (p.source.Format == "xlsx" || p.source.Format == "ods") {
		return fault.New("csvw", fault.Data, fault.CSVWMetadata, "the resource %q is a workbook, which is read only by itself, with the "+
			"descriptor as its metadata", p.name)
	}
	if err := t.opt.Guess(ctx, first.Text, p.source, t.w.table.place, t); err != nil {
		return err
	}
	for _, more := range p.parts {
		in, err := t.load(ctx, more.place, t.w.table.Dialect.Encoding)
		if errors.Is(err, ErrNotFound) {
			err = fault.New("csvw", fault.Data, fault.CSVWMetadata, "the table %s has a part that is not there: %s", t.w.table.URL,
				more.url)
		}
		if err != nil {
			return err
		}
		before := t.elsewhere
		t.elsewhere = more.url
		err = t.opt.Guess(ctx, in.Text, p.source, more.place, t)
		t.elsewhere = before
		closeText(in)
		if err != nil {
			return err
		}
	}
	return nil
}

// packagedHeader finds the column of each label. It is false where the package has no schema.
func (t *tableRows) packagedHeader(titles, names []string) bool {
	if t.labels != nil { // of a further text
		if !slices.Equal(t.labels, titles) {
			t.misfit(fmt.Sprintf("a further part of the table has the header %q, and the first %q: its columns are taken in the order of the "+
				"first", titles, t.labels))
		}
		return true
	}
	t.labels = slices.Clone(titles)
	schema := t.w.table.Schema
	if len(schema.Columns) == 0 {
		return false
	}
	t.header = true
	columns := slices.Clone(schema.Columns)
	order, taken := make([]int, len(names)), make([]bool, len(columns))
	for i := range names {
		order[i] = -1
		label := names[i]
		if i < len(titles) {
			label = strings.TrimSpace(titles[i])
		}
		for j, c := range schema.Columns {
			if !taken[j] && c.titles[0].text == label {
				order[i], taken[j] = j, true
				break
			}
		}
	}
	match := t.w.table.packaged.match
	for i := range names {
		switch {
		case order[i] >= 0:
		case match == "exact" && i < len(taken) && !taken[i]:
			order[i], taken[i] = i, true
			t.misfit(fmt.Sprintf("column %d has the title %q, and its field is %q", i+1, names[i], schema.Columns[i].titles[0].text))
		default:
			order[i] = len(columns)
			columns = append(columns, &Column{Name: encodeName(names[i]), inherited: schema.inherited})
			if match == "exact" || match == "equal" || match == "superset" {
				t.misfit(fmt.Sprintf("column %d has the title %q, and the schema no such field", i+1, names[i]))
			}
		}
	}
	for j := range taken {
		if !taken[j] && match != "superset" && match != "partial" {
			t.misfit(fmt.Sprintf("the table has no column for the field %q", schema.Columns[j].titles[0].text))
		}
	}
	unique(columns)
	t.order, t.w.columns, t.w.width = order, columns, len(columns)
	t.w.prepare()
	return true
}

// inOrder is a row with its cells in the order of the columns. Cells that the table does not have are empty.
func (t *tableRows) inOrder(r *row) *row {
	for len(t.order) < len(r.cells) {
		t.order = append(t.order, len(t.w.columns)+len(t.order))
	}
	width := len(t.w.columns)
	for i := range r.cells {
		width = max(width, t.order[i]+1)
	}
	sorted := &row{number: r.number, pos: r.pos, cells: make([]string, width), places: make([]fault.Pos, width)}
	for i := range sorted.places {
		sorted.places[i] = r.pos
	}
	for i := range r.cells {
		sorted.cells[t.order[i]], sorted.places[t.order[i]] = r.cells[i], r.places[i]
	}
	return sorted
}
