package csvw

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
	"laundromat/records"
	"laundromat/records/extract"
)

// Resource is a document: a table, or its metadata.
type Resource struct {
	URL   string // without a fragment: what its statements are about
	Place string // where it is, and other documents beside it, if that is another URL
	Text  io.Reader
	Links []string // the values of its Link headers, if it came by HTTP
}

// ErrNotFound says that there is no document at a URL.
var ErrNotFound = errors.New("there is no such document")

// Options of a converter.
type Options struct {
	// Standard writes the table, its rows and what is said of them, too, and not only the cells.
	Standard bool
	// Overriding is the URL of a metadata document that is used in place of those that are found; "" for none.
	Overriding string
	// Load opens another document: decoded from an encoding that may be "", which is found out then. Where there is
	// none, its error is ErrNotFound. It is closed where it is an io.Closer. nil: there are no others.
	Load func(ctx context.Context, url, encoding string) (*Resource, error)
	// Guess reads a table of which no metadata says anything; nil: by the default dialect. It reads one of a Data
	// Package as source says, which is nil else, under the name that its format may be found by.
	Guess func(ctx context.Context, text io.Reader, source *extract.Source, name string, to Rows) error
	// First are the URLs of metadata documents that are looked into before all other places.
	First []string
	// Usual is asked before the places of the site or the standard are looked into, with the URL of the table; false:
	// they are not. nil: they are.
	Usual func(ctx context.Context, url string) (bool, error)
	// Alone reads no table but the one that is given: keys that lead to others are not checked, and of a table in
	// several parts each is one by itself.
	Alone bool
	// Located says that Describe told what is found about the metadata. It is not told again.
	Located bool
	// Records takes the rows as records, in place of statements: a field for each column that has a value.
	Records records.Sink
	// Notice takes findings. None of them loses a statement.
	Notice func(fault.Notice)
	Memory int64  // for the sort of keys
	Temp   string // the folder of its temporary file
}

// Converter makes statements of tables.
type Converter struct {
	opt   Options
	group *Group
	keys  *keyCheck
	out   writer
	rows  int64
	// elsewhere is the URL of the table at hand, where it is another document than the one that was given.
	elsewhere string
	isQuiet   bool // findings are not passed on
}

// New makes a Converter.
func New(opt Options) *Converter {
	if opt.Notice == nil {
		opt.Notice = func(fault.Notice) {}
	}
	return &Converter{opt: opt}
}

// Rows is the number of rows that were read.
func (c *Converter) Rows() int64 { return c.rows }

func (c *Converter) notice(n fault.Notice) {
	if !c.isQuiet {
		c.opt.Notice(c.Placed(n))
	}
}

// Placed gives a finding about a statement of the table at hand the name of that table, where it is another document
// than the one that was given.
func (c *Converter) Placed(n fault.Notice) fault.Notice {
	if c.elsewhere == "" {
		return n
	}
	return placedIn(c.elsewhere, n)
}

// Table makes the statements of a table, with the metadata that is found for it.
func (c *Converter) Table(ctx context.Context, in *Resource, to rdf.Sink) error {
	group, err := c.find(ctx, in)
	if err != nil {
		return err
	}
	if group == nil {
		s := &scope{base: in.place()}
		t := &Table{URL: in.place(), Dialect: DefaultDialect(), scope: s,
			Schema: &Schema{scope: s, inherited: inherited{nulls: []string{""}, language: "und"}}}
		group = &Group{Tables: []*Table{t}, scope: s}
	}
	group.rename(in)
	return c.convert(ctx, group, in, to)
}

// find finds the metadata of a table, and tells what is found about it unless Describe did.
func (c *Converter) find(ctx context.Context, in *Resource) (*Group, error) {
	c.isQuiet = c.opt.Located
	defer func() { c.isQuiet = false }()
	return c.locate(ctx, in)
}

// Metadata makes the statements of the tables that a metadata document describes.
func (c *Converter) Metadata(ctx context.Context, in *Resource, to rdf.Sink) error {
	v, err := parseJSON(ctx, in.place(), in.Text)
	if err != nil {
		return err
	}
	group, err := c.reader(ctx, in.place()).group(v)
	if err != nil {
		return err
	}
	group.rename(in)
	return c.convert(ctx, group, nil, to)
}

// place is where a document is.
func (r *Resource) place() string {
	if r.Place != "" {
		return r.Place
	}
	return r.URL
}

// rename gives tables that are beside a document their URLs beside that which the document is known by.
func (g *Group) rename(in *Resource) {
	folder := func(url string) string { return url[:strings.LastIndexByte(url, '/')+1] }
	name := func(url string) string {
		beside, found := strings.CutPrefix(url, folder(in.place()))
		switch {
		case url == in.place():
			return in.URL
		case found:
			return folder(in.URL) + beside
		}
		return url
	}
	for _, t := range g.Tables {
		t.place = t.URL
	}
	if in.place() == in.URL {
		return
	}
	g.ID, g.scope.base = name(g.ID), name(g.scope.base)
	for _, t := range g.Tables {
		t.URL, t.ID = name(t.URL), name(t.ID)
		if t.packaged != nil {
			for i := range t.packaged.parts {
				t.packaged.parts[i].url = name(t.packaged.parts[i].url)
			}
		}
		if t.scope != g.scope {
			t.scope.base = name(t.scope.base)
		}
	}
}

func (c *Converter) reader(ctx context.Context, where string) *reader {
	return &reader{ctx: ctx, where: where, notice: c.notice, load: c.loadJSON}
}

func (c *Converter) loadJSON(ctx context.Context, url string) (*jsonread.Value, string, error) {
	in, err := c.load(ctx, url, "")
	if err != nil {
		return nil, "", err
	}
	defer closeText(in)
	v, err := parseJSON(ctx, in.URL, in.Text)
	return v, in.URL, err
}

func (c *Converter) load(ctx context.Context, url, encoding string) (*Resource, error) {
	if c.opt.Load == nil {
		return nil, ErrNotFound
	}
	return c.opt.Load(ctx, url, encoding)
}

func closeText(in *Resource) {
	if closer, ok := in.Text.(io.Closer); ok {
		_ = closer.Close() // it was read
	}
}

// convert makes the statements of a group. given is the table that is at hand already.
func (c *Converter) convert(ctx context.Context, g *Group, given *Resource, to rdf.Sink) error {
	c.group, c.out = g, writer{to: to, blanks: c.out.blanks}
	c.keys = nil
	var node rdf.Term
	if c.opt.Standard {
		if node = c.out.blank(); g.ID != "" {
			node = iriTerm([]byte(g.ID))
		}
		if err := c.out.isA(&node, "TableGroup"); err != nil {
			return err
		}
		if err := c.annotations(&node, g.properties, g.notes, g.scope); err != nil {
			return err
		}
	}
	if c.hasKeys() {
		c.keys = newKeyCheck(c.opt.Memory, c.opt.Temp)
		defer c.keys.sorter.Close()
	}
	uses := c.keyUses()
	for _, t := range g.Tables {
		if err := c.table(ctx, t, given, &node, uses[t]); err != nil {
			return err
		}
	}
	if c.keys == nil {
		return nil
	}
	return c.keys.finish(ctx, func(t *Table, n fault.Notice) { c.notice(c.about(t, given, n)) })
}

// about gives a finding about another document than the given table that document's name.
func (c *Converter) about(t *Table, given *Resource, n fault.Notice) fault.Notice {
	if given != nil && given.place() == t.place {
		return n
	}
	return placedIn(t.URL, n)
}

func (c *Converter) annotations(node *rdf.Term, properties []property, notes *jsonread.Value, s *scope) error {
	if notes != nil && notes.Kind == jsonread.Array {
		if err := c.out.annotation(node, Namespace+"note", notes, s); err != nil {
			return err
		}
	}
	for _, p := range properties {
		if err := c.out.annotation(node, p.iri, p.value, s); err != nil {
			return err
		}
	}
	return nil
}

func (c *Converter) hasKeys() bool {
	for _, t := range c.group.Tables {
		if len(t.Schema.primaryKey)+len(t.Schema.foreignKeys) > 0 {
			return true
		}
	}
	return false
}

// keyUses says which keys the rows of each table define, or refer to.
func (c *Converter) keyUses() map[*Table][]*keyUse {
	uses := map[*Table][]*keyUse{}
	add := func(t *Table, names []string, isReference bool) {
		k := &keyUse{check: c.keys, id: len(c.keys.keys) - 1, refers: isReference}
		for _, name := range names {
			for i, column := range t.Schema.Columns {
				if column.Name == name {
					k.columns = append(k.columns, i)
				}
			}
		}
		uses[t] = append(uses[t], k)
	}
	for _, t := range c.group.Tables {
		if t.silent {
			continue
		}
		if len(t.Schema.primaryKey) > 0 {
			c.keys.keys = append(c.keys.keys, keyInfo{table: t})
			add(t, t.Schema.primaryKey, false)
		}
		for _, key := range t.Schema.foreignKeys {
			to := c.group.referenced(key)
			c.keys.keys = append(c.keys.keys, keyInfo{table: t, foreign: true})
			add(to, key.names, false)
			add(t, key.columns, true)
		}
	}
	return uses
}

// table makes the statements of a table.
func (c *Converter) table(ctx context.Context, t *Table, given *Resource, group *rdf.Term, keys []*keyUse) error {
	in := given
	if t.packaged != nil && t.packaged.inline != nil {
		in = &Resource{URL: t.URL, Place: t.place, Text: bytes.NewReader(t.packaged.inline)}
	} else if in == nil || in.place() != t.place {
		loaded, err := c.load(ctx, t.place, t.Dialect.Encoding)
		if err != nil {
			if errors.Is(err, ErrNotFound) {
				err = fault.New("csvw", fault.Data, fault.CSVWMetadata, "the table %s is described, and there is no such document", t.URL)
			}
			return err
		}
		defer closeText(loaded)
		in = loaded
	}
	c.out.silent = t.silent
	w := &rowWriter{writer: &c.out, c: c, table: t, keys: keys}
	rows := &tableRows{Converter: c, w: w, given: given}
	if c.opt.Standard && !t.Suppress {
		if w.node = c.out.blank(); t.ID != "" {
			w.node = iriTerm([]byte(t.ID))
		}
		if err := c.describeTable(w, group); err != nil {
			return err
		}
	}
	if in != given {
		c.elsewhere = t.URL
		defer func() { c.elsewhere = "" }()
	}
	c.out.at = fault.Pos{}
	if t.packaged != nil {
		return rows.readPackaged(ctx, in)
	}
	if !t.described && c.opt.Guess != nil {
		return c.opt.Guess(ctx, in.Text, nil, "", rows)
	}
	return rows.read(ctx, in.Text)
}

func (c *Converter) describeTable(w *rowWriter, group *rdf.Term) error {
	t := w.table
	if err := c.out.quad(group, Namespace+"table", &w.node); err != nil {
		return err
	}
	if err := c.out.isA(&w.node, "Table"); err != nil {
		return err
	}
	link := iriTerm([]byte(t.URL))
	if err := c.out.quad(&w.node, Namespace+"url", &link); err != nil {
		return err
	}
	return c.annotations(&w.node, t.properties, t.notes, t.scope)
}
