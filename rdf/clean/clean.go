// Package clean makes statements clean. It is a chain of sinks between a reader and the sort: each
// takes a statement, sees to one thing, and passes it on.
//
//	stray bytes → IRIs → language tags → texts → literals → strict → skolem → line
//
// The first five judge terms. What is legal but not canonical is written in canonical form (a note),
// and what is doubtful is kept (a warning). What is wrong and has one plain meaning is mended (a
// repair, see fault.Repairs). What is left costs its statement (a drop). Strict turns repairs into
// drops, and the warning that RDF does not know a literal. Skolem turns blank nodes into IRIs, and the
// last writes the canonical N-Quads line.
//
//	first, tally := clean.Chain(clean.Options{}, writeLine, report)
//	_, err := ttl.Read(ctx, text, rdf.Input{}, ttl.Options{}, first)
//	tally.Close()
//
// A triple term is judged triple by triple: a fault in it is one of its statement.
//
// A term that was mended once may be in several statements, as a subject in Turtle is. Its notice is
// given once.
//
// A statement that is surely sound is looked at once, and passes by the filters that judge terms: see
// statement_gate.go.
//
// A chain belongs to one document and one goroutine. Clean statements pass it without allocation.
package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Genid is the authority that skolem IRIs are made under where Options name none.
const Genid = "https://lodlaundromat.org"

// Key is the byte in a line that the KEY of the document replaces. The KEY is
// known only when all of it was read. No canonical line holds it otherwise: in
// literals it is escaped, in IRIs it is a fault. See [AppendWithKey].
const Key = 0x01

// Options say how a chain cleans. The zero value is what "laundromat wash" does
// without flags.
type Options struct {
	// Genid is what skolem IRIs begin with, without a slash at the end; [Genid] if empty.
	Genid string

	// KeepBlankNodes leaves blank nodes what they are (--blank-nodes keep).
	KeepBlankNodes bool
	// JoinedDocuments says that the lines of several documents go into one output,
	// so that a kept label needs the KEY before it: _:KEY_LABEL.
	JoinedDocuments bool
	// HasAnonymous says that the format knows blank nodes without a label (all but
	// N-Triples and N-Quads do). Kept, these are _:0-1, _:0-2, …, and an authored
	// label of that shape gets one more 0 in front.
	HasAnonymous bool

	// KeepLiterals leaves the lexical forms of literals as they are (--literals keep).
	// Warnings about them are given all the same.
	KeepLiterals bool

	// FixMojibake reads texts back that are UTF-8 and were read in a code page
	// (--fix-mojibake). What was meant is likely, not clear, so it has to be asked for.
	FixMojibake bool

	// ReadStray is what a text means that is not UTF-8, and the encoding of its stray
	// bytes; "" if that is not clear. If the function is nil, it never is.
	ReadStray func(text []byte) (meant []byte, encoding string)

	// Strict turns each repair into a drop, those of the reader too. It drops literals that RDF does
	// not know (1.1 Concepts §3.3): rdf:langString without a language tag, and language tags that are
	// not well-formed.
	Strict bool

	// Output is what the lines will be written in. Statements that it can't say are dropped.
	Output Output
}

// Asked are the settings by which lines differ from those of the zero value, as the
// flags that ask for them; nil for none.
func (o *Options) Asked() (flags []string) {
	ask := func(isAsked bool, flag string) {
		if isAsked {
			flags = append(flags, flag)
		}
	}
	ask(o.Genid != "" && o.Genid != Genid, "--genid "+o.Genid)
	ask(o.KeepBlankNodes, "--blank-nodes keep")
	ask(o.KeepLiterals, "--literals keep")
	ask(o.FixMojibake, "--fix-mojibake")
	ask(o.Strict, "--strict")
	return flags
}

func (o *Options) applyDefaults() {
	if o.Genid == "" {
		o.Genid = Genid
	}
}

// Chain returns the sink that a reader is given, and the tally of what passes it.
//
// lines gets each clean line. An error of it ends the reading. notices gets each finding in order,
// those of the reader and those made here; it may be nil. Both are called on the
// reader's goroutine.
func Chain(options Options, lines Lines, notices func(fault.Notice)) (first rdf.Sink, tally *Tally) {
	options.applyDefaults()
	if notices == nil {
		notices = func(fault.Notice) {}
	}
	tally = &Tally{}
	line := &liner{tally: tally, lines: lines, notices: notices}
	var sink rdf.Sink = line
	if options.KeepBlankNodes {
		sink = newKeeper(options, tally, sink)
	} else {
		sink = newSkolemiser(options.Genid, tally, sink)
	}
	if options.Output.NoGraphs || options.Output.NoTripleTerms {
		sink = &unsayable{sink, options.Output}
	}
	if options.Strict {
		s := &strict{Sink: sink}
		tally.strict = s
		sink = s
	}
	gate := newChecks(options, sink)
	if !options.Strict {
		gate.line = line
	}
	return gate, tally
}

// newChecks makes the filters that judge terms, and the gate before them.
func newChecks(options Options, to rdf.Sink) *gate {
	texts := &texts{teller: teller{Sink: to}, mends: options.FixMojibake}
	literals := newLiterals(options, texts) // which may find a string where another datatype was named
	languages := &languages{teller: teller{Sink: literals, strict: options.Strict}}
	iris := newIRIs(languages)
	bytes := &strayBytes{teller: teller{Sink: iris}, read: options.ReadStray}
	bytes.nest = &nest{first: bytes, last: texts, tellers: []*teller{&bytes.teller, &iris.teller, &languages.teller, &literals.teller,
		&texts.teller}}
	return &gate{Sink: bytes, behind: to, options: options, iris: iris, languages: languages, literals: literals}
}

// Tally accounts for every statement: Read = Kept + Repaired + Dropped. A statement
// with several repairs counts once.
type Tally struct {
	Read     int64 `json:"read"`
	Kept     int64 `json:"kept"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`

	// Keyed says that [Key] is in a line that was written or is about to be.
	Keyed bool `json:"-"`

	strict *strict // nil without Strict
}

// Close is called once the reader has returned. With Strict it gives out the last
// finding, which may have waited for a statement that never came; else it does nothing.
func (t *Tally) Close() {
	if t.strict != nil {
		t.strict.flush()
	}
}

// AppendWithKey appends line to dst, with key in each place where [Key] is.
func AppendWithKey(dst, line []byte, key string) []byte {
	for {
		i := bytes.IndexByte(line, Key)
		if i < 0 {
			return append(dst, line...)
		}
		dst = append(append(dst, line[:i]...), key...)
		line = line[i+1:]
	}
}
