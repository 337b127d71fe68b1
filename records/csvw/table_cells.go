package csvw

import (
	"net/url"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// value is a value of a cell, as a literal.
type value struct {
	lexical  string
	datatype string // "" for a text
	language string
}

// cell is what a cell says.
type cell struct {
	values []value
	isList bool
	null   bool
}

// columnPlan is what of a column is the same in all rows.
type columnPlan struct {
	predicate []byte // nil: made for each row
}

// rowWriter makes statements of the rows of a table.
type rowWriter struct {
	*writer
	c        *Converter
	table    *Table
	node     rdf.Term
	columns  []*Column
	index    map[string]int
	sources  int // columns that the dialect skips
	cells    []cell
	keys     []*keyUse
	titles   []int
	count    int64
	source   int64
	subjects []rdf.Term // of the row at hand, to each of which the row leads once
	texts    []string   // for bindings
	buffers  [3][]byte
	column   int // at hand, for bindings
	width    int // how many cells a row has
}

func (w *rowWriter) prepare() {
	w.index = map[string]int{}
	for i, c := range w.columns {
		w.index[c.Name] = i
	}
	w.cells = make([]cell, len(w.columns))
	for i, c := range w.columns {
		w.column = i
		c.made = &columnPlan{}
		if c.property == nil {
			c.made.predicate = appendIRI(nil, "", []byte(w.table.URL+"#"+c.Name))
		} else if c.property.isFixed() {
			c.made.predicate = w.expand(nil, c.property)
		}
	}
	for _, name := range w.table.Schema.rowTitles {
		w.titles = append(w.titles, w.index[name])
	}
}

// physical counts the columns that have cells in the table.
func physical(columns []*Column) (n int) {
	for _, c := range columns {
		if !c.Virtual {
			n++
		}
	}
	return n
}

// isFixed says that a template gives the same in all rows.
func (t *template) isFixed() bool {
	for _, p := range t.parts {
		for _, v := range p.variables {
			if v.name != "_name" && v.name != "_column" && v.name != "_sourceColumn" {
				return false
			}
		}
	}
	return true
}

func (w *rowWriter) expand(dst []byte, t *template) []byte {
	ref := t.appendExpanded(nil, w.bind)
	return appendIRI(dst, w.table.URL, ref)
}

// bind finds the value of a variable in the row at hand.
func (w *rowWriter) bind(name string) (values []string, isList, ok bool) {
	one := func(s string) ([]string, bool, bool) {
		w.texts = append(w.texts[:0], s)
		return w.texts, false, true
	}
	switch name {
	case "_row":
		return one(strconv.FormatInt(w.count, 10))
	case "_sourceRow":
		return one(strconv.FormatInt(w.source, 10))
	case "_column":
		return one(strconv.Itoa(w.column + 1))
	case "_sourceColumn":
		return one(strconv.Itoa(w.column + 1 + w.sources))
	case "_name":
		n, err := url.PathUnescape(w.columns[w.column].Name)
		if err != nil {
			n = w.columns[w.column].Name
		}
		return one(n)
	}
	i, known := w.index[name]
	if !known || i >= len(w.cells) || w.cells[i].null {
		return nil, false, false
	}
	w.texts = w.texts[:0]
	for _, v := range w.cells[i].values {
		w.texts = append(w.texts, v.lexical)
	}
	return w.texts, w.cells[i].isList, true
}

// row makes the statements of a row.
func (w *rowWriter) row(r *row) error {
	w.count++
	w.source = r.number
	w.at = r.pos
	w.subjects = w.subjects[:0]
	if err := w.widen(r); err != nil {
		return err
	}
	for i, c := range w.columns {
		w.cells[i] = cell{null: true, values: w.cells[i].values[:0]}
		if c.Virtual {
			continue
		}
		text, at := "", r.pos
		if i < len(r.cells) {
			text, at = r.cells[i], r.places[i]
		} else if c.byDefault == "" {
			if c.required {
				w.cellNotice(fault.CSVWRequired, at, c, text, "the column is required, and the row has no such cell")
			}
			continue
		}
		if c.cell != nil {
			w.parseField(&w.cells[i], c, text, at)
			continue
		}
		w.parse(&w.cells[i], c, text, at)
	}
	for _, k := range w.keys {
		if err := k.add(w, r); err != nil {
			return err
		}
	}
	switch {
	case w.silent:
		return nil
	case w.c.opt.Records != nil:
		return w.record(r)
	case w.table.Suppress:
		return nil
	}
	return w.statements(r)
}

// widen sees to a row with other than as many cells as there are columns.
func (w *rowWriter) widen(r *row) error {
	if len(r.cells) == w.width {
		return nil
	}
	w.c.notice(fault.Notice{Code: fault.CSVWRowWidth, Severity: fault.Warning, Pos: r.pos, Message: "the row has " +
		strconv.Itoa(len(r.cells)) + " cells, and the table " + strconv.Itoa(w.width) + " columns"})
	described := physical(w.columns)
	if len(r.cells) <= described {
		return nil // no column is wanted that an earlier row did not want
	}
	var more []*Column
	for i := described; i < len(r.cells); i++ {
		more = append(more, &Column{Name: "_col." + strconv.Itoa(i+1), inherited: w.table.Schema.inherited})
	}
	w.columns = append(append(append([]*Column{}, w.columns[:described]...), more...), w.columns[described:]...)
	count, titles := w.count, w.titles
	w.prepare()
	w.count, w.titles = count, titles
	return nil
}

func (w *rowWriter) cellNotice(code fault.Code, at fault.Pos, c *Column, text, message string) {
	w.c.notice(fault.Notice{Code: code, Severity: fault.Warning, Pos: at, Field: c.Name, Excerpt: fault.Excerpt([]byte(text)),
		Message: message})
}

// parse reads a cell by its datatype (Model for Tabular Data, §6.4).
func (w *rowWriter) parse(to *cell, c *Column, text string, at fault.Pos) {
	d := c.datatype
	if d == nil {
		d = stringType
	}
	text = spaced(text, d.base.keeps)
	if text == "" {
		text = spaced(c.byDefault, d.base.keeps)
	}
	if !c.separates {
		if isNull(c, text) {
			if c.required {
				w.cellNotice(fault.CSVWRequired, at, c, text, "the column is required, and the cell has no value")
			}
			return
		}
		to.null, to.values = false, append(to.values, w.literal(c, d, text, at))
		return
	}
	to.isList = true
	if text == "" || isNull(c, text) {
		if to.null = text != ""; c.required {
			w.cellNotice(fault.CSVWRequired, at, c, text, "the column is required, and the cell has no value")
		}
		return
	}
	to.null = false
	for item := range strings.SplitSeq(text, c.separator) {
		if d.name != "string" && d.name != "anyAtomicType" && d.name != "any" {
			item = strings.TrimSpace(item)
		}
		if item == "" {
			item = c.byDefault
		}
		if !isNull(c, item) {
			to.values = append(to.values, w.literal(c, d, item, at))
		}
	}
}

// spaced is a text with the white space of its datatype.
func spaced(text string, keeps uint8) string {
	if keeps == 2 || !strings.ContainsAny(text, " \t\r\n") {
		return text
	}
	if keeps == 1 {
		return strings.NewReplacer("\t", " ", "\r", " ", "\n", " ").Replace(text)
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '\n' }), " ")
}

func isNull(c *Column, text string) bool {
	for _, n := range c.nulls {
		if n == text {
			return true
		}
	}
	return false
}

func (w *rowWriter) literal(c *Column, d *datatype, text string, at fault.Pos) value {
	lexical, why := d.parse(text)
	if why != "" {
		w.cellNotice(fault.CSVWCell, at, c, text, why+"; it is written as a text")
		return value{lexical: text, language: c.language}
	}
	v := value{lexical: lexical, datatype: d.literal()}
	if v.datatype == rdf.String {
		v.datatype, v.language = "", c.language
	}
	return v
}

func (v *value) term() rdf.Term {
	t := rdf.Term{Kind: rdf.Literal, Value: []byte(v.lexical), Datatype: []byte(v.datatype)}
	if v.datatype == "" && v.language != "und" {
		t.Language = []byte(v.language)
	}
	return t
}

// statements writes those of the cells.
func (w *rowWriter) statements(r *row) error {
	var node rdf.Term
	if w.c.opt.Standard {
		node = w.blank()
		if err := w.describeRow(&node, r); err != nil {
			return err
		}
	}
	var own rdf.Term // the subject of cells that name none
	for i, c := range w.columns {
		w.column = i
		if c.Suppress {
			continue
		}
		if i < len(r.places) && !c.Virtual {
			w.at = r.places[i]
		}
		var subject rdf.Term
		if c.about != nil {
			w.buffers[0] = w.expand(w.buffers[0][:0], c.about)
			subject = iriTerm(w.buffers[0])
		} else {
			if own.Kind == rdf.NoTerm {
				own = w.blank()
			}
			subject = own
		}
		if w.c.opt.Standard {
			if err := w.describes(&node, &subject); err != nil {
				return err
			}
		}
		if err := w.cellStatements(&subject, c, &w.cells[i]); err != nil {
			return err
		}
	}
	return nil
}

func (w *rowWriter) describeRow(node *rdf.Term, r *row) error {
	if err := w.quad(&w.node, Namespace+"row", node); err != nil {
		return err
	}
	if err := w.isA(node, "Row"); err != nil {
		return err
	}
	number := integerTerm(w.count)
	if err := w.quad(node, Namespace+"rownum", &number); err != nil {
		return err
	}
	link := iriTerm([]byte(w.table.URL + "#row=" + strconv.FormatInt(r.number, 10)))
	if err := w.quad(node, Namespace+"url", &link); err != nil {
		return err
	}
	for _, i := range w.titles {
		for j := range w.cells[i].values {
			v := w.cells[i].values[j]
			if v.datatype != "" {
				v.datatype, v.language = "", w.columns[i].language
			}
			t := v.term()
			if err := w.quad(node, Namespace+"title", &t); err != nil {
				return err
			}
		}
	}
	return nil
}

// describes leads from a row to a subject, once.
func (w *rowWriter) describes(node, subject *rdf.Term) error {
	for i := range w.subjects {
		if s := &w.subjects[i]; s.Kind == subject.Kind && s.Anonymous == subject.Anonymous && string(s.Value) == string(subject.Value) {
			return nil
		}
	}
	kept := *subject
	kept.Value = append([]byte(nil), subject.Value...)
	w.subjects = append(w.subjects, kept)
	return w.quad(node, Namespace+"describes", subject)
}

func (w *rowWriter) cellStatements(subject *rdf.Term, c *Column, v *cell) error {
	predicate := c.made.predicate
	if predicate == nil {
		w.buffers[1] = w.expand(w.buffers[1][:0], c.property)
		predicate = w.buffers[1]
	}
	if c.value != nil && (c.Virtual || !v.null) {
		w.buffers[2] = w.expand(w.buffers[2][:0], c.value)
		object := iriTerm(w.buffers[2])
		return w.quadOf(subject, predicate, &object)
	}
	if v.null {
		if c.Virtual && c.byDefault != "" {
			w.parse(v, c, c.byDefault, w.at)
		}
		if v.null {
			return nil
		}
	}
	if v.isList && c.ordered {
		if len(v.values) == 0 {
			return nil
		}
		list, err := w.list(len(v.values), func(i int) rdf.Term { return v.values[i].term() })
		if err != nil {
			return err
		}
		return w.quadOf(subject, predicate, &list)
	}
	for i := range v.values {
		t := v.values[i].term()
		if err := w.quadOf(subject, predicate, &t); err != nil {
			return err
		}
	}
	return nil
}
