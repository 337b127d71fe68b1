// Package lint finds what is wrong with a spec before it is used. It also finds where a page has
// changed so that the spec fits it no more.
//
//	report, err := lint.Spec(ctx, "events/spec.yaml", lint.Options{})
//
// A spec has fixtures: pages, or other inputs, that are kept beside it with the records which
// they should give. For spec.yaml they are in the folder spec.fixtures, else in fixtures:
//
//	fixtures/page.html            what is read, in UTF-8
//	fixtures/page.expected.json   what it should give; see [expectation]
//
// Where a fixture does not give its records, the selectors that fail are named, each with the
// nearest that match.
package lint

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/records/match"
	"laundromat/records/spec"
)

// Options of a check; the zero value serves.
type Options struct {
	// Inputs are read in place of the fixtures that are kept beside the spec.
	Inputs []string
	// Expected is the file of what the one of Inputs should give; empty: the one beside it.
	Expected string
	// Write makes the records that the fixtures give now those that are expected.
	Write bool
	// Job says how a spec is compiled.
	Job job.Options
	// Statements makes the clean N-Quads of a fixture by the part rdf of a spec, which is compiled; nil: those of
	// fixtures are not looked at.
	Statements func(ctx context.Context, s *spec.Spec, j *job.Job, f Fixture) ([]string, error)
}

// Fixture is a file that a spec is tried on.
type Fixture struct {
	File     string
	URL      string    // that it had; "" if it had none
	Accessed time.Time // when it was fetched
}

// Finding is a notice with the file that its place is in.
type Finding struct {
	File string
	fault.Notice
}

// Report is what was found.
type Report struct {
	Findings []Finding
	Fixtures int // how many were read
	Expected int // how many of them have expected records
	Right    int // how many of those give them
	Records  int // how many records they gave
}

// Failed says that a fixture does not give its records, or that a selector fails.
func (r *Report) Failed() bool {
	for _, f := range r.Findings {
		if f.Severity > fault.Note {
			return true
		}
	}
	return false
}

// Spec checks a spec with its fixtures. A wrong spec is an error, a *spec.Error with its
// place; the report then says which bare words may be the reason.
func Spec(ctx context.Context, file string, opt Options) (*Report, error) {
	l := &linter{file: file, opt: opt, report: &Report{}}
	s, err := spec.Load(file)
	if err != nil {
		return l.report, err
	}
	l.spec = s
	if l.job, err = l.compile(); err != nil {
		l.explain(err)
		return l.report, err
	}
	l.bareWords()
	for _, f := range l.job.Findings() {
		l.report.Findings = append(l.report.Findings, Finding{f.File, f.Notice})
	}
	fixtures, err := fixturesOf(file, opt.Inputs, opt.Expected)
	if err != nil {
		return l.report, err
	}
	if len(fixtures) == 0 {
		l.tell(file, fault.Notice{Code: fault.RecordFixture, Severity: fault.Note,
			Message: "the spec has no fixtures: put pages into the folder fixtures beside it"})
	}
	for _, f := range fixtures {
		if err := l.fixture(ctx, f); err != nil {
			return l.report, err
		}
	}
	return l.report, nil
}

// linter checks one spec.
type linter struct {
	file   string
	opt    Options
	spec   *spec.Spec
	job    *job.Job
	report *Report
}

var errNotFetched = errors.New("lint fetches nothing")

func (l *linter) compile() (*job.Job, error) {
	opt := l.opt.Job
	if opt.Fetch == nil {
		opt.Fetch = func(context.Context, string) ([]byte, string, error) { return nil, "", errNotFetched }
	}
	return job.Compile(l.spec, opt)
}

func (l *linter) tell(file string, n fault.Notice) {
	l.report.Findings = append(l.report.Findings, Finding{file, n})
}

// gathered is a sink that keeps everything.
type gathered struct {
	records []records.Value
	notices []fault.Notice
}

func (g *gathered) Record(r *records.Record) error {
	c := r.Clone()
	g.records = append(g.records, records.Value{Kind: records.Object, Fields: c.Fields})
	return nil
}

func (g *gathered) Notice(n fault.Notice) { g.notices = append(g.notices, n) }

// fixture reads one fixture and compares what it gives.
func (l *linter) fixture(ctx context.Context, f *fixture) error {
	if f.url == "" {
		f.url = l.job.Source().URL
	}
	l.report.Fixtures++
	var got gathered
	if _, err := l.job.Document(ctx, f.document(), &got); err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	l.report.Records += len(got.records)
	selected, isPage, err := l.selected(ctx, f)
	if err != nil {
		return err
	}
	lines, err := l.statements(ctx, f)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	if l.opt.Write {
		f.lines, f.states = lines, lines != nil
		f.records, f.selected, f.known = got.records, nil, true
		if isPage && !sameRecords(selected, got.records) {
			f.selected = selected
		}
		if err := f.write(); err != nil {
			return err
		}
	}
	if f.known || f.states {
		l.report.Expected++
		if l.compare(f, &got)+l.compareStatements(f, lines) == 0 {
			l.report.Right++
			return nil
		}
	} else {
		l.tell(f.file, fault.Notice{Code: fault.RecordFixture, Severity: fault.Note, Message: fmt.Sprintf(
			"it has no expected records; it gives %d now, which --write keeps in %s",
			len(got.records), filepath.Base(f.expectedFile()))})
	}
	if isPage {
		return l.diagnose(ctx, f)
	}
	return nil
}

// statements are those of a fixture, where the spec makes any and they are wanted; else nil.
func (l *linter) statements(ctx context.Context, f *fixture) ([]string, error) {
	if l.spec.RDF == nil || l.opt.Statements == nil || !f.states && !l.opt.Write {
		return nil, nil
	}
	lines, err := l.opt.Statements(ctx, l.spec, l.job, Fixture{f.file, f.url, f.accessed})
	return append([]string{}, lines...), err
}

// selected are the records as the part select makes them; isPage says that there are any
// selectors in HTML to speak of.
func (l *linter) selected(ctx context.Context, f *fixture) (all []records.Value, isPage bool, err error) {
	m := l.job.Matcher()
	if m == nil || m.Fits(match.HTML) != nil {
		return nil, false, nil
	}
	document := f.document()
	format, _, err := document.Format(l.job.Source())
	if err != nil || format != "html" {
		return nil, false, err
	}
	var got gathered
	_, err = m.HTML(ctx, f.about(), f.text, &got)
	return got.records, true, err
}

// diagnose names the selectors that fail on a page, with the nearest that match.
func (l *linter) diagnose(ctx context.Context, f *fixture) error {
	expected := f.selected
	if expected == nil && f.known && l.spec.Map == nil {
		expected = f.records
	}
	found, err := l.job.Matcher().Diagnose(ctx, f.about(), f.text, expected)
	if err != nil {
		return err
	}
	for _, s := range found {
		l.tell(s.File, fault.Notice{Code: fault.RecordSelectorStale, Severity: fault.Warning, Field: s.Field,
			Pos:     fault.Pos{Line: int64(s.Line), Column: int64(s.Column)},
			Message: advice(&s, filepath.Base(f.file), expected != nil)})
	}
	return nil
}

// advice says what to write in place of a selector that fails.
func advice(s *match.Suggestion, page string, known bool) string {
	var b strings.Builder
	field := s.Field
	if field == "" {
		field = "the records"
	}
	fmt.Fprintf(&b, "%s: the selector %q ", field, s.Selector)
	switch {
	case s.Matches == 0:
		fmt.Fprintf(&b, "matches nothing in %s", page)
	default:
		fmt.Fprintf(&b, "matches %s in %s, but not what is expected", counted(s.Matches, "element"), page)
	}
	if len(s.Proposals) == 0 {
		b.WriteString("; no selector near to it does")
		return b.String()
	}
	b.WriteString("; nearest: ")
	for i, p := range s.Proposals {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (%s", p.Selector, counted(p.Matches, "match"))
		if known {
			fmt.Fprintf(&b, ", %d%% as expected", int(100*p.Right))
		}
		b.WriteByte(')')
	}
	return b.String()
}

func counted(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "ch"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
