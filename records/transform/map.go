// Package transform maps the fields of records by rules, as the part map of a spec says.
//
// A rule makes an output field of one or more input fields, by one verb: split, default,
// concat, number, date, unit or expr. Without a verb it copies. What a verb can't read stays
// as it is, with a warning. What a rule changed keeps its original under "was", with the
// rule's name, so that [Undo] can bring it back.
package transform

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/expr"
	"laundromat/records/spec"
)

// Options are what the rules may use. The zero value serves.
type Options struct {
	// Fields are the names of input fields that are known; expressions may use them bare.
	Fields []string
	// PageURL is the address of the page that a record comes from; nil means the name of its
	// document, where that is a URL.
	PageURL func(*records.Record) string
	// CostLimit ends an expression; zero means that of package expr.
	CostLimit uint64
}

// Map is a compiled part map of a spec. Several goroutines may use it, each by a [Stage].
type Map struct {
	rules   []*rule
	made    map[string]bool // the fields that rules make
	options Options
	next    *Map // works on what this one makes; nil for the last
}

// rule makes an output field.
type rule struct {
	name    string   // under which originals are kept
	out     string   // the field that it makes
	from    []string // the fields that it reads; one, but for concat
	verb    verb
	star    bool // copies the fields that no rule makes
	except  []string
	makes   []string // all fields that it makes
	missing bool     // whether the verb has something to do where the field is absent
	nulls   []string // values that stand for null, of number and date
}

// verb makes a value of a value. It is called from several goroutines.
type verb interface {
	apply(*call) outcome
}

// call is what a verb sees.
type call struct {
	rule    *rule
	value   records.Value
	present bool
	record  *records.Record // the input
	options *Options
}

// outcome is what a verb made of a value.
type outcome struct {
	value records.Value
	// absent says that no field is made.
	absent bool
	// parts are further fields, of split.
	parts []records.Field
	// code is that of a finding; empty where there is none.
	code     fault.Code
	severity fault.Severity // zero means Warning
	message  string
}

// stays is the outcome where a verb could not read a value.
func (c *call) stays(code fault.Code, format string, args ...any) outcome {
	return outcome{value: c.value, absent: !c.present, code: code, message: fmt.Sprintf(format, args...)}
}

// maxMaps is how many maps may be done one after another.
const maxMaps = 20

// Compile reads the part map of a spec. Of a list of maps, each works on the fields that the
// one before makes. The error is an *spec.Error.
func Compile(node *spec.Node, opt Options) (*Map, error) {
	if node.Kind != spec.List {
		return compileRules(node, opt)
	}
	if n := len(node.Items); n == 0 || n > maxMaps {
		return nil, node.Errorf("a list of maps has 1 to %d of them, not %d", maxMaps, n)
	}
	var first, last *Map
	for _, item := range node.Items {
		m, err := compileRules(item, opt)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = m
		} else {
			last.next = m
		}
		last = m
		if opt.Fields != nil {
			opt.Fields = m.fieldsAfter(opt.Fields)
		}
	}
	return first, nil
}

// fieldsAfter are the fields that may be there after the map, where these were before.
func (m *Map) fieldsAfter(before []string) []string {
	after := m.ownNames()
	for _, r := range m.rules {
		for _, name := range before {
			if r.star && !m.made[name] && !slices.Contains(r.except, name) {
				after = append(after, name)
			}
		}
	}
	return after
}

func compileRules(node *spec.Node, opt Options) (*Map, error) {
	if err := node.Want(spec.Map); err != nil {
		return nil, err
	}
	if len(node.Entries) == 0 {
		return nil, node.Errorf("the map has no rule, so that no field would be left")
	}
	m := &Map{made: map[string]bool{}, options: opt}
	for _, e := range node.Entries {
		r, err := m.compile(node, e)
		if err != nil {
			return nil, err
		}
		for _, f := range r.makes {
			if m.made[f] {
				return nil, node.EntryErrorf(e, "two rules make the field %q", f)
			}
			m.made[f] = true
		}
		m.rules = append(m.rules, r)
	}
	return m, nil
}

// verbs are the verbs of a rule by name.
var verbs = map[string]func(*rule, *spec.Node, Options) (verb, error){
	"split":   compileSplit,
	"default": compileDefault,
	"concat":  compileConcat,
	"number":  compileNumber,
	"date":    compileDate,
	"unit":    compileUnit,
	"expr":    compileExpr,
}

var ruleKeys = []string{"from", "name", "split", "default", "concat", "number", "date", "unit", "expr"}

func (m *Map) compile(node *spec.Node, e *spec.Entry) (*rule, error) {
	if e.Key == "*" {
		return compileStar(e.Value)
	}
	if e.Key == "was" || strings.HasPrefix(e.Key, "_") {
		return nil, node.EntryErrorf(e, "the name %q is kept for what the program adds", e.Key)
	}
	if e.Value.Kind == spec.Text {
		return nil, e.Value.Errorf("a rule is a mapping: to copy a field, write {from: %s}", e.Value.Text)
	}
	if err := e.Value.Only("key of a rule", ruleKeys...); err != nil {
		return nil, err
	}
	r := &rule{name: e.Key, out: e.Key, from: []string{e.Key}, makes: []string{e.Key}}
	if n := e.Value.Get("name"); n != nil {
		if err := n.Want(spec.Text); err != nil {
			return nil, err
		}
		r.name = n.Text
	}
	var verb *spec.Entry
	for _, k := range e.Value.Entries {
		if verbs[k.Key] == nil {
			continue
		}
		if verb != nil {
			return nil, e.Value.EntryErrorf(k, "a rule has one verb, and this one has %s and %s", verb.Key, k.Key)
		}
		verb = k
	}
	if err := r.source(e.Value.Get("from"), verb); err != nil {
		return nil, err
	}
	if verb == nil {
		r.verb = copying{}
		return r, nil
	}
	var err error
	r.verb, err = verbs[verb.Key](r, verb.Value, m.options)
	return r, err
}

// source reads which fields a rule reads: without from, that of the same name.
func (r *rule) source(from *spec.Node, verb *spec.Entry) error {
	if from == nil {
		return nil
	}
	if from.Kind == spec.List && verb != nil && verb.Key == "concat" {
		fields, err := texts(from)
		r.from = fields
		return err
	}
	if from.Kind == spec.Number || from.Kind == spec.Bool {
		return from.Errorf("a field's name is a text: write %q in quotation marks", from.Text)
	}
	if err := from.Want(spec.Text); err != nil {
		return err
	}
	r.from = []string{from.Text}
	return nil
}

// compileStar reads the rule that copies the fields which no other rule makes.
func compileStar(n *spec.Node) (*rule, error) {
	r := &rule{name: "*", star: true}
	switch {
	case n.Kind == spec.Null, n.Kind == spec.Bool && n.Text == "true", n.IsText("*"):
		return r, nil
	}
	if err := n.Only(`key of "*"`, "from", "except"); err != nil {
		return nil, err
	}
	if from := n.Get("from"); from != nil && !from.IsText("*") {
		return nil, from.Errorf(`the rule "*" copies the fields of the same name: its from can only be "*"`)
	}
	if except := n.Get("except"); except != nil {
		var err error
		if r.except, err = texts(except); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// setMissing reads the values that stand for null.
func (r *rule) setMissing(n *spec.Node) (err error) {
	if n != nil {
		r.nulls, err = texts(n)
	}
	return err
}

// texts is a list of texts.
func texts(n *spec.Node) ([]string, error) {
	if err := n.Want(spec.List); err != nil {
		return nil, err
	}
	var all []string
	for _, i := range n.Items {
		if i.Kind != spec.Text {
			return nil, i.Errorf("a text is wanted here, not %s", i.Kind)
		}
		all = append(all, i.Text)
	}
	if len(all) == 0 {
		return nil, n.Errorf("the list is empty")
	}
	return all, nil
}

// FieldNames are the fields that the rules make by name, in order, without those that "*"
// copies. Of several maps, those of the last.
func (m *Map) FieldNames() []string { return m.lastMap().ownNames() }

// FieldsBehind is how many of [Map.FieldNames] come after the fields that "*" copies.
func (m *Map) FieldsBehind() (n int) {
	for _, r := range slices.Backward(m.lastMap().rules) {
		if r.star {
			return n
		}
		n += len(r.makes)
	}
	return 0
}

func (m *Map) lastMap() *Map {
	for m.next != nil {
		m = m.next
	}
	return m
}

func (m *Map) ownNames() []string {
	var all []string
	for _, r := range m.rules {
		all = append(all, r.makes...)
	}
	return all
}

// copying is the verb of a rule that has none.
type copying struct{}

func (copying) apply(c *call) outcome { return outcome{value: c.value, absent: !c.present} }

// expression is the verb expr.
type expression struct{ program *expr.Program }

func compileExpr(r *rule, n *spec.Node, opt Options) (verb, error) {
	p, err := expr.Compile(n, expr.Options{Fields: opt.Fields, CostLimit: opt.CostLimit})
	r.missing = true
	return expression{p}, err
}

func (e expression) apply(c *call) outcome {
	url := c.record.Document
	if !strings.Contains(url, "://") {
		url = ""
	}
	if c.options.PageURL != nil {
		url = c.options.PageURL(c.record)
	}
	v, err := e.program.Eval(expr.Input{Record: c.record, Value: c.value, PageURL: url})
	if err != nil {
		return c.stays(fault.MapExpr, "the expression has no value: %v", err)
	}
	return outcome{value: v}
}

// Undo gives the fields of a record that the rule changed their originals back, and removes
// those from its Was. An empty name means every rule. It gives the number of fields.
func Undo(r *records.Record, ruleName string) int {
	n := 0
	r.Was = slices.DeleteFunc(r.Was, func(w records.Original) bool {
		if ruleName != "" && w.Rule != ruleName {
			return false
		}
		r.Set(w.Field, w.Value)
		n++
		return true
	})
	return n
}
