package recordset

import (
	"context"
	"fmt"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/match"
	"laundromat/records/schema"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recipe"
)

// Product makes the records of documents.
type Product struct {
	// Recipe says by its spec how records are made; nil: as they are written.
	Recipe *recipe.Recipe
	// IsFurther says that another page led to the document by the recipe, and IsDetail that it holds the details of a
	// record of that page.
	IsFurther, IsDetail bool
	// Table is the table that the document is, with its metadata; nil where none was looked for.
	Table *Described
}

// Name is that of the product.
func (Product) Name() string { return kind.Records }

// Make makes the records of one reading: a line of JSON each, with the fields that say where they come from. What the
// reader says of the form of a document, a table's dialect and the like, is evidence, and no finding.
func (of Product) Make(ctx context.Context, d *states.Decoded, to *states.Making) (made states.Made, err error) {
	compiled, err := of.compile(to)
	if err != nil {
		return made, err
	}
	if err := extract.Foreign(d.Head); err != nil { // a recipe may call it what it is not
		return made, err
	}
	lines := &lineSink{to: to, made: &made}
	if of.Recipe != nil && of.Recipe.Spec != nil {
		made.Fields = map[string]int64{}
	}
	inferred := schema.NewInference(lines)
	mapped := &mappedSink{Sink: &ownNames{Sink: inferred}, made: &made.Statements}
	if err := mapped.begin(to.Statements, of.Recipe); err != nil {
		return made, err
	}
	var counts records.Counts
	if of.Table.IsFound() {
		made.UsesURI = true
		counts, err = of.Table.Records(ctx, documentOf(d), job.Options{MaxMemory: to.Memory,
			SchemaOptions: schema.Options{KeyMemory: to.Memory / 8, Temp: to.Temp}}, mapped)
	} else {
		counts, err = compiled.Document(ctx, documentOf(d), mapped)
	}
	mapped.end()
	made.Records, made.UsesURI = digest.Records(counts), made.UsesURI || of.Recipe != nil // a spec may ask for it
	made.Written, made.Tables = counts.Written, int64(len(lines.tables))
	if err != nil {
		return made, err
	}
	if made.None = d.Kind == kind.HTML && counts.Read == 0; !made.None {
		made.Schema = inferred.AppendJSON(nil)
	}
	return made, nil
}

// documentOf is a document as the engine of records has it.
func documentOf(d *states.Decoded) job.Document {
	doc := job.Document{URL: d.URL, Accessed: d.Fetched, Document: extract.Document{Name: d.Name, FileName: d.FileName,
		MediaType: d.ContentType, Text: d.Text, Known: d.Kind.Extract(), Page: d.Page}}
	if d.Raw != nil {
		doc.Raw, doc.Size = d.Raw, d.Raw.Size()
	}
	return doc
}

func (of Product) compile(to *states.Making) (*job.Job, error) {
	if of.Recipe == nil {
		return job.Compile(nil, job.Options{MaxMemory: to.Memory})
	}
	page := job.OnePage{IsDetail: of.IsDetail, AllowEmpty: of.IsFurther && !of.IsDetail, Named: func(match.Link) {}}
	if to.Named != nil {
		page.Named = func(l match.Link) { to.Named(states.Named{URI: l.URL, IsDetail: l.IsDetail}) }
	}
	return of.Recipe.Job(to.Memory, to.Temp).Of(page), nil
}

// lineSink writes records as lines.
type lineSink struct {
	to     *states.Making
	made   *states.Made
	places records.Record
	line   []byte
	tables map[string]struct{}
	last   string // the table of the record before
}

// Record writes a record, with where it comes from.
func (s *lineSink) Record(r *records.Record) error {
	if s.tables == nil || r.Table != s.last {
		if s.tables == nil {
			s.tables = map[string]struct{}{}
		}
		s.last = r.Table
		s.tables[r.Table] = struct{}{}
	}
	s.count(r)
	p := &s.places
	*p = records.Record{Fields: append(p.Fields[:0], r.Fields...), Was: r.Was}
	if r.Pos.Line > 0 {
		p.Set(PlaceLine, records.IntOf(r.Pos.Line))
	}
	if r.Element != "" {
		p.Set(PlaceElement, records.TextOf(r.Element))
	}
	if r.Detail != "" {
		p.Set(PlaceDetail, records.TextOf(r.Detail))
	}
	if r.Table != "" {
		p.Set(PlaceTable, records.TextOf(r.Table))
	}
	s.line = append(p.AppendJSON(s.line[:0]), '\n')
	if err := s.to.Line(s.line); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// count counts the fields of a record.
func (s *lineSink) count(r *records.Record) {
	if s.made.Fields == nil {
		return
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		_, isKnown := s.made.Fields[f.Name]
		if f.Value.Kind != records.Null && (isKnown || len(s.made.Fields) < mostFields && len(f.Name) <= longestField) {
			s.made.Fields[f.Name]++
		}
	}
}

// mostFields are so many fields that are counted, and longestField is the longest name that is.
const (
	mostFields   = 100
	longestField = 200
)

// Failing finds the selectors of a recipe that match nothing in a page. It is a product that writes nothing.
type Failing struct {
	Of Product
	// Found names them, with the nearest that match; "" if all match.
	Found string
}

// Name is that of the product.
func (*Failing) Name() string { return Product{}.Name() }

// Make looks at the page.
func (f *Failing) Make(ctx context.Context, d *states.Decoded, to *states.Making) (made states.Made, err error) {
	compiled, err := f.Of.compile(to)
	if err == nil {
		f.Found, err = compiled.Failing(ctx, documentOf(d))
	}
	return made, err
}

// Notice passes a finding on.
func (s *lineSink) Notice(n fault.Notice) {
	s.made.IsBare = s.made.IsBare || n.Code == fault.RecordNothingFound
	switch {
	case n.Severity != fault.Note:
	case n.Code == fault.RecordFormat, n.Code == fault.TableDialect, n.Code == fault.TableHeader:
		if len(s.made.Evidence) < mostEvidence {
			s.made.Evidence = append(s.made.Evidence, format.Evidence{From: kind.Records, Value: fmt.Sprint(n.Code) + ": " + n.Message})
		}
		return
	case n.Code == fault.FormatEmpty:
		return // the counts say so
	}
	s.to.Notice(n)
}

// mostEvidence is how many findings about the form of a document are kept.
const mostEvidence = 8
