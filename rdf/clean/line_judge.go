package clean

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Judge returns a judge of statements; nil where a filter behind the gate has a context. See [rdf.LineSink].
func (g *gate) Judge() rdf.LineJudge {
	if g.line == nil {
		return nil
	}
	j := &lineJudge{keepsNodes: g.options.KeepBlankNodes, output: g.options.Output}
	options := g.options
	options.ReadStray = func([]byte) ([]byte, string) {
		j.isStray = true
		return nil, ""
	}
	j.gate = newChecks(options, newSkolemiser(options.Genid, &j.tally, &j.collector))
	return j
}

// Lines takes statements that a judge found sound.
func (g *gate) Lines(text []byte, n int) error { return g.line.Lines(text, n) }

// Cleaned takes what a judge made of statements.
func (g *gate) Cleaned(lines *rdf.CleanedLines) error { return g.line.Cleaned(lines) }

// lineJudge is a chain of its own, whose lines and notices are collected. It makes of a statement what the chain
// of the document would, since that has no context beside it. Only blank nodes that are kept, and stray bytes, are
// left to that.
type lineJudge struct {
	gate       *gate
	keepsNodes bool
	output     Output // what it can't say is left to that, too
	isStray    bool   // a term of the last statement is not UTF-8
	tally      Tally
	collector
}

// collector is the end of the chain.
type collector struct{ to *rdf.CleanedLines }

func (c *collector) Quad(q *rdf.Quad) error {
	c.to.Text = append(rdf.AppendQuad(c.to.Text, q), '\n')
	c.to.Lines++
	if q.Repaired {
		c.to.Repaired++
	}
	return nil
}

func (c *collector) Notice(n fault.Notice) { c.to.Notices = append(c.to.Notices, n) }

func (j *lineJudge) Judge(q *rdf.Quad, spelled bool, to *rdf.CleanedLines) rdf.Verdict {
	isBlank := q.Subject.Kind == rdf.BlankNode || q.Object.Kind == rdf.BlankNode || q.Graph.Kind == rdf.BlankNode
	if isBlank && j.keepsNodes || q.Graph.Kind != rdf.NoTerm && j.output.NoGraphs ||
		q.Object.Kind == rdf.TripleTerm && j.output.NoTripleTerms {
		return rdf.Unjudged
	}
	asString(&q.Object)
	j.to = to
	g := j.gate
	if g.isPlain(q) {
		if g.tag != nil || g.canonical != nil {
			to.Place(q)
			j.note(q)
		} else if spelled && !isBlank {
			return rdf.Sound
		}
		if isBlank {
			_ = g.behind.Quad(q) // ends in the collector, which knows no error
		} else {
			_ = j.collector.Quad(q)
		}
	} else {
		to.Place(q)
		text, lines, repaired, notices := len(to.Text), to.Lines, to.Repaired, len(to.Notices)
		j.isStray = false
		_ = g.Sink.Quad(q)
		if j.isStray {
			j.tally.Keyed = false
			to.Text, to.Lines, to.Repaired, to.Notices = to.Text[:text], lines, repaired, to.Notices[:notices]
			return rdf.Unjudged
		}
	}
	to.Keyed = to.Keyed || j.tally.Keyed
	j.tally.Keyed = false
	return rdf.Cleaned
}

// note is the gate's, without the filters between, which pass notes on.
func (j *lineJudge) note(q *rdf.Quad) {
	g, t := j.gate, &q.Object
	if g.tag != nil {
		g.languages.noteCase(j.begin(t), t)
		t.Language = g.tag
	}
	if g.canonical != nil {
		g.literals.noteForm(j.begin(t), t, g.canonical)
		t.Value = g.canonical
	}
}

// begin begins a notice on a term.
func (j *lineJudge) begin(t *rdf.Term) *fault.Notice {
	j.to.Notices = append(j.to.Notices, fault.Notice{Pos: t.Pos})
	return &j.to.Notices[len(j.to.Notices)-1]
}
