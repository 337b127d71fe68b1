package lines

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// judge looks at lines, for one goroutine at a time.
type judge struct {
	of      rdf.LineJudge
	longest int   // of the lines that are looked at, in bytes
	base    int64 // the offset of the text's first byte
	out     *rdf.CleanedLines

	plainLine        // the line that was looked at last
	isStatement bool // it is one, and no empty line or comment

	// Text is what the line begins in, at the index from, and row is which of its run it is.
	text []byte
	from int
	row  int64
}

// line returns the index after the line at index i, and what is known of it. Unjudged are those that the plain
// way of the reader does not take either, and those that the sink has to see.
func (j *judge) line(b []byte, i int) (next int, verdict rdf.Verdict) {
	j.from, j.isStatement = i, false
	j.begin(true)
	if b[i] != '<' {
		i = j.gap(b, i)
		switch b[i] {
		case '\n', '\r', '#':
			return j.bare(b, i)
		}
	}
	from := i
	i = j.terms(b, i)
	if i < 0 {
		return -1, rdf.Unjudged
	}
	i++ // behind the dot
	next = i + 1
	if b[i] != '\n' {
		i, next = j.end(b, j.gap(b, i))
	}
	if next < 0 || i-from > j.longest {
		return -1, rdf.Unjudged
	}
	j.isStatement = true
	if j.quad.Object.Kind != rdf.Literal && (j.quad.Object.Language != nil || j.quad.Object.Datatype != nil) {
		j.quad.Object.Language, j.quad.Object.Datatype = nil, nil // of a line before
	}
	if verdict = j.of.Judge(&j.quad, j.spelled, j.out); verdict != rdf.Sound {
		j.quad = rdf.Quad{} // the judge may have changed it
	}
	return next, verdict
}

// bare is line for one without a statement.
func (j *judge) bare(b []byte, i int) (next int, verdict rdf.Verdict) {
	if _, next = j.end(b, i); next < 0 {
		return -1, rdf.Unjudged
	}
	return next, rdf.Cleaned
}

// end goes over a comment at index i, and over the line end. It returns where the one is and what comes next; -1 where
// that is no line end, or one of CR alone.
func (j *judge) end(b []byte, i int) (end, next int) {
	if b[i] == '#' {
		for b[i] != '\n' && b[i] != '\r' {
			i++
		}
	}
	switch {
	case b[i] == '\n':
		return i, i + 1
	case b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n':
		return i, i + 2
	}
	return i, -1
}

// place fills in where the terms of the line are.
func (j *judge) place(q *rdf.Quad) {
	from, more := j.from, int64(0)
	for i, t := range [...]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
		if i < 3 || j.fourth {
			at := j.at[i]
			more += lex.Continuations(j.text[from:at])
			t.Pos = fault.Pos{Line: j.row, Column: int64(at-j.from) - more + 1, Offset: j.base + int64(at)}
			from = at
		}
	}
}
