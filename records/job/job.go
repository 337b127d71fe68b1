// Package job joins the parts of the records engine, as a spec asks for them:
//
//	extract or match → transform → schema → a sink
//
//	job, err := job.Compile(spec, job.Options{})
//	run, err := job.Start(sink)
//	counts, err := run.Document(ctx, job.Document{Name: "a.csv", Text: text}, notice)
//	err = run.Close()
//
// Without a spec the records of a table or tree are passed on as they are.
package job

import (
	"context"
	"errors"
	"strings"

	"laundromat/internal/pattern"
	"laundromat/records"
	"laundromat/records/expr"
	"laundromat/records/extract"
	"laundromat/records/match"
	"laundromat/records/reconcile"
	"laundromat/records/schema"
	"laundromat/records/spec"
	"laundromat/records/transform"
)

// Options of a job; zero values mean what is said here.
type Options struct {
	// Strict drops records that were repaired, and what the schema would mend.
	Strict bool
	// Source says how documents are read, in place of the part source of the spec.
	Source *extract.Source
	// Schema is checked in place of the part schema of the spec.
	Schema *spec.Node
	// SchemaOptions say what a schema may refer to, and its limits.
	SchemaOptions schema.Options
	// AllowEmpty makes a warning of a document in which nothing is found. Else it counts as a lost record.
	AllowEmpty bool
	// AllTables reads every table of a page, also those that only lay it out.
	AllTables bool
	// MaxMemory bounds, in bytes, what is held whole of a document: 256 MiB.
	MaxMemory int64
	// Fetch gets the further pages of the part pages. Without it a spec with pages is refused.
	Fetch match.Fetch
	// Named takes, in place of Fetch, the pages that a page leads to by the part pages. They are documents of their own
	// then: of the records whose details are on another page, that is one, and a schema is held against each by itself.
	Named func(match.Link)
	// MaxPages is how many pages are read in all; see [match.PlanOptions].
	MaxPages int
}

// Job is a compiled spec. Several runs may use it at the same time.
type Job struct {
	opt     Options
	source  *extract.Source
	matcher *match.Matcher // nil without the part select
	fields  mapping        // nil without the part map
	schema  *schema.Schema // nil without a schema
	plan    *match.Plan    // nil without the part pages

	isDetail bool // see OnePage
	fleeting []string
}

// Compile compiles all parts of a spec, so that a wrong one is refused before anything is read.
// A nil spec has no parts. An error of a part is a *spec.Error with its place.
func Compile(s *spec.Spec, opt Options) (*Job, error) {
	if s == nil {
		s = &spec.Spec{}
	}
	if opt.MaxMemory <= 0 {
		opt.MaxMemory = 256 << 20
	}
	j := &Job{opt: opt}
	j.fleeting = accessFields(s)
	for _, part := range [...]func(*spec.Spec) error{
		j.compileSource, j.compileSelect, j.compileSchema, j.compileMap, j.compilePages, j.compileReconcile,
	} {
		if err := part(s); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// Options are those that the job was compiled with.
func (j *Job) Options() Options { return j.opt }

// Within is the same job with other limits: of what is held whole of a document, and of keys, which go to the
// folder temp.
func (j *Job) Within(maxMemory, keyMemory int64, temp string) *Job {
	within := *j
	within.opt.MaxMemory = maxMemory
	if j.matcher != nil {
		within.matcher = j.matcher.Within(maxMemory)
	}
	if j.schema != nil {
		within.schema = j.schema.Within(keyMemory, temp)
	}
	return &within
}

// OnePage is a page that is a document of its own: see Named of [Options].
type OnePage struct {
	Named func(match.Link)
	// IsDetail says that the page holds the details of one record.
	IsDetail bool
	// AllowEmpty is that of [Options].
	AllowEmpty bool
}

// Of is the same job for one page.
func (j *Job) Of(page OnePage) *Job {
	of := *j
	of.opt.Named, of.opt.AllowEmpty, of.isDetail = page.Named, page.AllowEmpty, page.IsDetail
	return &of
}

// Required are the fields that the schema requires.
func (j *Job) Required() []string {
	if j.schema == nil {
		return nil
	}
	return j.schema.Required()
}

// Failing says which selectors match nothing in a page, and the nearest that do; "" if all match, and of what is no
// page.
func (j *Job) Failing(ctx context.Context, doc Document) (string, error) {
	if j.matcher == nil || j.matcher.Fits(match.HTML) != nil {
		return "", nil
	}
	if format, _, err := doc.Format(j.source); err != nil || format != "html" {
		return "", nil // it is no page, which is said elsewhere
	}
	page, err := readWhole(doc.Text, j.opt.MaxMemory)
	if err != nil {
		return "", err
	}
	of := j.matcher
	if j.isDetail {
		of = of.OfPage()
	}
	return of.Failing(ctx, match.Document{Name: doc.Name, URL: doc.URL, Accessed: doc.Accessed}, page, nil), nil
}

// FieldType is the type of a field by the schema, as Table Schema names it; "" where it is not known.
func (j *Job) FieldType(field string) (kind string) {
	if j.schema != nil {
		kind, _ = j.schema.FieldType(field)
	}
	return kind
}

func (j *Job) compileSource(s *spec.Spec) (err error) {
	if j.source = j.opt.Source; j.source == nil {
		j.source, err = extract.Compile(s.Source)
	}
	return err
}

func (j *Job) compileSelect(s *spec.Spec) (err error) {
	if s.Select == nil {
		return nil
	}
	names := selectNames(s.Select)
	j.matcher, err = match.Compile(s.Select, match.Options{
		Source: j.selectsFrom(), MaxMemory: j.opt.MaxMemory,
		Expr: func(n *spec.Node) (func(*records.Record, records.Value) (records.Value, error), error) {
			program, err := expr.Compile(n, expr.Options{Fields: names})
			if err != nil {
				return nil, err
			}
			return func(r *records.Record, present records.Value) (records.Value, error) {
				return program.Eval(expr.Input{Record: r, Value: present, PageURL: pageURL(r)})
			}, nil
		},
	})
	return err
}

// selectsFrom is what select works on, where the spec says it.
func (j *Job) selectsFrom() match.Source {
	switch {
	case j.source.Format == "":
		return match.Unknown
	case j.source.Format == "html":
		return match.HTML
	case j.source.Format == "xml" && j.source.Records == "":
		return match.XML
	case j.source.Format == "xml": // CSS and XPath select from the elements, names and JSONPath from their members
		return match.Unknown
	}
	return match.JSON
}

// pageURL is the address of the page that a record comes from; "" if it has none.
func pageURL(r *records.Record) string {
	for _, scheme := range [...]string{"http://", "https://"} {
		if len(r.Document) > len(scheme) && strings.EqualFold(r.Document[:len(scheme)], scheme) {
			return r.Document
		}
	}
	return ""
}

func (j *Job) compileMap(s *spec.Spec) error {
	if s.Map == nil {
		return nil
	}
	names := j.source.Labels
	if s.Select != nil {
		names = recordNames(s.Select)
	}
	if s.Map.IsText(spec.Natural) {
		return j.compileNatural(s)
	}
	rules, err := transform.Compile(s.Map, transform.Options{Fields: names, PageURL: pageURL})
	if err != nil {
		return err // not in the interface: a nil map in one is not nil
	}
	j.fields = rules
	return nil
}

// mapping makes the fields of records from others: by rules, or by names.
type mapping interface {
	Sink(records.Sink) transform.Stager
	FieldNames() []string
	FieldsBehind() int
}

// compileNatural makes a map of the names that the schema has.
func (j *Job) compileNatural(s *spec.Spec) error {
	var names []string
	if j.schema != nil {
		names = j.schema.FieldNames()
	}
	node := s.Schema
	if j.opt.Schema != nil {
		node = j.opt.Schema
	}
	if len(names) == 0 && node != nil {
		names = keyNames(node.Get("properties"), nil)
	}
	if len(names) == 0 {
		return s.Map.Errorf("map: natural fills the fields of a schema, and there is none that names any")
	}
	j.fields = transform.CompileNatural(names)
	return nil
}

func (j *Job) compileSchema(s *spec.Spec) (err error) {
	node := s.Schema
	if j.opt.Schema != nil {
		node = j.opt.Schema
	}
	if node == nil {
		return nil
	}
	opt := j.opt.SchemaOptions
	opt.Strict, opt.Partial = j.opt.Strict, j.opt.Named != nil && s.Pages != nil && s.Pages.Get("detail") != nil
	j.schema, err = schema.Compile(node, opt)
	return err
}

func (j *Job) compilePages(s *spec.Spec) (err error) {
	switch {
	case s.Pages == nil:
		return nil
	case j.matcher == nil:
		return s.Pages.Errorf("pages needs the part select, which says what is on each page")
	case j.source.Format != "" && j.source.Format != "html":
		return s.Pages.Errorf("pages reads HTML, and source says format: %s", j.source.Format)
	case j.opt.Fetch == nil && j.opt.Named == nil:
		return s.Pages.Errorf("pages needs the network, which is not used here")
	}
	if j.plan, err = match.CompilePages(s.Pages, match.PlanOptions{MaxPages: j.opt.MaxPages}); err != nil {
		return err
	}
	return j.matcher.Fits(match.HTML)
}

func (j *Job) compileReconcile(s *spec.Spec) error {
	if s.Reconcile == nil {
		return nil
	}
	_, err := reconcile.Compile(s.Reconcile)
	return err
}

// Source is what the spec says of the input.
func (j *Job) Source() *extract.Source { return j.source }

// Matcher is the compiled part select; nil if there is none.
func (j *Job) Matcher() *match.Matcher { return j.matcher }

// Schema is that of the records; nil if there is none.
func (j *Job) Schema() *schema.Schema { return j.schema }

// Findings are notes and warnings about the spec itself.
func (j *Job) Findings() []match.Finding {
	if j.matcher == nil {
		return nil
	}
	return j.matcher.Findings()
}

// FieldNames are the names of fields that records will have, as far as the spec says them, in
// order. So many of them as behind says come after the fields that the spec does not name.
func (j *Job) FieldNames() (names []string, behind int) {
	if j.schema != nil && len(j.schema.FieldNames()) > 0 {
		return j.schema.FieldNames(), 0
	}
	if j.fields != nil {
		return j.fields.FieldNames(), j.fields.FieldsBehind()
	}
	return nil, 0
}

// KnownFields are the names of all fields that records may have by the spec that j was compiled from; none where
// that does not say them.
func (j *Job) KnownFields(s *spec.Spec) []string {
	last := s.Map
	if last != nil && len(last.Items) > 0 {
		last = last.Items[len(last.Items)-1]
	}
	switch {
	case last != nil && (last.Kind != spec.Map || last.Get("*") != nil):
		return nil
	case last != nil:
		return j.fields.FieldNames()
	case s.Select != nil:
		return recordNames(s.Select)
	}
	return nil
}

// Document runs a job over a single document. Findings go to the sink as well.
func (j *Job) Document(ctx context.Context, doc Document, to records.Sink) (records.Counts, error) {
	run, err := j.Start(to)
	if err != nil {
		return records.Counts{}, err
	}
	counts, err := run.Document(ctx, doc, to.Notice)
	return counts, errors.Join(err, run.Close())
}

// recordNames are the names of the fields that a part select fills.
func recordNames(node *spec.Node) (names []string) {
	if node.Kind == spec.List && len(node.Items) == 2 {
		node = node.Items[1]
	}
	if inner := node.Get("record"); inner != nil && len(node.Entries) == 1 && inner.Kind == spec.Map {
		node = inner
	}
	return keyNames(node, nil)
}

// selectNames are the names of the fields of the records that a part select makes, and of those in
// them. An expression may stand in any.
func selectNames(node *spec.Node) (names []string) {
	names = keyNames(node, nil)
	for _, item := range node.Items {
		names = append(names, selectNames(item)...)
	}
	for _, e := range node.Entries {
		names = append(names, selectNames(e.Value)...)
	}
	return names
}

var namedGroup = pattern.New(`\(\?P?<(\w+)>`)

// groupNames are the names of the groups in the texts of a node.
func groupNames(node *spec.Node) (names []string) {
	for _, found := range namedGroup.FindAllSubmatch([]byte(node.Text), -1) {
		names = append(names, string(found[1]))
	}
	for _, item := range node.Items {
		names = append(names, groupNames(item)...)
	}
	for _, e := range node.Entries {
		names = append(names, groupNames(e.Value)...)
	}
	return names
}

// keyNames are the fields that the keys of a mapping name, several apart by commas.
func keyNames(node *spec.Node, names []string) []string {
	for _, e := range node.Entries {
		if e.Key == "" { // what joins the record
			names = append(recordNames(e.Value), append(groupNames(e.Value), names...)...)
			continue
		}
		for name := range strings.SplitSeq(e.Key, ",") {
			if name = strings.TrimSpace(name); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}
