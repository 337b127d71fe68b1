package turtle

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"

	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/repair"
)

// habits is what the document has shown of how it is written. Where a fault leaves open what was meant, they show;
// where nothing is wrong they change nothing.
type habits struct {
	// verbs holds the last words that were predicates, by their hash.
	verbs [1 << 11]uint64
	// verbSpaces and subjectSpaces hold the prefixes, or what IRIs begin with, of predicates and of subjects.
	// subjectCounts says how often a subject had each.
	verbSpaces, subjectSpaces [1 << 6]uint64
	subjectCounts             [1 << 6]int32
	// known and fresh count those that had been there before, and those that had not.
	known, fresh int
	subjects     int   // so far
	skimmed      int64 // up to where the text behind a fault has been looked at
	// starts are the columns where the last statements began, outside of graphs and in them; 0 for one that did not
	// begin a line. The columns of predicates that began lines are in deeper, by the number of open frames.
	starts [2]columns
	deeper [8]columns
	inside int // the index into starts now
}

// emptyHabits serve again: making large tables again costs more than a small document does.
var emptyHabits = sync.Pool{New: func() any { return new(habits) }}

// columns are the last ones of a kind.
type columns struct {
	last [8]int64
	n    uint
}

func (c *columns) add(column int64) {
	c.last[c.n%uint(len(c.last))] = column
	c.n++
}

// all are those that are known.
func (c *columns) all() []int64 { return c.last[:min(c.n, uint(len(c.last)))] }

func (c *columns) has(column int64) bool { return slices.Contains(c.all(), column) }

// startsLine says that the current token is the first on its line.
func (r *Reader) startsLine() bool { return r.Tok.Pos.Line > r.Ended.Line || r.Ended.Offset == 0 }

// column is the column of the current token, if it is the first on its line, else 0.
func (r *Reader) column() int64 {
	if r.startsLine() {
		return r.Tok.Pos.Column
	}
	return 0
}

// hashToken is a hash of the end of the current token.
func (r *Reader) hashToken() uint64 { return hashOf(r.Bytes(&r.Tok)) }

func hashOf(text []byte) uint64 {
	n := len(text)
	h := uint64(n) + 1 // so that no hash is that of an empty slot
	if n >= 8 {
		h ^= binary.LittleEndian.Uint64(text[n-8:])
	} else {
		for _, c := range text {
			h = h<<8 | uint64(c)
		}
	}
	return h * 0x9E3779B97F4A7C15
}

// learn notes where a predicate with its first object stands.
func (r *Reader) learn(f *frame) {
	h := r.habits
	if f.subjectSpace != 0 { // not before: a subject that is taken back is none
		h.noteSubject(f.subjectSpace)
		f.subjectSpace = 0
	}
	h.noteVerb(f.verb, func() uint64 { return f.space })
	if f.verbs == 1 && f.kind == grammar.Statement {
		h.starts[h.place(r.graph.open)].add(f.column)
	} else if f.verbColumn > 0 {
		h.deeper[min(r.depth, len(h.deeper)-1)].add(f.verbColumn)
	}
}

// noteVerb notes a predicate, and what it begins with.
func (h *habits) noteVerb(verb uint64, space func() uint64) {
	if slot := &h.verbs[verb>>53]; *slot == verb {
		h.known++
	} else {
		h.fresh++
		*slot = verb
		space := space()
		h.verbSpaces[space>>58] = space
	}
}

// subjectSpace is what the current token, a subject, begins with; of many subjects only of some.
func (h *habits) subjectSpace(r *Reader) uint64 {
	if h.counts() {
		return r.hashSpace()
	}
	return 0
}

// counts counts a subject, and says whether what it begins with is to be noted.
func (h *habits) counts() bool {
	h.subjects++
	return h.subjects < 256 || h.subjects%16 == 0
}

// noteSubject notes what a subject begins with.
func (h *habits) noteSubject(space uint64) {
	if slot := space >> 58; h.subjectSpaces[slot] != space {
		h.subjectSpaces[slot], h.subjectCounts[slot] = space, 1
	} else {
		h.subjectCounts[slot]++
	}
}

// subjectsIn is how many subjects were found to begin so; of many only some are counted.
func (h *habits) subjectsIn(space uint64) int32 {
	if slot := space >> 58; h.subjectSpaces[slot] == space {
		return h.subjectCounts[slot]
	}
	return 0
}

func (h *habits) place(inGraph bool) int {
	if inGraph {
		return 1
	}
	return 0
}

// isVerb says that a word was a predicate.
func (h *habits) isVerb(hash uint64) bool { return h.verbs[hash>>53] == hash }

// asVerb is what speaks against a word as a predicate, and against it as a subject.
func (h *habits) asVerb(hash, space uint64) (verb, subject repair.Damage) {
	const enough = 8
	isSpace := space != 0 && h.verbSpaces[space>>58] == space
	if n := h.subjectsIn(space); isSpace && n < 2 {
		if subject = repair.Strange / 2; n == 0 && h.subjects > enough {
			subject = repair.Strange
		}
	}
	switch {
	case h.isVerb(hash):
		return 0, max(subject, repair.Strange*3/4)
	case h.known > enough && h.known > 2*h.fresh:
		return repair.Strange, subject
	case h.fresh > 2 && !isSpace:
		return repair.Strange, subject
	case isSpace:
		return 0, subject
	}
	return repair.Strange / 2, subject
}

// hashSpace is a hash of the prefix of the current token, or of what the IRI that it is begins with.
func (r *Reader) hashSpace() uint64 {
	text := r.Bytes(&r.Tok)
	if r.Tok.Kind == lex.Name {
		return hashOf(text[:r.Tok.Colon])
	}
	return hashBeginning(text)
}

// hashBeginning is a hash of what an IRI begins with.
func hashBeginning(text []byte) uint64 {
	return hashOf(text[:bytes.LastIndexAny(text, "/#:")+1])
}

// youngDocument is how many subjects a document has shown when what is behind a fault adds nothing.
const youngDocument = 48

// learnAhead learns from the tokens behind a fault, in a document that has shown little so far: what follows a dot or
// a semicolon. In a graph they are most likely in it too.
func (h *habits) learnAhead(tokens []repair.Token, inGraph bool) {
	if h.subjects >= youngDocument {
		return
	}
	depth, starts := 0, &h.starts[h.place(inGraph)] // how many frames are open is known from the first dot on
	for i := 1; i+1 < len(tokens); i++ {
		switch t, before := &tokens[i], tokens[i-1].Kind; {
		case t.From < h.skimmed:
		case before == lex.Dot:
			depth = 1
			if behind := tokens[min(i+2, len(tokens)-1)].Kind; !tokens[i+1].Kind.IsVerb() || behind == lex.Dot || behind == lex.Comma ||
				behind == lex.Semicolon {
				break // it may be a predicate
			}
			if t.Column > 0 {
				starts.add(t.Column)
			}
			if t.Word.Hash != 0 {
				h.noteSubject(t.Word.Space)
			}
		case before == lex.Semicolon && t.Word.Hash != 0 && t.Column != 1 && !(t.Column > 0 && starts.has(t.Column)):
			if tokens[i+1].Kind != lex.A { // else it most likely is a subject
				h.noteVerb(t.Word.Hash, func() uint64 { return t.Word.Space })
			}
			if t.Column > 0 && depth > 0 {
				h.deeper[min(depth, len(h.deeper)-1)].add(t.Column)
			}
		case before.Opens() && depth > 0:
			depth++
		case before.Closes() && depth > 1:
			depth--
		}
	}
	h.skimmed = tokens[len(tokens)-1].From
}

// judgeColumn looks whether the predicate of f, which begins a line, is deeper than those of the frame around. Then it
// is within f, whatever brackets are missing behind it.
func (r *Reader) judgeColumn(f *frame, column int64) {
	f.verbColumn, f.inside = column, false
	if r.depth > 1 {
		if around := r.stack[r.depth-2].verbColumn; around > 0 && column > around {
			f.inside = true
			f.sureHeld = len(r.held.quads)
		}
	}
}

// Against is what speaks against a line that begins in a column, in so many open frames.
func (h *habits) Against(act grammar.Act, column int64, depth int) repair.Damage {
	const few = 2
	starts, usual := &h.starts[h.inside], &h.deeper[min(depth, len(h.deeper)-1)]
	isStart := starts.has(column)
	switch {
	case starts.n < few, act == grammar.TakeSubject && (depth > 0 || isStart):
	case act == grammar.TakeSubject && h.deeper[1].has(column):
		return repair.Displaced
	case act == grammar.TakeSubject:
		return repair.Displaced / 2
	case column == 0 || depth == 0:
	case act == grammar.TakePredicate:
		switch {
		case usual.n >= few && usual.has(column):
		case isStart, h.isVerbColumn(column, depth-1):
			return repair.Displaced
		case usual.n >= few:
			return repair.Displaced / 3
		}
	case act == grammar.TakeObject, act == grammar.TakeString, act == grammar.Open:
		switch isVerb := h.isVerbColumn(column, depth); {
		case isStart && !isVerb: // lines in this column begin statements, and nothing else
			return 2 * repair.Displaced
		case isVerb && !isStart:
			return repair.Displaced
		}
	}
	return 0
}

// isVerbColumn says that predicates begin lines in a column, in so many open frames or fewer.
func (h *habits) isVerbColumn(column int64, depth int) bool {
	for d := 1; d <= min(depth, len(h.deeper)-1); d++ {
		if h.deeper[d].has(column) {
			return true
		}
	}
	return false
}
