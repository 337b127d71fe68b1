package reconcile

import (
	"slices"
	"strings"

	"laundromat/records"
	"laundromat/records/spec"
)

// Mode says which records may be the same.
type Mode uint8

// The modes. The zero value is one-to-one between two inputs, and clusters in one.
const (
	OneToOne Mode = iota + 1 // a record of the first input, and at most one of the second
	Clusters                 // any records of all inputs
)

var modeNames = [...]string{"", "one-to-one", "clusters"}

func (m Mode) String() string { return modeNames[m] }

// Rule says which value a merged record has of several.
type Rule uint8

// The rules.
const (
	Longest Rule = iota // the longest text
	Newest              // that of the record with the latest date
	All                 // every different one
	Trusted             // that of the input that is named first
)

var ruleNames = [...]string{"longest", "newest", "all", "trusted"}

func (r Rule) String() string { return ruleNames[r] }

// Plan is a compiled part reconcile.
type Plan struct {
	node *spec.Node
	mode Mode
	id   string
	ids  []string // of each input, where they have ids of different names

	only  map[string]bool // the fields that are compared; nil: all
	kinds map[string]Kind
	keys  map[string][]clusteringKey
	with  map[string]string // fields of the second input by those of the first that say the same
	keep  Rule
	keeps map[string]Rule
	date  string // the field by which a record is newer
	// recipe is that whose records are the first input, in a daemon
	recipe *spec.Node

	wanted map[string]*spec.Node // fields that must be there, and where the spec says so
	seen   map[string]bool
}

var planKeys = []string{"id", "mode", "fields", "keep", "date", "recipe"}

// Compile compiles the part reconcile of a spec. Errors are *spec.Error.
func Compile(node *spec.Node) (*Plan, error) {
	if err := node.Only("key of reconcile", planKeys...); err != nil {
		return nil, err
	}
	p := &Plan{node: node, kinds: map[string]Kind{}, keys: map[string][]clusteringKey{}, with: map[string]string{},
		keeps: map[string]Rule{}, wanted: map[string]*spec.Node{}, seen: map[string]bool{}}
	for _, part := range [...]func() error{p.compileID, p.compileMode, p.compileKeep, p.compileFields, p.compileDate, p.compileRecipe} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *Plan) compileID() error {
	id := p.node.Get("id")
	if id == nil {
		return p.node.Errorf("reconcile needs an id: the field that tells one record from another")
	}
	names := []*spec.Node{id}
	if id.Kind == spec.List {
		if names = id.Items; len(names) != 2 {
			return id.Errorf("id is the name of a field, or a list of two: that of the first input and that of the second")
		}
	}
	for _, n := range names {
		if n.Kind != spec.Text || n.Text == "" {
			return n.Errorf("id is the name of a field")
		}
		p.ids = append(p.ids, n.Text)
		p.wanted[n.Text] = n
	}
	p.id = strings.Join(p.ids, ", ")
	return nil
}

func (p *Plan) compileMode() error {
	n := p.node.Get("mode")
	if n == nil {
		return nil
	}
	at := slices.Index(modeNames[:], n.Text)
	if n.Kind != spec.Text || at <= 0 {
		return n.Errorf("unknown mode %q%s", n.Text, spec.Meant(n.Text, modeNames[1:]...))
	}
	p.mode = Mode(at)
	return nil
}

func (p *Plan) compileKeep() error {
	n := p.node.Get("keep")
	if n == nil {
		return nil
	}
	at := slices.Index(ruleNames[:], n.Text)
	if n.Kind != spec.Text || at < 0 {
		return n.Errorf("unknown rule %q%s", n.Text, spec.Meant(n.Text, ruleNames[:]...))
	}
	p.keep = Rule(at)
	return nil
}

// compileFields reads what is said of fields: a list of those that are compared, or a mapping of each to its kind,
// its rule, or both.
func (p *Plan) compileFields() error {
	fields := p.node.Get("fields")
	if fields == nil {
		return nil
	}
	if fields.Kind == spec.List {
		p.only = map[string]bool{}
		for _, n := range fields.Items {
			if n.Kind != spec.Text || n.Text == "" {
				return n.Errorf("the name of a field is wanted here")
			}
			p.only[n.Text] = true
			p.wanted[n.Text] = n
		}
		return nil
	}
	if err := fields.Want(spec.Map); err != nil {
		return err
	}
	for _, e := range fields.Entries {
		p.wanted[e.Key] = &spec.Node{File: fields.File, Line: e.Line, Column: e.Column}
		if slices.Contains(p.ids, e.Key) {
			return fields.EntryErrorf(e, "%q is the id: it is not compared, and a merged record has that of its first record", e.Key)
		}
		if e.Value.Kind == spec.Text {
			if err := p.word(e.Key, e.Value, slices.Concat(kindNames[:], ruleNames[:])); err != nil {
				return err
			}
			continue
		}
		if err := e.Value.Only("key of a field", "kind", "keep", "with", "keys"); err != nil {
			return err
		}
		if kind := e.Value.Get("kind"); kind != nil {
			if err := p.word(e.Key, kind, kindNames[:]); err != nil {
				return err
			}
		}
		if keep := e.Value.Get("keep"); keep != nil {
			if err := p.word(e.Key, keep, ruleNames[:]); err != nil {
				return err
			}
		}
		if keys := e.Value.Get("keys"); keys != nil {
			if err := p.compileKeys(e.Key, keys); err != nil {
				return err
			}
		}
		if with := e.Value.Get("with"); with != nil {
			if with.Kind != spec.Text || with.Text == "" {
				return with.Errorf("the name of a field of the second input is wanted here")
			}
			p.with[e.Key] = with.Text
			p.wanted[with.Text] = with
		}
	}
	return nil
}

// word takes a kind or a rule of a field.
func (p *Plan) word(field string, n *spec.Node, valid []string) error {
	if n.Kind != spec.Text || !slices.Contains(valid, n.Text) {
		return n.Errorf("unknown kind or rule %q%s", n.Text, spec.Meant(n.Text, valid...))
	}
	if at := slices.Index(kindNames[:], n.Text); at >= 0 {
		p.kinds[field] = Kind(at)
	}
	if at := slices.Index(ruleNames[:], n.Text); at >= 0 {
		p.keeps[field] = Rule(at)
	}
	return nil
}

func (p *Plan) compileDate() error {
	if n := p.node.Get("date"); n != nil {
		if n.Kind != spec.Text || n.Text == "" {
			return n.Errorf("date is the name of the field that says how new a record is")
		}
		p.date = n.Text
		p.wanted[n.Text] = n
		return nil
	}
	if p.keep == Newest {
		return p.node.Get("keep").Errorf("keep: newest needs date: the name of the field that says how new a record is")
	}
	for _, e := range p.fieldEntries() {
		if p.keeps[e.Key] == Newest {
			return e.Value.Errorf("newest needs the key date of reconcile: the name of the field that says how new a record is")
		}
	}
	return nil
}

// compileRecipe reads the name of the recipe whose records are the first input.
func (p *Plan) compileRecipe() error {
	n := p.node.Get("recipe")
	if n == nil {
		return nil
	}
	if n.Kind != spec.Text || n.Text == "" {
		return n.Errorf("the name of a recipe is wanted here")
	}
	if p.mode == Clusters {
		return n.Errorf("clusters are found in the records of one recipe: leave recipe out, or have mode: one-to-one")
	}
	p.recipe = n
	return nil
}

// Recipe is the name of the recipe whose records are the first input, in a daemon; "" for none.
func (p *Plan) Recipe() string {
	if p.recipe == nil {
		return ""
	}
	return p.recipe.Text
}

// CheckFiles says whether the part is one for inputs that are given as files.
func (p *Plan) CheckFiles() error {
	if p.recipe != nil {
		return p.recipe.Errorf("recipe is for a daemon, whose recipes have tables: name the two files in place of it")
	}
	return nil
}

// CheckRecipe says whether the part is one for the records of a recipe.
func (p *Plan) CheckRecipe() error {
	if p.mode == OneToOne && p.recipe == nil {
		return p.errorf("mode", "one-to-one needs two inputs: name with recipe the one whose records are the first")
	}
	if p.recipe == nil && len(p.ids) > 1 {
		return p.errorf("id", "a list of two ids needs two inputs: name with recipe the one whose records are the first")
	}
	return nil
}

func (p *Plan) fieldEntries() []*spec.Entry {
	if fields := p.node.Get("fields"); fields != nil {
		return fields.Entries
	}
	return nil
}

// see notes which of the fields that must be there a record has.
func (p *Plan) see(r *records.Record) {
	if len(p.seen) == len(p.wanted) {
		return
	}
	for i := range r.Fields {
		if _, is := p.wanted[r.Fields[i].Name]; is {
			p.seen[r.Fields[i].Name] = true
		}
	}
}

// check says whether the spec fits the inputs.
func (p *Plan) check(inputs, all int) error {
	if len(p.ids) > inputs {
		return p.errorf("id", "a list of two ids needs two inputs")
	}
	if inputs < 2 {
		if p.keep == Trusted {
			return p.errorf("keep", "trusted needs two inputs: the values of the first are kept")
		}
		for _, e := range p.fieldEntries() {
			if p.keeps[e.Key] == Trusted {
				return e.Value.Errorf("trusted needs two inputs: the values of the first are kept")
			}
		}
	}
	if all == 0 {
		return nil
	}
	var missing []string
	for name := range p.wanted {
		if !p.seen[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return p.wanted[missing[0]].Errorf("no record has the field %q", missing[0])
	}
	return nil
}

// errorf is an error at a key of the part.
func (p *Plan) errorf(key, format string, args ...any) error {
	if n := p.node.Get(key); n != nil {
		return n.Errorf(format, args...)
	}
	return p.node.Errorf(format, args...)
}

// idOf is the id of a record of an input; empty if it has none.
func (p *Plan) idOf(r *records.Record, input int) string {
	f := r.Field(p.ids[max(0, min(input, len(p.ids)-1))])
	for i := 0; f == nil && i < len(p.ids); i++ { // a merged table that is taken apart has records of both
		f = r.Field(p.ids[i])
	}
	if f == nil {
		return ""
	}
	switch f.Value.Kind {
	case records.Text, records.Number, records.Bool:
		return strings.TrimSpace(f.Value.Text)
	}
	return ""
}

// skips says that a field is not compared.
func (p *Plan) skips(name string) bool {
	if strings.HasPrefix(name, "_") || slices.Contains(p.ids, name) {
		return true
	}
	if p.only != nil {
		return !p.only[name]
	}
	kind, said := p.kinds[name]
	return said && kind == Ignored
}

// ruleOf is the rule for a field.
func (p *Plan) ruleOf(field string) Rule {
	if r, said := p.keeps[field]; said {
		return r
	}
	return p.keep
}
