package microformats

// Namespaces of the vocabularies.
const (
	vcard = "http://www.w3.org/2006/vcard/ns#"
	ical  = "http://www.w3.org/2002/12/cal/icaltzd#"
)

// kind is what an object is made of a value.
type kind int

const (
	text         kind = iota // a literal, or the node of an item
	iri                      // an IRI
	mail                     // an IRI; an address without mailto: gets it
	when                     // a literal with the datatype of its form
	organization             // a node that has the value as its name
	address                  // the node of an item; a text is the address's label
	place                    // the node of an item, or a pair of numbers
	coordinates              // the same, of the item itself
)

// term is what a property of microformats becomes.
type mapped struct {
	predicate string
	kind      kind
	of        string // the node between the item and the value, as vcard:n, with its class: see parts
}

// parts are the nodes between a card and some of its values, by their predicate: their classes.
var parts = map[string]string{
	vcard + "n":   vcard + "Name",
	vcard + "adr": vcard + "Address",
	vcard + "geo": vcard + "Location",
	vcard + "org": vcard + "Organization",
}

// class is what the items of a type become.
type class struct {
	iri        string
	properties map[string]mapped
}

var addressProperties = map[string]mapped{
	"post-office-box":  {predicate: vcard + "post-office-box"},
	"extended-address": {predicate: vcard + "extended-address"},
	"street-address":   {predicate: vcard + "street-address"},
	"locality":         {predicate: vcard + "locality"},
	"region":           {predicate: vcard + "region"},
	"postal-code":      {predicate: vcard + "postal-code"},
	"country-name":     {predicate: vcard + "country-name"},
	"label":            {predicate: vcard + "label"},
	"name":             {predicate: vcard + "label"},
	"geo":              {predicate: vcard + "geo", kind: place},
}

var placeProperties = map[string]mapped{
	"latitude":  {predicate: vcard + "latitude"},
	"longitude": {predicate: vcard + "longitude"},
	"altitude":  {predicate: vcard + "altitude"},
	"name":      {predicate: vcard + "label", kind: coordinates},
}

// within are properties that belong to a node between the item and its values.
func within(between string, properties map[string]mapped, names ...string) map[string]mapped {
	all := map[string]mapped{}
	for _, name := range names {
		m := properties[name]
		m.of = between
		all[name] = m
	}
	return all
}

// vocabulary is the one table of what items become (W3C vCard ontology, Note of 2006; icaltzd, RDF Calendar
// workspace of the W3C). Types and properties that it lacks are read and not mapped.
var vocabulary = map[string]class{
	"h-card": {vcard + "VCard", union(
		map[string]mapped{
			"name": {predicate: vcard + "fn"}, "nickname": {predicate: vcard + "nickname"},
			"sort-string": {predicate: vcard + "sort-string"},
			"email":       {predicate: vcard + "email", kind: mail}, "tel": {predicate: vcard + "tel"},
			"url":   {predicate: vcard + "url", kind: iri},
			"photo": {predicate: vcard + "photo", kind: iri}, "logo": {predicate: vcard + "logo", kind: iri},
			"sound": {predicate: vcard + "sound", kind: iri},
			"key":   {predicate: vcard + "key"}, "uid": {predicate: vcard + "uid"}, "note": {predicate: vcard + "note"},
			"job-title": {predicate: vcard + "title"}, "role": {predicate: vcard + "role"}, "category": {predicate: vcard + "category"},
			"class": {predicate: vcard + "class"}, "mailer": {predicate: vcard + "mailer"}, "tz": {predicate: vcard + "tz"},
			"bday": {predicate: vcard + "bday", kind: when}, "rev": {predicate: vcard + "rev", kind: when},
			"label": {predicate: vcard + "label"}, "agent": {predicate: vcard + "agent"},
			"adr": {predicate: vcard + "adr", kind: address}, "geo": {predicate: vcard + "geo", kind: place},
			"org":               {predicate: vcard + "org", kind: organization},
			"organization-name": {predicate: vcard + "organization-name", of: vcard + "org"},
			"organization-unit": {predicate: vcard + "organization-unit", of: vcard + "org"},
			"honorific-prefix":  {predicate: vcard + "honorific-prefix", of: vcard + "n"},
			"given-name":        {predicate: vcard + "given-name", of: vcard + "n"},
			"additional-name":   {predicate: vcard + "additional-name", of: vcard + "n"},
			"family-name":       {predicate: vcard + "family-name", of: vcard + "n"},
			"honorific-suffix":  {predicate: vcard + "honorific-suffix", of: vcard + "n"},
		},
		within(vcard+"adr", addressProperties, "post-office-box", "extended-address", "street-address", "locality", "region",
			"postal-code", "country-name"),
		within(vcard+"geo", placeProperties, "latitude", "longitude", "altitude"))},
	"h-adr": {vcard + "Address", union(addressProperties, within(vcard+"geo", placeProperties, "latitude", "longitude", "altitude"))},
	"h-geo": {vcard + "Location", placeProperties},
	"h-event": {ical + "Vevent", map[string]mapped{
		"name": {predicate: ical + "summary"}, "summary": {predicate: ical + "comment"}, "description": {predicate: ical + "description"},
		"content": {predicate: ical + "description"},
		"start":   {predicate: ical + "dtstart", kind: when}, "end": {predicate: ical + "dtend", kind: when},
		"duration": {predicate: ical + "duration", kind: when},
		"stamp":    {predicate: ical + "dtstamp", kind: when}, "created": {predicate: ical + "created", kind: when},
		"last-modified": {predicate: ical + "lastModified", kind: when}, "published": {predicate: ical + "created", kind: when},
		"updated": {predicate: ical + "lastModified", kind: when}, "rdate": {predicate: ical + "rdate", kind: when},
		"rrule": {predicate: ical + "rrule"},
		"url":   {predicate: ical + "url", kind: iri}, "attach": {predicate: ical + "attach", kind: iri}, "uid": {predicate: ical + "uid"},
		"location": {predicate: ical + "location"}, "geo": {predicate: ical + "geo", kind: place},
		"category": {predicate: ical + "categories"}, "status": {predicate: ical + "status"}, "class": {predicate: ical + "class"},
		"attendee": {predicate: ical + "attendee"}, "organizer": {predicate: ical + "organizer"},
		"contact":  {predicate: ical + "contact"},
		"sequence": {predicate: ical + "sequence"}, "transp": {predicate: ical + "transp"}, "priority": {predicate: ical + "priority"},
	}},
}

func union(all ...map[string]mapped) map[string]mapped {
	whole := map[string]mapped{}
	for _, one := range all {
		for name, m := range one {
			whole[name] = m
		}
	}
	return whole
}
