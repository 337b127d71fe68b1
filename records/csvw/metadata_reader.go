package csvw

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// Namespace is that of the vocabulary of tables, and the context that its metadata documents have.
const (
	Namespace  = "http://www.w3.org/ns/csvw#"
	contextIRI = "http://www.w3.org/ns/csvw"
)

// reader reads a metadata document.
type reader struct {
	ctx    context.Context
	where  string // the URL of the document at hand
	load   func(ctx context.Context, url string) (*jsonread.Value, string, error)
	notice func(fault.Notice)
}

// bad is an error of a metadata document: it can't be used.
func (r *reader) bad(v *jsonread.Value, format string, args ...any) error {
	at := ""
	if v != nil && v.Pos.Line > 0 {
		at = fmt.Sprintf(":%d:%d", v.Pos.Line, v.Pos.Column)
	}
	return fault.New("csvw", fault.Data, fault.CSVWMetadata, "%s%s: %s", r.where, at, fmt.Sprintf(format, args...))
}

// warn reports a property that is not used.
func (r *reader) warn(v *jsonread.Value, format string, args ...any) {
	n := fault.Notice{Code: fault.CSVWProperty, Severity: fault.Warning, Message: fmt.Sprintf(format, args...)}
	if v != nil {
		n.Pos, n.Excerpt = v.Pos, v.Sample()
	}
	r.notice(placedIn(r.where, n))
}

// placedIn tells in words where a finding about another document than the table is.
func placedIn(where string, n fault.Notice) fault.Notice {
	at := where
	if n.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", where, n.Line, n.Column)
	}
	n.Message, n.Pos = at+": "+n.Message, fault.Pos{}
	return n
}

// group reads the description of a group of tables, or of a single one.
func (r *reader) group(v *jsonread.Value) (*Group, error) {
	if v.Kind != jsonread.Object {
		return nil, r.bad(v, "metadata is an object, not %s", v.Kind)
	}
	if isPackage(v) {
		return r.packageGroup(v)
	}
	kind := v.Get("@type")
	isGroup := v.Get("tables") != nil || kind != nil && kind.Text == "TableGroup"
	if !isGroup && v.Get("url") == nil && (kind == nil || kind.Text != "Table") {
		return nil, r.bad(v, "it describes neither a table, by url, nor a group of tables, by tables. Only tables and "+
			"their metadata become statements by themselves; a spec with the part rdf says which are made of other records")
	}
	s, err := r.context(v, &scope{base: r.where})
	if err != nil {
		return nil, err
	}
	g := &Group{scope: s}
	in := inherited{nulls: []string{""}, language: "und"}
	if !isGroup {
		t, err := r.table(v, s, in, DefaultDialect())
		if err != nil {
			return nil, err
		}
		g.Tables = []*Table{t}
		return g, r.check(g)
	}
	o := r.object(v, s, "TableGroup", "tables", "dialect", "notes", "tableDirection", "tableSchema", "transformations")
	if g.ID, err = o.id(); err != nil {
		return nil, err
	}
	if err := o.inherit(&in); err != nil {
		return nil, err
	}
	if g.properties, err = o.common(true); err != nil {
		return nil, err
	}
	g.notes = v.Get("notes")
	dialect, err := o.dialect(DefaultDialect())
	if err != nil {
		return nil, err
	}
	if err := o.rest(); err != nil {
		return nil, err
	}
	tables := v.Get("tables")
	if tables == nil || tables.Kind != jsonread.Array || len(tables.Items) == 0 {
		return nil, r.bad(v, "tables of a group is an array with at least a table")
	}
	common := v.Get("tableSchema")
	for _, item := range tables.Items {
		if item.Kind != jsonread.Object {
			r.warn(item, "an item of tables is no object, and is passed over")
			continue
		}
		t, err := r.tableWith(item, common, s, in, dialect)
		if err != nil {
			return nil, err
		}
		g.Tables = append(g.Tables, t)
	}
	if len(g.Tables) == 0 {
		return nil, r.bad(tables, "tables describes no table")
	}
	return g, r.check(g)
}

// context reads the member @context.
func (r *reader) context(v *jsonread.Value, s *scope) (*scope, error) {
	c := v.Get("@context")
	next := *s
	switch {
	case c == nil:
		r.warn(v, "there is no @context; it is read as that of metadata of tables")
		return &next, nil
	case c.Kind == jsonread.Text && c.Text == contextIRI:
		return &next, nil
	case c.Kind != jsonread.Array || len(c.Items) == 0 || len(c.Items) > 2 || c.Items[0].Text != contextIRI:
		return nil, r.bad(c, "the @context is %q, or an array of that and an object", contextIRI)
	case len(c.Items) == 1:
		return &next, nil
	case c.Items[1].Kind != jsonread.Object:
		return nil, r.bad(c, "the second item of @context is an object")
	}
	for _, m := range c.Items[1].Members {
		switch m.Name {
		case "@base":
			if m.Value.Kind != jsonread.Text {
				return nil, r.bad(m.Value, "@base is a text")
			}
			next.base = resolve(s.base, m.Value.Text)
		case "@language":
			if m.Value.Kind != jsonread.Text || !isLanguage(m.Value.Text) {
				r.warn(m.Value, "@language is no language tag, and is not used")
				continue
			}
			next.language = m.Value.Text
		default:
			return nil, r.bad(m.Value, "the @context has %q; only @base and @language may be in it", m.Name)
		}
	}
	return &next, nil
}

func (r *reader) table(v *jsonread.Value, s *scope, in inherited, d *Dialect) (*Table, error) {
	return r.tableWith(v, nil, s, in, d)
}

// tableWith reads the description of a table; common is the schema that its group has.
func (r *reader) tableWith(v, common *jsonread.Value, s *scope, in inherited, d *Dialect) (*Table, error) {
	t := &Table{scope: s, pos: v.Pos, described: true}
	o := r.object(v, s, "Table", "url", "dialect", "notes", "suppressOutput", "tableDirection", "tableSchema",
		"transformations", "@context")
	var err error
	if t.ID, err = o.id(); err != nil {
		return nil, err
	}
	u := v.Get("url")
	if u == nil || u.Kind != jsonread.Text {
		return nil, r.bad(v, "a table has a url, which is a text")
	}
	t.URL = resolve(s.base, u.Text)
	if err := o.inherit(&in); err != nil {
		return nil, err
	}
	if t.properties, err = o.common(true); err != nil {
		return nil, err
	}
	t.notes = v.Get("notes")
	if t.Dialect, err = o.dialect(d); err != nil {
		return nil, err
	}
	t.Suppress = o.flag("suppressOutput", false)
	if err := o.rest(); err != nil {
		return nil, err
	}
	schema := v.Get("tableSchema")
	if schema == nil {
		schema = common
	}
	t.Schema, err = r.schema(schema, s, in)
	return t, err
}

// schema reads the description of columns, or that which a URL names.
func (r *reader) schema(v *jsonread.Value, s *scope, in inherited) (*Schema, error) {
	schema := &Schema{inherited: in, scope: s}
	switch {
	case v == nil:
		return schema, nil
	case v.Kind == jsonread.Text:
		url := resolve(s.base, v.Text)
		loaded, where, err := r.load(r.ctx, url)
		if err != nil {
			return nil, err
		}
		inner := *r
		inner.where = where
		next := &scope{base: where}
		if loaded.Get("@context") != nil {
			if next, err = inner.context(loaded, next); err != nil {
				return nil, err
			}
		}
		read, err := inner.schema(loaded, next, in)
		if read != nil && read.id == "" {
			read.id = url
		}
		return read, err
	case v.Kind != jsonread.Object:
		r.warn(v, "tableSchema is an object or a URL; it is read as one without columns")
		schema.settled = true
		return schema, nil
	}
	schema.pos = v.Pos
	o := r.object(v, s, "Schema", "columns", "foreignKeys", "primaryKey", "rowTitles", "@context")
	var err error
	if schema.id, err = o.id(); err != nil {
		return nil, err
	}
	if err := o.inherit(&schema.inherited); err != nil {
		return nil, err
	}
	if _, err := o.common(true); err != nil {
		return nil, err
	}
	if err := o.rest(); err != nil {
		return nil, err
	}
	if err := r.columns(v.Get("columns"), schema); err != nil {
		return nil, err
	}
	schema.primaryKey = r.references(v.Get("primaryKey"), schema)
	schema.rowTitles = r.references(v.Get("rowTitles"), schema)
	return schema, r.foreignKeys(v.Get("foreignKeys"), schema)
}

// columns reads the descriptions of columns.
func (r *reader) columns(v *jsonread.Value, schema *Schema) error {
	if v == nil {
		return nil
	}
	if v.Kind != jsonread.Array {
		r.warn(v, "columns is an array; it is read as an empty one")
		schema.settled = true
		return nil
	}
	for _, item := range v.Items {
		if item.Kind != jsonread.Object {
			r.warn(item, "an item of columns is no object, and is passed over")
			continue
		}
		c, err := r.column(item, schema, len(schema.Columns)+1)
		if err != nil {
			return err
		}
		if n := len(schema.Columns); n > 0 && schema.Columns[n-1].Virtual && !c.Virtual {
			return r.bad(item, "a column of the table comes after a virtual one")
		}
		for _, other := range schema.Columns {
			if other.Name == c.Name {
				return r.bad(item, "two columns have the name %q", c.Name)
			}
		}
		schema.Columns = append(schema.Columns, c)
	}
	return nil
}

func (r *reader) column(v *jsonread.Value, schema *Schema, number int) (*Column, error) {
	c := &Column{inherited: schema.inherited, pos: v.Pos}
	o := r.object(v, schema.scope, "Column", "name", "titles", "suppressOutput", "virtual")
	if _, err := o.id(); err != nil {
		return nil, err
	}
	if err := o.inherit(&c.inherited); err != nil {
		return nil, err
	}
	if _, err := o.common(true); err != nil {
		return nil, err
	}
	c.Suppress, c.Virtual = o.flag("suppressOutput", false), o.flag("virtual", false)
	if err := o.rest(); err != nil {
		return nil, err
	}
	c.titles = r.titles(v.Get("titles"), schema.scope)
	if name := v.Get("name"); name != nil {
		if name.Kind == jsonread.Text && isVariable(name.Text) && !strings.HasPrefix(name.Text, "_") {
			c.Name, c.named = name.Text, true
		} else {
			r.warn(name, "the name of a column is made of letters, digits and _, and does not begin with _; it is not used")
		}
	}
	if c.Name == "" {
		c.Name = nameOf(c.titles, schema.scope.language, number)
	}
	return c, nil
}

// nameOf is the name of a column that has none: made of its title, or its number.
func nameOf(titles []title, language string, number int) string {
	for _, t := range titles {
		if t.language == "und" || t.language == language {
			return encodeName(t.text)
		}
	}
	return "_col." + strconv.Itoa(number)
}

// titles reads texts with languages.
func (r *reader) titles(v *jsonread.Value, s *scope) (all []title) {
	if v == nil {
		return nil
	}
	language := s.language
	if language == "" {
		language = "und"
	}
	add := func(v *jsonread.Value, language string) {
		for _, item := range v.List() {
			if item.Kind != jsonread.Text {
				r.warn(item, "a title is a text; it is not used")
				continue
			}
			all = append(all, title{item.Text, language})
		}
	}
	if v.Kind != jsonread.Object {
		add(v, language)
		return all
	}
	for _, m := range v.Members {
		if !isLanguage(m.Name) {
			r.warn(m.Value, "the language %q of a title is no language tag; the title is not used", m.Name)
			continue
		}
		add(m.Value, m.Name)
	}
	return all
}

// references reads names of columns, which there must be.
func (r *reader) references(v *jsonread.Value, schema *Schema) (names []string) {
	if v == nil {
		return nil
	}
	for _, item := range v.List() {
		if item.Kind != jsonread.Text || !schema.has(item.Text) {
			r.warn(item, "this is not the name of a column; the property is not used")
			return nil
		}
		names = append(names, item.Text)
	}
	return names
}

// has says that there is a column which has this name by its description; others can't be referred to.
func (s *Schema) has(name string) bool {
	c := s.column(name)
	return c != nil && c.named
}

func (s *Schema) column(name string) *Column {
	for _, c := range s.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// foreignKeys reads the foreign keys of a schema.
func (r *reader) foreignKeys(v *jsonread.Value, schema *Schema) error {
	if v == nil {
		return nil
	}
	if v.Kind != jsonread.Array {
		r.warn(v, "foreignKeys is an array; it is not used")
		return nil
	}
	for _, item := range v.Items {
		if item.Kind != jsonread.Object {
			r.warn(item, "an item of foreignKeys is no object, and is passed over")
			continue
		}
		key, err := r.foreignKey(item, schema)
		if err != nil {
			return err
		}
		schema.foreignKeys = append(schema.foreignKeys, key)
	}
	return nil
}

func (r *reader) foreignKey(v *jsonread.Value, schema *Schema) (*foreignKey, error) {
	only := func(v *jsonread.Value, names ...string) error {
		for _, m := range v.Members {
			if !slices.Contains(names, m.Name) {
				return r.bad(m.Value, "a foreign key has no property %q", m.Name)
			}
		}
		return nil
	}
	names := func(v *jsonread.Value) (all []string, err error) {
		if v == nil || len(v.List()) == 0 {
			return nil, r.bad(v, "a foreign key names columns by columnReference")
		}
		for _, item := range v.List() {
			if item.Kind != jsonread.Text {
				return nil, r.bad(item, "the name of a column is a text")
			}
			all = append(all, item.Text)
		}
		return all, nil
	}
	if err := only(v, "columnReference", "reference"); err != nil {
		return nil, err
	}
	key := &foreignKey{pos: v.Pos}
	var err error
	if key.columns, err = names(v.Get("columnReference")); err != nil {
		return nil, err
	}
	for _, name := range key.columns {
		if !schema.has(name) {
			return nil, r.bad(v, "a foreign key names the column %q, which is not there", name)
		}
	}
	to := v.Get("reference")
	if to == nil || to.Kind != jsonread.Object {
		return nil, r.bad(v, "a foreign key has a reference, which is an object")
	}
	if err := only(to, "resource", "schemaReference", "columnReference"); err != nil {
		return nil, err
	}
	if key.names, err = names(to.Get("columnReference")); err != nil {
		return nil, err
	}
	table, other := to.Get("resource"), to.Get("schemaReference")
	switch {
	case table != nil && table.Kind == jsonread.Text && other == nil:
		key.table = resolve(schema.scope.base, table.Text)
	case other != nil && other.Kind == jsonread.Text && table == nil:
		key.schema = resolve(schema.scope.base, other.Text)
	default:
		return nil, r.bad(to, "a reference names a table by resource, or a schema by schemaReference")
	}
	if len(key.names) != len(key.columns) {
		return nil, r.bad(v, "a foreign key has %d columns, and its reference %d", len(key.columns), len(key.names))
	}
	return key, nil
}

// check holds foreign keys against the other tables of the group.
func (r *reader) check(g *Group) error {
	for _, t := range g.Tables {
		for _, key := range t.Schema.foreignKeys {
			to := g.referenced(key)
			at := &jsonread.Value{Pos: key.pos}
			if to == nil {
				return r.bad(at, "a foreign key refers to a table that is not there: %s", key.table+key.schema)
			}
			for _, name := range key.names {
				if !to.Schema.has(name) {
					return r.bad(at, "a foreign key refers to the column %q, which is not in %s", name, to.URL)
				}
			}
		}
	}
	return nil
}

// referenced is the table that a foreign key refers to; nil if there is none.
func (g *Group) referenced(key *foreignKey) *Table {
	for _, t := range g.Tables {
		if key.table != "" && (t.place == key.table || t.place == "" && t.URL == key.table) ||
			key.schema != "" && t.Schema.id == key.schema {
			return t
		}
	}
	return nil
}
