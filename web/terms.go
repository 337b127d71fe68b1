package web

import (
	"context"
	"net/url"
	"strings"

	"laundromat/internal/rfc3986"
	"laundromat/rdf"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/seedlist/views"
)

// TermFilter says what the clean statements of documents use.
type TermFilter struct {
	Class      string `query:"class" json:"class,omitempty" doc:"only documents that have an instance of the class of this IRI"`
	Property   string `query:"property" json:"property,omitempty" doc:"only documents with a statement whose property has this IRI"`
	Vocabulary string `query:"vocabulary" json:"vocabulary,omitempty" doc:"only documents with a property or class of this namespace"`
	Datatype   string `query:"datatype" json:"datatype,omitempty" doc:"only documents with a literal of the datatype of this IRI"`
	Language   string `query:"language" json:"language,omitempty" doc:"only documents with a literal that has this language tag"`
	LinksTo    string `query:"links_to" json:"links_to,omitempty" doc:"only documents with an object on this host, where the subject is on another"`
	// Statistics finds documents of which the above isn't known.
	Statistics string `query:"statistics" json:"statistics,omitempty" enum:"cut,unread" doc:"only documents that may use more than is listed (cut), or whose statistics can't be read"`
}

// Query is the filter as the API takes it.
func (f *TermFilter) Query() url.Values {
	query := url.Values{}
	for by, value := range f.typed() {
		query.Set(by.String(), value)
	}
	return query
}

// IsSet says that there is a filter.
func (f *TermFilter) IsSet() bool { return *f != TermFilter{} }

// where is what the views are asked for.
func (f *TermFilter) where() map[views.Facet]string {
	where := f.typed()
	for by, value := range where {
		switch by {
		case views.Language, views.LinksTo:
			value = strings.ToLower(value)
		case views.Class, views.Property, views.Vocabulary, views.Datatype:
			value = bare(value)
		}
		if where[by] = views.TermValue(value); value == "" {
			delete(where, by)
		}
	}
	return where
}

// typed are the values that are set, as they were typed, but for spaces around them.
func (f *TermFilter) typed() map[views.Facet]string {
	all := map[views.Facet]string{
		views.Class: f.Class, views.Property: f.Property, views.Vocabulary: f.Vocabulary, views.Datatype: f.Datatype,
		views.Language: f.Language, views.LinksTo: f.LinksTo, views.Statistics: f.Statistics,
	}
	for by, value := range all {
		if all[by] = strings.TrimSpace(value); all[by] == "" {
			delete(all, by)
		}
	}
	return all
}

// strange says which of the IRIs can't be one that a document uses; "" if there is none. One in angle brackets is taken
// as it is.
func (f *TermFilter) strange() string {
	for _, iri := range []string{f.Class, f.Property, f.Vocabulary, f.Datatype} {
		iri = strings.TrimSpace(iri)
		if iri == "" || iri[0] == '<' {
			continue
		}
		if !rfc3986.IsAbsolute([]byte(iri)) || strings.ContainsAny(iri, " \t\r\n<>\"{}|^`\\") {
			return iri + " isn't an absolute IRI"
		}
		prefix, name, _ := strings.Cut(iri, ":")
		if namespace, ok := rdf.WellKnown(prefix); ok && !strings.HasPrefix(name, "//") {
			return iri + " has a prefix: did you mean " + namespace + name + "? An IRI of this name is written <" + iri + ">"
		}
	}
	return ""
}

// bare is an IRI without the angle brackets that it has in N-Quads and Turtle.
func bare(iri string) string {
	if inside, ok := strings.CutPrefix(iri, "<"); ok {
		return strings.TrimSuffix(inside, ">")
	}
	return iri
}

// mostTermsRead is how many seeds are looked at for a page where no views are kept: the file of each is read.
const mostTermsRead = 200

// termPage is a page of documents by what they use, where no views are kept.
func termPage(ctx context.Context, a *api, r *listRequest) (page SeedPage, err error) {
	revision, err := a.Seeds.Revision(ctx)
	if err != nil {
		return page, problem(err)
	}
	where := r.TermFilter.where()
	var damaged damages
	seeds, next, err := a.listed(ctx, &r.SeedFilter, r.Cursor, min(r.limit(), mostTermsRead), damaged.tell)
	if err != nil {
		return page, err
	}
	page = SeedPage{AsOf: &views.AsOf{Revision: revision}, Next: next, Damaged: damaged}
	for i := range seeds {
		matches, err := usesTerms(ctx, a, &seeds[i], where)
		if err != nil {
			return page, err
		}
		if matches {
			page.Seeds = append(page.Seeds, seeds[i])
		}
	}
	return page, nil
}

// usesTerms says that a document uses all that is asked for.
func usesTerms(ctx context.Context, a *api, seed *seedlist.Seed, where map[views.Facet]string) (bool, error) {
	clean := seed.ServedClean()
	if clean == "" || seed.Status == seedlist.Cleaned {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	counted, err := (*seedfile.Counts)(nil).Of(ctx, 0, a.Files, clean)
	if err != nil {
		return len(where) == 1 && where[views.Statistics] == views.StatisticsUnread, nil
	}
	return views.Uses(counted, where), nil
}
