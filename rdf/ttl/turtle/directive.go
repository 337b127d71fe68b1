package turtle

import (
	"bytes"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// directive is the directive that is being read.
type directive struct {
	kind      lex.Kind
	namespace *terms.Namespace // of a prefix; nil for another
	repairs   int64            // those before it
	sound     bool             // it has all that it needs
	repaired  bool
	broken    bool // its loss was told
}

// inDirective takes what stands in a directive. It returns whether nothing is held back behind it.
func (r *Reader) inDirective(act grammar.Act, k lex.Kind) (settles bool) {
	d := &r.directive
	switch act {
	case grammar.BeginDirective:
		r.Withdraw(r.Told)
		*d = directive{kind: k, repairs: r.Repairs()}
		if r.Tok.Forbidden && (k == lex.Prefix || k == lex.Base || k == lex.Version) {
			r.Repair(fault.SyntaxDirective, r.Tok.Pos, "a directive with @ is written in lower case")
			r.EditLast(r.Tok.From, r.Tok.To, strings.ToLower(string(r.Bytes(&r.Tok))))
		}
		if r.graph.open {
			r.Repair(fault.SyntaxDirective, r.Tok.Pos, "a directive can't occur within a graph; it was obeyed")
		}
	case grammar.TakePrefix:
		r.takePrefix(k)
	case grammar.TakeNamespace, grammar.TakeBase:
		r.takeBase(k)
	case grammar.TakeVersion:
		if k == grammar.Missing || !r.TakeVersion() {
			r.brokenDirective("a version in quotation marks")
		}
		r.endDirective()
	case grammar.EndDirective:
		if !r.at.Dotted && r.Tok.Kind == lex.Dot {
			r.Repair(fault.SyntaxDirective, r.Tok.Pos, "directives without @ have no dot at the end; it was ignored")
			r.EditLast(r.Tok.From, r.Tok.To, "")
			r.Tell()
		}
		return true
	}
	return false
}

// takePrefix takes the prefix that is declared, PNAME_NS.
func (r *Reader) takePrefix(k lex.Kind) {
	text := r.Bytes(&r.Tok)
	switch {
	case k == lex.Name && r.Tok.Colon == len(text)-1:
		text = text[:r.Tok.Colon]
	case k == grammar.Missing && r.Tok.Kind == lex.Broken && r.Tok.Code == fault.SyntaxWord:
		r.plan.untold = nil
		r.Repair(fault.SyntaxDirective, r.Tok.Pos, "the colon after the prefix is missing")
		r.EditLast(r.Tok.To, r.Tok.To, ":")
		text = r.Bytes(&r.Tok)
	default:
		r.brokenDirective("the prefix and its colon")
		return
	}
	ns := r.Prefixes[string(text)]
	if ns == nil {
		ns = &terms.Namespace{Prefix: string(text)}
		r.Prefixes[ns.Prefix] = ns
	}
	*ns = terms.Namespace{Prefix: ns.Prefix, IRI: ns.IRI[:0], Dead: fault.SyntaxDirective}
	r.directive.namespace = ns
}

// takeBase takes the IRI of a namespace or a base.
func (r *Reader) takeBase(k lex.Kind) {
	d := &r.directive
	ns := d.namespace
	isBase := d.kind == lex.Base || d.kind == lex.SPARQLBase
	if k == grammar.Missing && !r.RemarkIRI() {
		if isBase {
			r.BaseIRI.Lose()
		}
		r.brokenDirective("an IRI")
		return
	}
	text := r.Tok.Reference(r.Bytes(&r.Tok))
	from, to := lex.WithoutWhite(text)
	whole := lex.Absolute(text[from:to])
	doubt, _ := rdf.JudgeReference(text[from:to])
	if isNode := bytes.HasPrefix(text[from:to], []byte("_:")); doubt == fault.IRINoReference && !whole && !isNode {
		if isBase {
			r.BaseIRI.Lose()
		}
		r.brokenDirective("a valid IRI")
		return
	}
	r.plan.untold = nil
	d.sound = r.TakeNamed(&r.spare, "a base or a namespace")
	switch {
	case ns != nil && d.sound:
		*ns = terms.Namespace{Prefix: ns.Prefix, IRI: append(ns.IRI[:0], r.spare.Value...), EndsInHost: rdf.EndsWithHost(r.spare.Value)}
		r.Input.DeclarePrefix([]byte(ns.Prefix), ns.IRI)
	case ns != nil:
		*ns = terms.Namespace{Prefix: ns.Prefix, Dead: r.spare.Dead}
	case !isBase: // its prefix was lost
		d.sound = false
	case !d.sound:
		r.BaseIRI.Lose()
	default:
		r.BaseIRI.Set(r.spare.Value)
		r.BaseIRI.Repaired = false
		if whole {
			r.BaseIRI.IsFile, r.BaseIRI.Used = false, nil
		}
	}
	if !d.sound && r.spare.Dead != "" && r.spare.Dead != fault.IRINoBase {
		// without a base, each statement that needs it will report that
		r.loseDirective(r.Problem)
	}
	// what is declared by a directive that had to be repaired is repaired where it is used
	d.repaired = r.spare.Repaired
	r.endDirective()
}

// endDirective notes what a directive with all that it needs changes.
func (r *Reader) endDirective() {
	if d := &r.directive; d.repaired || r.Repairs() > d.repairs {
		r.mendDirective()
	}
	r.Tell()
}

// mendDirective notes that the directive was repaired.
func (r *Reader) mendDirective() {
	switch d := &r.directive; {
	case !d.sound:
	case d.namespace != nil:
		d.namespace.Repaired = true
	default:
		r.BaseIRI.Repaired = true
	}
}

func (r *Reader) brokenDirective(wanted string) {
	n := r.Notice(fault.SyntaxDirective, fault.Drop, r.Tok.Pos, "%s is where this directive needs %s", r.Tok.Kind, wanted)
	r.plan.untold = nil
	r.loseDirective(n)
	r.directive.sound = false
}

// loseDirective tells of what is lost in a directive. That counts as one, whatever else is wrong with it.
func (r *Reader) loseDirective(n fault.Notice) {
	if !r.directive.broken {
		n.Lost, r.directive.broken = 1, true
	}
	r.tell(n)
}

// loseBase is behind text that was left out, which began with the current token. Where that is a @base with an address,
// relative IRIs are not meant for the base before.
func (r *Reader) loseBase(text []byte) {
	if k := r.Tok.Kind; (k == lex.Base || k == lex.SPARQLBase) && bytes.Contains(text, []byte("://")) {
		r.BaseIRI.Lose()
	}
}

// expectsDirective says that the reader is within a directive.
func (r *Reader) expectsDirective() bool {
	return r.at.Expect >= grammar.Prefix && r.at.Expect <= grammar.DirectiveEnd
}

// passCharset passes the rule of style sheets that names an encoding, which package encoding has heard. False means
// that the current token begins none.
func (r *Reader) passCharset() bool {
	if r.at.Expect != grammar.Block || !bytes.EqualFold(r.Bytes(&r.Tok), []byte("@charset")) {
		return false
	}
	m, pos := r.Mark(), r.Tok.Pos
	if r.Next(); r.Tok.Kind != lex.String {
		r.Reset(m)
		return false
	}
	r.Keep = m.Keep
	n := r.Notice(fault.SyntaxDirective, fault.Repair, pos, "@charset is a directive of style sheets; it was ignored")
	end := r.Tok.To
	if r.Next(); r.Tok.Kind == lex.Semicolon || r.Tok.Kind == lex.Dot {
		end = r.Tok.To
		r.Next()
	}
	r.Edit(&n, pos.Offset, end, "")
	r.tell(n)
	r.settle(false)
	r.from.before = r.Ended
	return true
}
