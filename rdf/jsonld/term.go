package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// defining is the state of one run through the term definitions of a local context.
type defining struct {
	*expander
	active    *active
	local     *jsonread.Value
	where     where
	protected bool
	defined   map[string]bool // false while the term is being defined
}

// define makes one term definition, and those that it needs. One with a fault is told
// and marked as lost; only one too many is a failure.
func (d *defining) define(name string) *failure {
	if done, begun := d.defined[name]; begun {
		if done {
			return nil
		}
		return failed(fault.JSONContext, d.local.Get(name), "cyclic IRI mapping: the term %q is defined by itself", name)
	}
	if v := d.local.Get(name); v.Kind == jsonread.Lost { // which was told
		d.active.set(name, &term{lost: failed(fault.JSONContext, v, "")})
		d.defined[name] = true
		return nil
	}
	f := d.make(name)
	if f == nil || f.code == fault.LimitContexts || name == "" && isAlias(d.local.Get(name)) || isKeyword(name) {
		return f
	}
	d.lose(name, f)
	return nil
}

// need makes the definition of a name that another needs, if there is one that is not made yet. Where
// no definitions are made, d is nil.
func (d *defining) need(name string) *failure {
	if d == nil || d.defined[name] || d.local.Get(name) == nil {
		return nil
	}
	return d.define(name)
}

func (d *defining) reserved(v *jsonread.Value, word string) {
	d.warn(fault.JSONUndefinedTerm, v, "%s has the form of a keyword, but is none; it is passed over", word)
}

func isTypeDefinition(v *jsonread.Value) bool {
	if v.Kind != jsonread.Object || len(v.Members) == 0 {
		return false
	}
	for i := range v.Members {
		m := &v.Members[i]
		switch m.Name {
		case "@container":
			for _, c := range m.Value.List() {
				if c.Kind != jsonread.Text || c.Text != "@set" {
					return false
				}
			}
		case "@protected":
		default:
			return false
		}
	}
	return true
}

func (t *term) equals(other *term) bool {
	a, b := *t, *other
	if (a.contexts == nil) != (b.contexts == nil) || !jsonread.Same(a.contexts, b.contexts) {
		return false
	}
	a.contexts, b.contexts, a.from, b.from = nil, nil, "", ""
	return a == b
}
