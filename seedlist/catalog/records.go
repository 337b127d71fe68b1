package catalog

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/job"
	"laundromat/records/spec"
)

// RecordsSpec says how records are made of the page of a catalog of the kind [Records]. Several harvests may use it.
type RecordsSpec struct {
	text string
	job  *job.Job
}

// maxRecordsSpec is the longest such spec, in bytes. It is part of the catalog's record, of which no more than 64 kB
// are kept.
const maxRecordsSpec = 32_000

// ParseRecords reads the spec of a catalog's records, which is called file. The files that it names are found in
// folder; where that is "", none may be named. An error is a *spec.Error with its place, or of the file system.
func ParseRecords(file string, text []byte, folder string) (*RecordsSpec, error) {
	root, err := spec.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if folder == "" {
		if err := root.RefuseFiles(); err != nil {
			return nil, err
		}
	}
	s, err := spec.FromNode(root, folder)
	if err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name string
		node *spec.Node
		why  string
	}{
		{"pages", s.Pages, "a catalog of records is one page, and no further ones are read"},
		{"reconcile", s.Reconcile, "the records of a catalog are not merged"},
		{"rdf", s.RDF, "the records of a catalog become seeds, and no statements"},
	} {
		if part.node != nil {
			return nil, part.node.Errorf("%s", part.why)
		}
	}
	compiled, err := job.Compile(s, job.Options{})
	if err != nil {
		return nil, err
	}
	if names := compiled.KnownFields(s); len(names) > 0 && !slices.Contains(names, "uri") {
		return nil, root.Errorf("no record has a field \"uri\", which is the address of a seed; there are %s", strings.Join(names, ", "))
	}
	value := s.Value()
	whole := string(value.AppendJSON(nil))
	if len(whole) > maxRecordsSpec {
		return nil, root.Errorf("the spec of a catalog has at most %d bytes, with the files that it names: it has %d", maxRecordsSpec, len(whole))
	}
	return &RecordsSpec{text: whole, job: compiled}, nil
}

// Text is the spec as JSON, with the files that it names put in.
func (s *RecordsSpec) Text() string { return s.text }

// plainRecords makes records as they are written.
func plainRecords() *RecordsSpec {
	plain, err := job.Compile(nil, job.Options{})
	if err != nil {
		panic(err) // there is nothing in it that may be wrong
	}
	return &RecordsSpec{job: plain}
}

// records reads a page whose records are documents: by their fields "uri" and "title", and all others are claims, by
// their names.
func (r *reading) records() error {
	by := r.opt.Records
	if by == nil {
		by = plainRecords()
	}
	r.hyper = true // relative references are the rule
	name := r.doc.URI
	if u, err := url.Parse(name); err == nil {
		name = path.Base(u.Path)
	}
	doc := job.Document{URL: r.doc.URI}
	doc.Document = extract.Document{Name: r.doc.URI, FileName: name, MediaType: r.doc.ContentType, Text: r.text}
	most := r.opt.MaxMemory
	entries := &recordEntries{reading: r}
	_, err := by.job.Within(most, most/8, r.opt.Temp).Document(r.ctx, doc, entries)
	if failed := (*records.SinkError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	if err != nil && r.ctx.Err() == nil && fault.KindOf(err) == fault.Data {
		return damaged("its records can't be read: %w", err)
	}
	if err == nil && !r.named && entries.lost != "" { // something else came in the place of the catalog
		return damaged("nothing of it could be read: %s", entries.lost)
	}
	return err
}

// recordEntries makes entries of records.
type recordEntries struct {
	*reading
	lost string // the first finding about a record that is lost
}

// Record gives out the documents that a record names.
func (s *recordEntries) Record(rec *records.Record) error {
	f := found{claims: Claims{}}
	var uris []string
	for i := range rec.Fields {
		field := &rec.Fields[i]
		switch {
		case field.Name == "uri":
			uris = textsOf(&field.Value)
		case field.Name == "title":
			f.title = strings.Join(textsOf(&field.Value), ", ")
		case field.Name == "claims" && field.Value.Kind == records.Object:
			for j := range field.Value.Fields {
				f.claim(&field.Value.Fields[j])
			}
		default:
			f.claim(field)
		}
	}
	if len(uris) == 0 {
		return s.refuse(f.title, NoURI, "the record"+placeOf(rec.Pos)+" has no uri")
	}
	for _, uri := range uris {
		one := f
		one.uri, one.claims = uri, clone(f.claims)
		if err := s.take(one); err != nil {
			return err
		}
	}
	return nil
}

// claim keeps a field as what the catalog claims.
func (f *found) claim(field *records.Field) {
	v := &field.Value
	switch v.Kind {
	case records.Null:
		return
	case records.List, records.Object:
		f.claims.setJSON(field.Name, v.AppendJSON(nil))
		return
	}
	switch text := v.Text; field.Name {
	case Format:
		f.formats = append(f.formats, text)
	case MediaType:
		f.formats = append(f.formats, text)
		f.claims.set(MediaType, mediaType(text))
	case Size:
		f.claims.setSize(text)
	case Checksum:
		f.claims.setChecksum("", text)
	case Modified:
		f.claims.setModified(text)
	case Triples:
		f.claims.setTriples(text)
	default:
		f.claims.set(field.Name, text)
	}
	if _, isKept := f.claims[field.Name]; !isKept && field.Name != Format {
		f.claims.set(field.Name, v.Text) // in a form that is not known
	}
}

// textsOf are the texts that a value is, or has.
func textsOf(v *records.Value) (all []string) {
	switch v.Kind {
	case records.Text, records.Number, records.Bool:
		if strings.TrimSpace(v.Text) != "" {
			all = append(all, v.Text)
		}
	case records.List:
		for i := range v.Items {
			all = append(all, textsOf(&v.Items[i])...)
		}
	}
	return all
}

func placeOf(pos fault.Pos) string {
	if pos.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" at %d:%d", pos.Line, pos.Column)
}

// Notice refuses what is lost of the records, and tells what was mended.
func (s *recordEntries) Notice(n fault.Notice) {
	switch {
	case n.Severity == fault.Drop:
		message := string(n.Code) + placeOf(n.Pos) + ": " + n.Message
		if s.lost == "" {
			s.lost = message
		}
		s.refuse("", Damaged, message)
	case n.Severity == fault.Repair:
		s.refuse("", Mended, string(n.Code)+placeOf(n.Pos)+": "+n.Message)
	}
}

// readRecords reads a page of a catalog that is said to be of records. Nothing is recognised.
func readRecords(ctx context.Context, d Document, opt Options, to Sink) (Kind, error) {
	r := &reading{ctx: ctx, doc: d, opt: &opt, to: to, text: cancellable{ctx, d.Text}}
	return Records, r.records()
}
