package main

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	noted "laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// reading is what a program made of a text.
type reading struct {
	statements []statement
	repaired   []bool       // of each statement: a notice names it
	at         []int        // of each statement: where its object is in the text, as an offset
	lines      map[int]bool // the lines with a notice of a fault
	mended     map[int]bool // of these, those with a repair or a drop; nil where a program tells no such things apart
	endless    bool         // the program was stopped
	content    bool         // the program read to the end and said nothing of faults
}

// washed reads a text as "laundromat wash" does, but that blank nodes are kept as they
// are. Literals are written in their canonical form, so that they are compared by value:
// some programs write numbers in forms of their own.
func washed(ctx context.Context, name, text string) (reading, error) {
	r := reading{lines: map[int]bool{}, mended: map[int]bool{}}
	f, err := format.Named(name)
	if err != nil {
		return r, err
	}
	before := int64(0)
	var tally *clean.Tally
	settle := func() {
		if n := len(r.repaired); n > 0 && tally.Repaired > before {
			r.repaired[n-1], before = true, tally.Repaired
		}
	}
	var objects places
	objects.Sink, tally = clean.Chain(clean.Options{KeepBlankNodes: true, HasAnonymous: true}, clean.EachLine(
		func(line []byte) error {
			settle()
			r.statements, r.repaired, r.at = append(r.statements, split(string(line))), append(r.repaired, false),
				append(r.at, objects.offset)
			return nil
		}), func(n noted.Notice) {
		if n.Severity > noted.Note {
			r.lines[int(n.Line)] = true
		}
		if n.Severity > noted.Warning {
			r.mended[int(n.Line)] = true
		}
	})

	_, err = format.Parse(ctx, f, strings.NewReader(text), format.Options{Input: rdf.Input{Base: base}}, &objects)
	tally.Close()
	settle()
	return r, err
}

// places notes where the object of each statement is that it passes on.
type places struct {
	rdf.Sink
	offset int
}

func (p *places) Quad(q *rdf.Quad) error {
	p.offset = int(q.Object.Pos.Offset)
	return p.Sink.Quad(q)
}

var terms = regexp.MustCompile(`<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?`)

// split takes a canonical line of N-Quads apart.
func split(line string) (s statement) {
	if !strings.Contains(line, "<<(") { // of which the pattern takes the first terms
		s.subject, line, _ = strings.Cut(line, " ")
		s.predicate, line, _ = strings.Cut(line, " ")
		end := 0
		if line[0] == '"' {
			for end = 1; line[end] != '"'; end++ {
				if line[end] == '\\' {
					end++
				}
			}
		}
		space := end + strings.IndexByte(line[end:], ' ')
		s.object = line[:space]
		if g, _, ok := strings.Cut(line[space+1:], " "); ok {
			s.graph = g
		}
		return s
	}
	all := terms.FindAllString(line, 5)
	for i, part := range []*string{&s.subject, &s.predicate, &s.object, &s.graph} {
		if i < len(all) {
			*part = all[i]
		}
	}
	return s
}

// score is what a reading lost and invented.
type score struct {
	runs      int
	untouched int // statements that no fault touched
	saved     int // of these, those that were read
	touched   int
	mended    int // touched statements that were read as they were meant
	invented  int // statements that no clean document holds and no notice names
	legal     int // such as the broken text says by the rules of its format: see proof
	changed   int // such as a notice names as repaired
	faults    int // that ought to have a notice
	placed    int // with a notice on the right line
	endless   int // texts on which the program had to be stopped
	whole     int // of the control: documents that were read whole
}

func (s *score) add(o score) {
	s.runs += o.runs
	s.untouched += o.untouched
	s.saved += o.saved
	s.touched += o.touched
	s.mended += o.mended
	s.invented += o.invented
	s.legal += o.legal
	s.changed += o.changed
	s.faults += o.faults
	s.placed += o.placed
	s.endless += o.endless
}

// finding is a statement with the offset of its object, if that is known.
type finding struct {
	statement
	at    int
	meant statement // with the document's names for blank nodes
}

// judge compares a reading of a broken text with the clean document. lost are the numbers of statements.
func (d *document) judge(b broken, r reading) (s score, lost []int, invented []finding) {
	s.runs = 1
	if r.endless {
		s.endless = 1
	}
	meant := map[statement][]int{} // a document may say the same twice
	for i, st := range d.statements {
		meant[st] = append(meant[st], i)
	}
	got := map[int]bool{}
	for i, st := range d.inItsWords(b, r) {
		if st == (statement{}) {
			continue
		}
		if all, known := meant[st]; known {
			for _, n := range all {
				got[n] = true
			}
		} else if r.repaired[i] {
			s.changed++
		} else {
			s.invented++
			found := finding{statement: r.statements[i], meant: st}
			if i < len(r.at) {
				found.at = r.at[i]
			}
			invented = append(invented, found)
		}
	}
	noBlank := d.origin != nil && len(r.at) != len(r.statements)
	for i := range d.statements {
		switch {
		case noBlank && d.statements[i].hasBlank():
		case b.touched[i]:
			s.touched++
			if got[i] {
				s.mended++
			}
		default:
			s.untouched++
			if got[i] {
				s.saved++
			} else {
				lost = append(lost, i)
			}
		}
	}
	lines := d.told(r)
	for _, f := range b.faults {
		if f.quiet {
			continue
		}
		s.faults++
		for line := f.first; line <= f.last; line++ {
			if lines[line] {
				s.placed++
				break
			}
		}
	}
	return s, lost, invented
}

// told are the lines on which a program told of a fault. A real file may have warnings without any.
func (d *document) told(r reading) map[int]bool {
	if d.origin != nil && r.mended != nil {
		return r.mended
	}
	return r.lines
}

// renamed are the statements of a reading with the document's names for blank nodes. A node that is
// not in the document gets its name from the statement whose object it is, else from the first about
// it.
func (d *document) renamed(got []statement) []statement {
	names := d.match(got)
	of, first := map[string]statement{}, map[string]statement{}
	for _, s := range got {
		if _, known := of[s.object]; !known {
			of[s.object] = s
		}
		if _, known := first[s.subject]; !known {
			first[s.subject] = s
		}
	}
	var rename func(term string, depth int) string
	rename = func(term string, depth int) string {
		const deepest = 10 // two nodes may be in each other
		switch name := names[term]; {
		case !strings.HasPrefix(term, "_:"):
			return term
		case name != "" || depth > deepest:
			return name
		}
		if s, known := of[term]; known {
			return "_: of " + rename(s.subject, depth+1) + " " + s.predicate
		}
		s := first[term]
		return "_: with " + s.predicate + " " + rename(s.object, depth+1)
	}
	out := make([]statement, len(got))
	for i, s := range got {
		out[i] = statement{rename(s.subject, 0), s.predicate, rename(s.object, 0), rename(s.graph, 0)}
	}
	return out
}

// clue is a thing that is said of a blank node: a predicate and its object, or "of " with a subject
// and the predicate.
type clue struct{ a, b string }

func isBlank(term string) bool { return strings.HasPrefix(term, "_:") }

// clues are the blank nodes of the document by what is said of them; what is said of two is left out.
func (d *document) clues() map[clue]string {
	said, ambiguous := map[clue]string{}, map[clue]bool{}
	note := func(k clue, node string) {
		if old, known := said[k]; known && old != node {
			ambiguous[k] = true
		}
		said[k] = node
	}
	for _, s := range d.statements {
		if isBlank(s.subject) {
			note(clue{s.predicate, s.object}, s.subject)
			note(clue{s.predicate, ""}, s.subject)
		}
		if isBlank(s.object) {
			note(clue{"of " + s.subject, s.predicate}, s.object)
		}
	}
	for k := range ambiguous {
		delete(said, k)
	}
	return said
}

// matching finds for the blank nodes of a reading those of the document.
type matching struct {
	said  map[clue]string
	names map[string]string // the node of the document that one of the reading is
	taken map[string]bool   // nodes of the document that have one
	votes map[string]map[string]int
	order []string // nodes of the reading that something votes for
}

// match finds for each blank node of a reading the one of the document that it is. It goes by what is
// said of it, and by what it is said of; each is found once. All that the document says has an object
// or predicate of its own.
func (d *document) match(got []statement) map[string]string {
	m := &matching{said: d.clues(), names: map[string]string{}, taken: map[string]bool{}}
	for more := true; more; {
		m.count(got)
		more = m.elect()
	}
	d.matchRest(got, m.names, m.taken)
	return m.names
}

// vote counts a clue of a node for the one of the document that it is said of.
func (m *matching) vote(node string, k clue) {
	m.order = append(m.order, node)
	meant, known := m.said[k]
	if !known || m.taken[meant] {
		return
	}
	if m.votes[node] == nil {
		m.votes[node] = map[string]int{}
	}
	m.votes[node][meant]++
}

// named is a term in the words of the document; "" for a blank node that is not matched yet.
func (m *matching) named(term string) string {
	if isBlank(term) {
		return m.names[term]
	}
	return term
}

// count takes the votes for all nodes that are not matched yet.
func (m *matching) count(got []statement) {
	m.votes, m.order = map[string]map[string]int{}, nil
	for _, s := range got {
		if isBlank(s.subject) && m.names[s.subject] == "" {
			m.vote(s.subject, clue{s.predicate, ""})
			if o := m.named(s.object); o != "" {
				m.vote(s.subject, clue{s.predicate, o})
			}
		}
		if isBlank(s.object) && m.names[s.object] == "" {
			if o := m.named(s.subject); o != "" {
				m.vote(s.object, clue{"of " + o, s.predicate})
			}
		}
	}
}

// elect matches the nodes with the most votes, and says whether it matched any.
func (m *matching) elect() (more bool) {
	for _, node := range m.order {
		best, most := "", 0
		for meant, n := range m.votes[node] {
			if n > most || n == most && meant < best {
				best, most = meant, n
			}
		}
		if m.names[node] == "" && best != "" && !m.taken[best] {
			m.names[node], m.taken[best], more = best, true, true
		}
	}
	return more
}

// matchRest names the blank nodes of which nothing is said that sets them apart, such as only a type,
// or that they are an object. Each is the first node, not taken yet, of which the same is said. Of a
// statement with two such nodes no more can be asked than that the document says so of some.
func (d *document) matchRest(got []statement, names map[string]string, taken map[string]bool) {
	known := func(term string) bool { return !isBlank(term) || names[term] != "" }
	same := func(term, meant string) bool {
		if known(term) {
			return term == meant || names[term] == meant
		}
		return isBlank(meant) && !taken[meant]
	}
	for _, fits := range []func(statement) bool{
		func(s statement) bool { return known(s.subject) && !known(s.object) },
		func(s statement) bool { return !known(s.subject) && known(s.object) && isBlank(s.object) },
		func(s statement) bool { return !known(s.subject) && known(s.object) },
		func(s statement) bool { return !known(s.subject) && !known(s.object) },
	} {
		for _, s := range got {
			if !fits(s) {
				continue
			}
			for _, meant := range d.statements {
				if meant.predicate == s.predicate && meant.graph == s.graph && same(s.subject, meant.subject) &&
					same(s.object, meant.object) {
					for term, is := range map[string]string{s.subject: meant.subject, s.object: meant.object} {
						if !known(term) {
							names[term], taken[is] = is, true
						}
					}
					break
				}
			}
		}
	}
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	if part == whole {
		return "100 %"
	}
	return strconv.FormatFloat(floor(100*float64(part)/float64(whole)), 'f', 2, 64) + " %"
}

// floor rounds down, so that no figure looks like the next better one.
func floor(x float64) float64 { return float64(int(x*100)) / 100 }
