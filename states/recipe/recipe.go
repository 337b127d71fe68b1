// Package recipe says what is made of which documents. A recipe is a text in YAML or JSON:
//
//	name: prices
//	match: {host: prices.example, format: [CSV, TSV]}
//	read: {encoding: windows-1252}
//	products: [records]
//	spec: prices.spec.yaml
//
// [Parse] reads it, with the spec and the schema that it names put in, and refuses what is wrong by its line and
// column. [Recipe.Body] is the form that a seed list keeps, and [FromBody] reads it back. A [Set] finds the first of
// many recipes that matches a document.
package recipe

import (
	"context"
	"slices"

	"laundromat/rdf/jsonld"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/records/match"
	"laundromat/records/reconcile"
	"laundromat/records/spec"
	"laundromat/records/statements"
	"laundromat/states"
	"laundromat/states/kind"
)

// Recipe is what is made of the documents that match.
type Recipe struct {
	Name   string
	SHA256 string // of the body
	Match  Match
	Read   Read
	// Products are what is made, in their order; nil: what the daemon makes by itself, and records where there is a
	// spec.
	Products []string
	// Spec says how records are made; nil: as they are.
	Spec *spec.Spec
	// CSVW makes statements of tables, by their metadata, in this mode: "minimal" or "standard"; "": none are made.
	CSVW string
	// Pages say which further pages a page leads to, where its spec says nothing of them; nil: none.
	Pages *spec.Node

	job     *job.Job            // Spec, compiled
	mapping *statements.Mapping // its part rdf, compiled; nil without it
}

// Match says which documents a recipe is for. Each condition that is there must hold; of a condition any of the values.
type Match struct {
	// URI and Source are compared with "*" for any characters.
	URI, Source []string
	// Host is a name with its port, if it has one; "*.example.org" is for all below example.org.
	Host []string
	// Catalog is the URI of a catalog that names the document, or its hash.
	Catalog []string
	// Format is what the document is, guessed without any recipe.
	Format []string
	// Media is what the server calls it, without parameters. "*" is for any characters.
	Media []string
}

// Read says how a document is read. What is "" or false is found out.
type Read struct {
	Format      string // a format of RDF, or of records
	Encoding    string
	Base        string
	FixMojibake bool
}

// IsEmpty says that there is nothing in it.
func (r *Read) IsEmpty() bool { return *r == Read{} }

// Given is what is given of the document in place of a guess.
func (r *Recipe) Given() states.Given {
	given := states.Given{Encoding: r.Read.Encoding, Format: r.Read.Format}
	if given.Encoding == "" && r.Spec != nil {
		if named := r.Spec.Source.Get("encoding"); named != nil {
			given.Encoding = named.Text
		}
	}
	return given
}

// ReadAs is the format of records that a document is read as, as package records/extract has it; "" where it is found
// out or is no such format.
func (r *Recipe) ReadAs() string {
	if r.Read.Format == "" || r.ReadsAs() != "" {
		return ""
	}
	is, _ := kind.Named(r.Read.Format)
	return is.Extract()
}

// ReadsAs is the kind that the spec says a document is, for its records; "" if it says none.
func (r *Recipe) ReadsAs() kind.Kind {
	if r == nil || r.Spec == nil {
		return ""
	}
	named := r.Spec.Source.Get("format")
	if named == nil {
		return ""
	}
	is, _ := kind.Named(named.Text)
	return is
}

// Makes are the products that are made of documents of a kind. Without a list of its own a recipe, and nil, makes
// those of wanted which the kind makes by itself.
func (r *Recipe) Makes(is kind.Kind, wanted []string) (made []string) {
	for _, product := range kind.Products() {
		if r.makes(is, product, wanted) {
			made = append(made, product)
		}
	}
	return made
}

func (r *Recipe) makes(is kind.Kind, product string, wanted []string) bool {
	switch {
	case r == nil:
		return slices.Contains(is.Makes(wanted), product)
	case r.CSVW != "" && product != kind.Articles && is.IsTable():
		return true
	case product == kind.Records && r.Spec != nil && (r.Products == nil || slices.Contains(r.Products, product)),
		product == kind.Statements && r.mapping != nil && r.FormOf(is) != kind.Not:
		return r.FormOf(is) != kind.Not
	case r.Products == nil:
		return slices.Contains(is.Makes(wanted), product)
	}
	return slices.Contains(r.Products, product) && is.Form(product) != kind.Not
}

// FormOf is how records are read of documents of a kind.
func (r *Recipe) FormOf(is kind.Kind) kind.Form {
	as := r.ReadsAs()
	if as == "" {
		return is.Form(kind.Records)
	}
	if form := as.Form(kind.Records); (form == kind.Raw) == is.IsBytes() {
		return form
	}
	return kind.Not
}

// Job is the compiled spec, in which keys take an eighth of the memory, and go to the folder temp beyond that.
func (r *Recipe) Job(memory int64, temp string) *job.Job { return r.job.Within(memory, memory/8, temp) }

// Required are the fields that the schema of the spec requires.
func (r *Recipe) Required() []string { return r.job.Required() }

// Mapping is the part rdf of the spec, compiled, which gets contexts by a loader; nil where there is none.
func (r *Recipe) Mapping(loader jsonld.ContextLoader) *statements.Mapping {
	if r == nil || r.mapping == nil {
		return nil
	}
	return r.mapping.LoadingBy(loader)
}

// HasStatements says that statements are made of records.
func (r *Recipe) HasStatements() bool { return r != nil && (r.mapping != nil || r.CSVW != "") }

// CSVWMode is the mode in which statements are made of tables by themselves; "" for none.
func (r *Recipe) CSVWMode() string {
	if r == nil {
		return ""
	}
	return r.CSVW
}

// compile compiles the spec once, for all documents.
func (r *Recipe) compile() (err error) {
	of := r.Spec
	if r.Pages != nil && of.Select != nil {
		whole := *of
		whole.Pages, of = r.Pages, &whole
	}
	if r.job, err = job.Compile(of, job.Options{Named: func(match.Link) {}}); err != nil {
		return err
	}
	if r.Spec.Reconcile != nil {
		plan, err := reconcile.Compile(r.Spec.Reconcile)
		if err == nil {
			err = plan.CheckRecipe()
		}
		if err != nil {
			return err
		}
	}
	if r.Spec.RDF == nil {
		return nil
	}
	r.mapping, err = statements.Compile(r.Spec.RDF, statements.Options{Type: r.job.FieldType, Loader: laterContexts{}})
	return err
}

// laterContexts are contexts that are got once a document is washed.
type laterContexts struct{}

func (laterContexts) LoadContext(context.Context, string) (d jsonld.ContextDocument, err error) {
	return d, jsonld.ErrContextDue
}

// Body is the recipe without its name, as JSON in one form: what says the same has the same bytes.
func (r *Recipe) Body() []byte {
	var fields []records.Field
	add := func(name string, v records.Value) { fields = append(fields, records.Field{Name: name, Value: v}) }
	var match []records.Field
	for _, c := range r.Match.conditions() {
		if len(*c.values) > 0 {
			match = append(match, records.Field{Name: c.name, Value: textList(*c.values)})
		}
	}
	add("match", records.Value{Kind: records.Object, Fields: match})
	if !r.Read.IsEmpty() {
		var read []records.Field
		for _, t := range []struct{ name, text string }{{"format", r.Read.Format}, {"encoding", r.Read.Encoding}, {"base", r.Read.Base}} {
			if t.text != "" {
				read = append(read, records.Field{Name: t.name, Value: records.TextOf(t.text)})
			}
		}
		if r.Read.FixMojibake {
			read = append(read, records.Field{Name: "fix-mojibake", Value: records.BoolOf(true)})
		}
		add("read", records.Value{Kind: records.Object, Fields: read})
	}
	if r.Products != nil {
		add("products", textList(r.Products))
	}
	if r.Spec != nil {
		add("spec", r.Spec.Value())
	}
	if r.CSVW != "" {
		add("csvw", records.TextOf(r.CSVW))
	}
	if r.Pages != nil {
		add("pages", r.Pages.Value())
	}
	v := records.Value{Kind: records.Object, Fields: fields}
	return v.AppendJSON(nil)
}

func textList(all []string) records.Value {
	v := records.Value{Kind: records.List}
	for _, text := range all {
		v.Items = append(v.Items, records.TextOf(text))
	}
	return v
}
