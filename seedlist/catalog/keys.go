package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// byKeys reads JSON of the shape of DCAT by its keys. It has catalogs with datasets with distributions,
// as in DBpedia's Databus and data.json of Project Open Data. It is for JSON that is none of RDF: it has no
// context, or one that can't be had.
func (r *reading) byKeys() error {
	t, err := r.json()
	if err != nil {
		return err
	}
	k := &keyed{r: r, t: t, seen: map[string]bool{}, apart: map[string]members{}}
	for first := true; first || t.hasMore(); first = false {
		if err := k.page(); err != nil {
			return jsonErr(errors.Join(err, k.finish()))
		}
	}
	return k.finish()
}

// members of an object by their names in lower case, without prefix.
type members map[string]any

type keyed struct {
	r    *reading
	t    *jsonText
	rest members // what is next to the lists, at the top
	// flat says that nodes of a graph are read, which name one another. Those that are described are
	// seen; apart are the distributions among them that no dataset has claimed yet.
	flat  bool
	seen  map[string]bool
	apart map[string]members
	// named are nodes that are only named so far.
	named []reference
}

// reference is a node that another one names.
type reference struct {
	id      string
	dataset members // whose distribution it is; nil if it is a dataset, or a catalog
}

// nestedKeys are the names under which a catalog, or a page, has others and datasets.
var nestedKeys = []string{"dataset", "datasets", "@graph", "member", "catalog", "catalogs", "haspart", "itemlistelement", "item",
	"mainentity"}

// page reads one value at the top.
func (k *keyed) page() error {
	token, err := k.t.open()
	if err != nil {
		return err
	}
	k.rest = nil
	switch token {
	case json.Delim('['):
		k.flat = true
		return k.t.elements(k.item)
	case json.Delim('{'):
	default:
		return damaged("no object and no list")
	}
	if err := k.t.members(k.member); err != nil {
		return err
	}
	if k.rest.isPlaced() {
		return k.dataset(k.rest) // the page is one dataset
	}
	return nil
}

func (k *keyed) member(key string) error {
	if slices.Contains(nestedKeys, plainKey(key)) {
		token, err := k.t.open()
		switch {
		case err != nil:
			return err
		case token == json.Delim('['):
			k.flat = plainKey(key) == "@graph"
			return k.t.elements(k.item)
		case token == json.Delim('{'):
			object := map[string]any{}
			if err := k.t.members(func(key string) error {
				var v any
				if err := k.t.value(&v); err != nil {
					return err
				}
				object[key] = v
				return nil
			}); err != nil {
				return err
			}
			return k.walk(object, 0)
		}
		if uri, ok := token.(string); ok {
			return k.name(reference{id: uri})
		}
		return nil
	}
	var v any
	if err := k.t.value(&v); err != nil {
		return err
	}
	if k.rest == nil {
		k.rest = members{}
	}
	k.rest[plainKey(key)] = v
	if name := plainKey(key); (name == "next" || name == "nextpage") && stringOf(v) != "" {
		k.r.next(stringOf(v), DCAT)
	}
	if view, ok := v.(map[string]any); ok && plainKey(key) == "view" {
		if next := stringOf(lowered(view)["next"]); next != "" {
			k.r.next(next, DCAT)
		}
	}
	return k.r.hold(len(key) + 1000)
}

// item reads one element of a list of datasets.
func (k *keyed) item() error {
	var v any
	if err := k.t.value(&v); err != nil {
		return err
	}
	return k.walk(v, 0)
}

// walk finds the datasets in a value.
func (k *keyed) walk(v any, depth int) error {
	if depth > 50 {
		return k.r.refuse("", Damaged, "nested too deeply")
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if err := k.walk(item, depth+1); err != nil {
				return err
			}
		}
		return nil
	case string:
		if strings.Contains(v, ":") {
			return k.name(reference{id: v})
		}
	case map[string]any:
		return k.object(lowered(v), depth)
	}
	return k.r.refuse(stringOf(v), Damaged, "no dataset, but a "+fmt.Sprintf("%T", v))
}

// object finds what an object has: distributions of its own, and datasets and catalogs in it.
func (k *keyed) object(o members, depth int) error {
	id := o.id()
	if id != "" && o.isOnlyNamed() {
		return k.name(reference{id: id})
	}
	if id != "" {
		if err := k.r.hold(len(id) + 50); err != nil {
			return err
		}
		k.seen[id] = true
	}
	found := o.isPlaced()
	switch {
	case !found:
	case k.flat && id != "" && o["distribution"] == nil: // a dataset may name it
		k.apart[id] = o
		if err := k.r.hold(1000 + 200*len(o)); err != nil {
			return err
		}
	default:
		if err := k.dataset(o); err != nil {
			return err
		}
	}
	for _, key := range nestedKeys {
		if o[key] == nil {
			continue
		}
		found = true
		if err := k.walk(o[key], depth+1); err != nil {
			return err
		}
	}
	if found {
		return nil
	}
	kind := strings.ToLower(firstOf(stringOf(o["@type"]), stringOf(o["type"])))
	switch {
	case strings.HasSuffix(kind, "listitem") && stringOf(o["url"]) != "":
		return k.name(reference{id: stringOf(o["url"])})
	case kind != "" && !strings.HasSuffix(kind, "dataset") && !strings.HasSuffix(kind, "version") &&
		!strings.HasSuffix(kind, "distribution"):
		// A group, an artifact, an agent: of a graph only datasets are asked for
		// their distributions.
		return nil
	}
	return k.r.refuse(firstOf(id, stringOf(o["landingpage"]), stringOf(o["title"])), NoURI, "a dataset without distributions")
}

// name notes a node that is only named: what it is may come later.
func (k *keyed) name(ref reference) error {
	k.named = append(k.named, ref)
	return k.r.hold(len(ref.id) + 100)
}

// finish gives out what was named before it was described, and leads to what is described elsewhere on
// the same host.
func (k *keyed) finish() error {
	claimed := map[string]bool{}
	for _, ref := range k.named {
		node := k.apart[ref.id]
		switch {
		case ref.dataset != nil && node != nil:
			claimed[ref.id] = true
			if err := k.distribution(ref.dataset, node); err != nil {
				return err
			}
		case ref.dataset != nil && natureOfName(ref.id) == isRDF:
			if err := k.distribution(ref.dataset, members{"downloadurl": ref.id}); err != nil {
				return err
			}
		case ref.dataset != nil:
			k.r.refuse(ref.id, NoURI, "a distribution that is named, and not described")
		case node != nil, k.seen[ref.id], strings.HasPrefix(ref.id, "_:"), withoutFragment(ref.id) == withoutFragment(k.r.doc.URI):
		case !hasWebScheme(ref.id):
			k.r.refuse(ref.id, NoURI, "a dataset that is named, and not described")
		case hostOf(ref.id) == hostOf(k.r.doc.URI):
			k.r.lead(ref.id, Any)
		default:
			k.r.refuse(ref.id, OtherCatalog, "described on another host")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(k.apart)) {
		if !claimed[id] {
			if err := k.dataset(k.apart[id]); err != nil {
				return err
			}
		}
	}
	k.named, k.apart = nil, nil
	return nil
}

// id is the name of an object; "" if it has none.
func (m members) id() string {
	if id, ok := m["@id"].(string); ok {
		return strings.TrimSpace(id)
	}
	if id, ok := m["id"].(string); ok && strings.Contains(id, ":") {
		return strings.TrimSpace(id)
	}
	return ""
}

// isOnlyNamed says that nothing is said of an object but its name and what it is.
func (m members) isOnlyNamed() bool {
	for key := range m {
		if key != "@id" && key != "id" && key != "@type" && key != "type" {
			return false
		}
	}
	return true
}

// placeKeys are those of the addresses of documents.
var placeKeys = []string{"downloadurl", "contenturl", "accessurl"}

// hasPlace says that an object is a distribution.
func (m members) hasPlace() bool {
	return slices.ContainsFunc(placeKeys, func(key string) bool { return m[key] != nil })
}

// isPlaced says that an object has distributions, or is one.
func (m members) isPlaced() bool { return m["distribution"] != nil || m.hasPlace() }

// dataset gives out the distributions of a dataset. It may have an address of its own, or be one
// itself.
func (k *keyed) dataset(d members) error {
	distributions, names, others := objects(d["distribution"])
	for range others {
		k.r.refuse(d.id(), Damaged, "a distribution that isn't an object")
	}
	for _, name := range names {
		if err := k.name(reference{id: name, dataset: d}); err != nil {
			return err
		}
	}
	given := map[string]bool{}
	n := len(names)
	for _, distribution := range distributions {
		n++
		if id := distribution.id(); id != "" && distribution.isOnlyNamed() {
			if err := k.name(reference{id: id, dataset: d}); err != nil {
				return err
			}
			continue
		}
		for _, key := range placeKeys {
			for _, uri := range stringsOf(distribution[key]) {
				given[uri] = true
			}
		}
		if id := distribution.id(); id != "" {
			k.seen[id] = true
		}
		if err := k.distribution(d, distribution); err != nil {
			return err
		}
	}
	switch {
	case d.hasPlace() && !d.isGiven(given):
		return k.distribution(d, d)
	case n == 0 && !d.hasPlace():
		return k.r.refuse(d.id(), NoURI, "a dataset without distributions")
	}
	return nil
}

// isGiven says that all addresses of an object were given out.
func (m members) isGiven(given map[string]bool) bool {
	for _, key := range placeKeys {
		for _, uri := range stringsOf(m[key]) {
			if !given[uri] {
				return false
			}
		}
	}
	return true
}

func (k *keyed) distribution(dataset, d members) error {
	claims := Claims{}
	ask := func(names ...string) string {
		for _, owner := range []members{d, dataset} {
			for _, name := range names {
				if s := stringOf(owner[name]); s != "" {
					return s
				}
			}
		}
		return ""
	}
	claims.set(License, ask("license", "rights"))
	claims.set(Publisher, ask("publisher", "creator"))
	claims.setModified(ask("modified", "datemodified"))
	claims.setSize(firstOf(stringOf(d["bytesize"]), stringOf(d["contentsize"])))
	claims.setChecksum("sha256", stringOf(d["sha256sum"]))
	sums, _, _ := objects(d["checksum"])
	for _, sum := range sums {
		claims.setChecksum(bareAlgorithm(stringOf(sum["algorithm"])), stringOf(sum["checksumvalue"]))
	}
	if id := dataset.id(); strings.HasPrefix(id, "http") {
		claims.set(Dataset, id)
	}
	if m := mediaType(bareFormat(firstOf(stringOf(d["mediatype"]), stringOf(d["encodingformat"])))); strings.Count(m, "/") == 1 {
		claims.set(MediaType, m)
	}
	title, of := firstOf(stringOf(d["title"]), stringOf(d["name"])), firstOf(stringOf(dataset["title"]), stringOf(dataset["name"]))
	if title == "" {
		title = of
	} else if of != "" && of != title {
		claims.set(DatasetTitle, of)
	}
	formats := []string{stringOf(d["format"]), stringOf(d["formatextension"]), stringOf(d["mediatype"]), stringOf(d["encodingformat"])}
	downloads := slices.Concat(stringsOf(d["downloadurl"]), stringsOf(d["contenturl"]))
	if len(downloads) == 0 {
		downloads = stringsOf(d["file"])
	}
	if len(downloads) == 0 {
		var err error
		if downloads, err = k.accessible(d, formats); err != nil {
			return err
		}
	}
	slices.Sort(downloads)
	downloads = slices.Compact(downloads)
	if len(downloads) > 1 { // of which they are, nobody says
		for _, name := range []string{Size, Checksum} {
			delete(claims, name)
		}
	}
	for _, uri := range downloads {
		if err := k.r.take(found{uri: uri, title: title, formats: formats, claims: clone(claims)}); err != nil {
			return err
		}
	}
	return nil
}

// accessible are the access URLs of a distribution that lead to RDF, as is said. Others are refused.
func (k *keyed) accessible(d members, formats []string) (all []string, err error) {
	access := stringsOf(d["accessurl"])
	if len(access) == 0 {
		return nil, k.r.refuse(d.id(), NoURI, "a distribution without a URL")
	}
	for _, uri := range access {
		reason, message := judge(formats, uri, false)
		switch {
		case slices.ContainsFunc(formats, func(f string) bool { return natureOf(f) == isRDF }), natureOfName(uri) == isRDF:
			all = append(all, uri)
		case reason != "":
			k.r.refuse(uri, reason, message)
		default:
			k.r.refuse(uri, NoDownload, "only an access URL, of a format that is not said")
		}
	}
	return all, nil
}

// plainKey is a key in lower case without a prefix.
func plainKey(key string) string {
	if at := strings.LastIndexAny(key, ":#/"); at >= 0 {
		key = key[at+1:]
	}
	return strings.ToLower(key)
}

func lowered(object map[string]any) members {
	m := make(members, len(object))
	for key, v := range object {
		plain := plainKey(key)
		if _, ok := m[plain]; !ok || plain == strings.ToLower(key) {
			m[plain] = v
		}
	}
	return m
}

// objects are the objects of a value. Names are those that a text names; others is how many elements
// of its list are neither.
func objects(v any) (all []members, names []string, others int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			a, n, o := objects(item)
			all, names, others = append(all, a...), append(names, n...), others+o
		}
	case map[string]any:
		all = append(all, lowered(v))
	case string:
		if strings.Contains(v, ":") {
			return nil, []string{strings.TrimSpace(v)}, 0
		}
		others = 1
	case nil:
	default:
		others = 1
	}
	return all, names, others
}

// stringsOf are the texts of a value: of a list all of them.
func stringsOf(v any) (all []string) {
	if list, ok := v.([]any); ok {
		for _, item := range list {
			all = append(all, stringsOf(item)...)
		}
		return all
	}
	if s := stringOf(v); s != "" {
		all = append(all, s)
	}
	return all
}

// stringOf is a value as one text: of a list the first that is one, of an object its
// value, name or @id.
func stringOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	case []any:
		for _, item := range v {
			if s := stringOf(item); s != "" {
				return s
			}
		}
	case map[string]any:
		object := lowered(v)
		for _, key := range []string{"@value", "name", "title", "@id", "id"} {
			if s, ok := object[key].(string); ok && strings.TrimSpace(s) != "" {
				return strings.TrimSpace(s)
			}
		}
	}
	return ""
}
