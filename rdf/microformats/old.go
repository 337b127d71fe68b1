package microformats

import (
	"slices"
	"strings"

	"laundromat/markup/page"
)

// oldType is a type of the microformats before microformats2, by its class name.
type oldType struct {
	types      []string
	properties map[string]string   // class to property with its prefix
	rels       map[string]string   // word of @rel to property with its prefix
	items      map[string]*oldType // class to what its element is an item of, where no class says that
}

// oldRootOf says what item the old class names make of an element; nil if none. Names of several types are
// one item of all of them.
func oldRootOf(classes []string) *root {
	var found []*oldType
	for _, class := range classes {
		if t := oldTypes[class]; t != nil && !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return nil
	}
	whole := found[0]
	for _, t := range found[1:] {
		whole = whole.with(t)
	}
	return &root{types: whole.types, old: whole}
}

// with is the type of an element that has both.
func (t *oldType) with(other *oldType) *oldType {
	both := &oldType{properties: map[string]string{}, rels: map[string]string{}, items: map[string]*oldType{}}
	both.types = slices.Concat(t.types, other.types)
	slices.Sort(both.types)
	for _, one := range [...]*oldType{other, t} {
		for class, property := range one.properties {
			both.properties[class] = property
		}
		for rel, property := range one.rels {
			both.rels[rel] = property
		}
		for class, item := range one.items {
			both.items[class] = item
		}
	}
	return both
}

// propertiesOf are the properties that an element is a value of, each once.
func (t *oldType) propertiesOf(e *page.Element) (names []property) {
	add := func(written string) {
		prefix, name, ok := strings.Cut(written, "-")
		n := property{prefix[0], name}
		if prefix == "dt" {
			n.prefix = 't'
		}
		if ok && !slices.ContainsFunc(names, func(other property) bool { return other.name == n.name }) {
			names = append(names, n)
		}
	}
	for _, class := range classes(e) {
		if written := t.properties[class]; written != "" {
			add(written)
		}
	}
	if len(t.rels) > 0 {
		rel, _ := e.Get("rel")
		for _, word := range strings.FieldsFunc(rel, page.IsSpace) {
			if written := t.rels[word]; written != "" && e.Has("href") {
				add(written)
			}
		}
	}
	return names
}

// itemOf is the item that an element is by what it is a value of, as an item of a review is one without a
// class that says so; nil if none.
func (t *oldType) itemOf(e *page.Element) *root {
	for _, class := range classes(e) {
		if item := t.items[class]; item != nil {
			return &root{types: item.types, old: item}
		}
	}
	return nil
}

// named are properties of text whose name is their class.
func named(prefix string, classes ...string) map[string]string {
	all := map[string]string{}
	for _, class := range classes {
		all[class] = prefix + "-" + class
	}
	return all
}

func joined(all ...map[string]string) map[string]string {
	whole := map[string]string{}
	for _, one := range all {
		for class, property := range one {
			whole[class] = property
		}
	}
	return whole
}

// oldItem is the item of a review that says no type.
var oldItem = &oldType{types: []string{"h-item"}, properties: map[string]string{"fn": "p-name", "photo": "u-photo", "url": "u-url"}}

// oldTypes are the types by their class names (microformats.org wiki: adr, geo, hCard, hCalendar, hAtom, hNews,
// hProduct, hRecipe, hResume, hReview, hReview-aggregate; microformats2 parsing, backward compatibility).
var oldTypes = map[string]*oldType{
	"adr": {types: []string{"h-adr"}, properties: named("p", "post-office-box", "extended-address", "street-address", "locality",
		"region",
		"postal-code", "country-name")},
	"geo": {types: []string{"h-geo"}, properties: named("p", "latitude", "longitude")},
	"vcard": {types: []string{"h-card"}, properties: joined(
		named("p", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname", "org",
			"organization-name", "organization-unit", "adr", "geo", "label", "tel", "tz", "note", "sort-string", "role",
			"category", "class",
			"agent", "mailer", "key", "post-office-box", "extended-address", "street-address", "locality", "region",
			"postal-code", "country-name",
			"latitude", "longitude"),
		named("u", "url", "uid", "email", "logo", "photo", "sound"),
		named("dt", "bday", "rev"),
		map[string]string{"fn": "p-name", "title": "p-job-title"})},
	"vevent": {types: []string{"h-event"}, properties: joined(
		named("p", "description", "category", "location", "geo", "status", "class", "attendee", "contact", "organizer",
			"sequence", "transp", "priority"),
		named("u", "url", "uid", "attach"),
		named("dt", "duration", "rrule", "rdate"),
		map[string]string{"summary": "p-name", "dtstart": "dt-start", "dtend": "dt-end", "dtstamp": "dt-stamp", "created": "dt-created",
			"last-modified": "dt-last-modified"})},
	"hfeed": {types: []string{"h-feed"}, properties: joined(named("p", "author", "category"), named("u", "url", "photo"),
		map[string]string{"site-title": "p-name"}),
		rels: map[string]string{"tag": "p-category"}},
	"hentry": {types: []string{"h-entry"}, properties: joined(named("p", "author", "category"), named("dt", "published", "updated"),
		map[string]string{"entry-title": "p-name", "entry-summary": "p-summary", "entry-content": "e-content"}),
		rels: map[string]string{"bookmark": "u-url", "tag": "p-category"}},
	"hnews": {types: []string{"h-news"}, properties: joined(named("p", "source-org", "dateline", "geo", "latitude", "longitude"),
		map[string]string{"hentry": "p-entry"}),
		rels: map[string]string{"principles": "u-principles"}},
	"hproduct": {types: []string{"h-product"}, properties: joined(
		named("p", "price", "brand", "category", "description", "identifier", "review"), named("u", "photo", "url"),
		map[string]string{"fn": "p-name"}),
		rels: map[string]string{"tag": "p-category"}},
	"hrecipe": {types: []string{"h-recipe"}, properties: joined(
		named("p", "ingredient", "yield", "summary", "author", "nutrition", "category"), named("e", "instructions"), named("u", "photo"),
		named("dt", "duration", "published"), map[string]string{"fn": "p-name"}),
		rels: map[string]string{"tag": "p-category"}},
	"hresume": {types: []string{"h-resume"}, properties: named("p", "summary", "contact", "education", "experience", "skill",
		"affiliation", "publications")},
	"hreview": {types: []string{"h-review"}, properties: joined(named("p", "item", "rating", "best", "worst"), named("u", "url"),
		map[string]string{"summary": "p-name", "description": "e-content", "reviewer": "p-author", "dtreviewed": "dt-published",
			"fn": "p-name", "photo": "u-photo"}),
		rels:  map[string]string{"tag": "p-category", "self": "u-url", "bookmark": "u-url"},
		items: map[string]*oldType{"item": oldItem}},
	"hreview-aggregate": {types: []string{"h-review-aggregate"}, properties: joined(
		named("p", "item", "rating", "best", "worst", "average", "count", "votes", "category"), named("u", "url"),
		map[string]string{"summary": "p-name"}),
		rels:  map[string]string{"tag": "p-category", "self": "u-url", "bookmark": "u-url"},
		items: map[string]*oldType{"item": oldItem}},
}
