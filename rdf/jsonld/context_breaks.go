package jsonld

import (
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// breaks is what the broken names of contexts cost. A nil one costs nothing.
type breaks struct {
	names                 []jsonread.BrokenName
	vocab, base, language bool // these keywords
}

// broken notes in an active context what the broken names of a local one cost. That is the terms that
// they may have been, where those are not defined there too. With remote, the context is in
// another document, where @base counts for nothing.
func (e *expander) broken(result *active, local *jsonread.Value, remote bool) {
	b := result.ownBreaks()
	// What the context says itself holds.
	b.vocab = b.vocab && !settles(local, "@vocab")
	b.base = b.base && (remote || !settles(local, "@base"))
	b.language = b.language && !settles(local, "@language")
	for _, name := range local.Broken {
		switch name.Head {
		case "@vocab", "@base", "@language", "@direction":
			b.note(name.Head, e.opt.Direction)
		default:
			b.names = append(b.names, name)
		}
	}
	for name, t := range result.terms {
		if len(local.Broken) > 0 && t.lost == nil && local.Get(name) == nil && b.may(name) {
			result.set(name, &term{lost: failed(fault.JSONContext, local, "")})
		}
	}
}

// ownBreaks makes what broken names cost in a context its own, to be added to.
func (a *active) ownBreaks() *breaks {
	b := new(breaks)
	if a.breaks != nil {
		*b = *a.breaks
		b.names = slices.Clip(b.names)
	}
	a.breaks, a.number = b, 0
	return b
}

// may says that a name of which there is no definition may have been one that is broken.
func (b *breaks) may(name string) bool {
	return slices.ContainsFunc(b.names, func(one jsonread.BrokenName) bool { return mayBe(&one, name) })
}

// hides says that a string may mean something else than it seems to, by a definition whose name is
// broken. It is no term of the context.
func (a *active) hides(s string, relative, vocab bool) bool {
	b := a.breaks
	if b == nil {
		return false
	}
	if colon := strings.IndexByte(s, ':'); colon > 0 {
		prefix := s[:colon]
		return vocab && b.may(s) || prefix != "_" && !strings.HasPrefix(s[colon+1:], "//") && a.terms[prefix] == nil && b.may(prefix)
	}
	return vocab && (b.vocab || b.may(s)) || relative && b.base && !(vocab && a.hasVocab)
}

// hidden is the failure of what may mean something else.
func hidden(name string, at *jsonread.Value) *failure {
	return failed(fault.JSONContext, at, "%q can't be known, since a name in the context is broken", name)
}

// mayBe says that a broken name may have been some term.
func mayBe(b *jsonread.BrokenName, name string) bool {
	if b.Exact {
		return name == b.Head
	}
	if b.Head == "" && b.Tail == "" { // nothing is known of it; hardly that it is made of a prefix
		return !strings.Contains(name, ":") && !knownSchemes[strings.ToLower(name)]
	}
	return len(name) >= len(b.Head)+len(b.Tail) && strings.HasPrefix(name, b.Head) && strings.HasSuffix(name, b.Tail)
}
