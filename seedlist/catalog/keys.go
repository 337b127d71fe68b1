package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// byKeys reads JSON of the shape of DCAT by its keys, whatever its context would make of them. It has
// datasets with distributions, as in DBpedia's Databus and data.json of Project Open Data.
func (r *reading) byKeys() error {
	t, err := r.json()
	if err != nil {
		return err
	}
	token, err := t.open()
	if err != nil {
		return jsonErr(err)
	}
	k := &keyed{r: r, t: t}
	switch token {
	case json.Delim('['):
		err = t.elements(k.item)
	case json.Delim('{'):
		err = t.members(k.member)
	default:
		return damaged("no object and no list")
	}
	if err != nil {
		return jsonErr(err)
	}
	if k.rest["distribution"] != nil || k.rest["downloadurl"] != nil || k.rest["contenturl"] != nil {
		return k.dataset(k.rest) // the page is one dataset
	}
	return nil
}

// members of an object by their names in lower case, without prefix.
type members map[string]any

type keyed struct {
	r    *reading
	t    *jsonText
	rest members // what is next to the lists, at the top
}

// listKeys are the names under which lists of datasets are at the top.
var listKeys = []string{"dataset", "@graph", "datasets", "member", "hydra:member", "dcat:dataset", "schema:dataset"}

func (k *keyed) member(key string) error {
	if slices.Contains(listKeys, strings.ToLower(key)) {
		token, err := k.t.open()
		switch {
		case err != nil:
			return err
		case token == json.Delim('['):
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
	default:
		return k.r.refuse(stringOf(v), Damaged, "no dataset, but a "+fmt.Sprintf("%T", v))
	case map[string]any:
		object := lowered(v)
		if object["distribution"] != nil || object["downloadurl"] != nil || object["contenturl"] != nil {
			return k.dataset(object)
		}
		for _, key := range []string{"dataset", "@graph", "member", "datasets"} {
			if object[key] != nil {
				return k.walk(object[key], depth+1)
			}
		}
		// A group, an artifact, an agent: of a graph only datasets are asked for
		// their distributions.
		if kind := strings.ToLower(stringOf(object["@type"])); kind != "" && !strings.HasSuffix(kind, "dataset") && !strings.HasSuffix(kind, "version") {
			return nil
		}
		return k.r.refuse(firstOf(stringOf(object["@id"]), stringOf(object["landingpage"]), stringOf(object["title"])), NoURI, "a dataset without distributions")
	}
	return nil
}

// dataset gives out the distributions of a dataset, or the object itself where it is a
// distribution.
func (k *keyed) dataset(d members) error {
	distributions, others := objects(d["distribution"])
	for range others {
		k.r.refuse(stringOf(d["@id"]), Damaged, "a distribution that is no object")
	}
	if len(distributions) == 0 {
		if d["downloadurl"] == nil && d["contenturl"] == nil {
			return k.r.refuse(stringOf(d["@id"]), NoURI, "a dataset without distributions")
		}
		distributions = []members{d}
	}
	for _, distribution := range distributions {
		if err := k.distribution(d, distribution); err != nil {
			return err
		}
	}
	return nil
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
	sums, _ := objects(d["checksum"])
	for _, sum := range sums {
		claims.setChecksum(bareAlgorithm(stringOf(sum["algorithm"])), stringOf(sum["checksumvalue"]))
	}
	if id := stringOf(dataset["@id"]); strings.HasPrefix(id, "http") {
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
	download := firstOf(stringOf(d["downloadurl"]), stringOf(d["contenturl"]), stringOf(d["file"]))
	if download == "" {
		access := stringOf(d["accessurl"])
		reason, message := judge(formats, access, false)
		switch {
		case access == "":
			return k.r.refuse(stringOf(d["@id"]), NoURI, "a distribution without a URL")
		case slices.ContainsFunc(formats, func(f string) bool { return natureOf(f) == isRDF }), natureOfName(access) == isRDF:
			download = access
		case reason != "":
			return k.r.refuse(access, reason, message)
		default:
			return k.r.refuse(access, NoDownload, "only an access URL, of a format that is not said")
		}
	}
	return k.r.take(found{uri: download, title: title, formats: formats, claims: claims})
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

// objects are the objects of a value; others is how many elements of its list are none.
func objects(v any) (all []members, others int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if object, ok := item.(map[string]any); ok {
				all = append(all, lowered(object))
			} else {
				others++
			}
		}
	case map[string]any:
		all = append(all, lowered(v))
	case nil:
	default:
		others = 1
	}
	return all, others
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
		for _, key := range []string{"@value", "name", "title", "@id"} {
			if s, ok := object[key].(string); ok && strings.TrimSpace(s) != "" {
				return strings.TrimSpace(s)
			}
		}
	}
	return ""
}
