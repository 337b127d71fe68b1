package catalog

import (
	"encoding/json"
	"net/url"
)

// lovVocabulary is a vocabulary of the list or the info of LOV;
// https://lov.linkeddata.es/dataset/lov/api.
type lovVocabulary struct {
	URI, NSP, Prefix, Homepage text
	Titles                     []struct{ Value, Lang text }
	Versions                   []lovVersion
	Publishers                 []struct{ Name text }
	License                    text
}

type lovVersion struct {
	Name, FileURL, Issued text
}

// lov reads the list of vocabularies, which names no files, or the info of one, which
// does.
func (r *reading) lov() error {
	t, err := r.json()
	if err != nil {
		return err
	}
	token, err := t.open()
	if err != nil {
		return jsonErr(err)
	}
	if token == json.Delim('[') {
		return jsonErr(t.elements(func() error {
			var raw json.RawMessage
			if err := t.value(&raw); err != nil {
				return err
			}
			var v lovVocabulary
			if err := json.Unmarshal(raw, &v); err != nil {
				return r.refuse("", Damaged, "a vocabulary of another shape than such a catalog has")
			}
			if v.Versions != nil {
				return r.vocabulary(&v)
			}
			if v.Prefix == "" {
				return r.refuse(v.URI.String(), NoURI, "a vocabulary without a prefix to ask for it by")
			}
			r.lead("info?"+url.Values{"vocab": {v.Prefix.String()}}.Encode(), LOV)
			return nil
		}))
	}
	if token != json.Delim('{') {
		return damaged("no object and no list")
	}
	members := map[string]json.RawMessage{}
	err = t.members(func(key string) error {
		var raw json.RawMessage
		if err := t.value(&raw); err != nil {
			return err
		}
		members[key] = raw
		return r.hold(len(key) + len(raw))
	})
	if err != nil {
		return jsonErr(err)
	}
	whole, err := json.Marshal(members)
	if err != nil {
		return err
	}
	var v lovVocabulary
	if err := json.Unmarshal(whole, &v); err != nil {
		return jsonErr(err)
	}
	return r.vocabulary(&v)
}

// vocabulary gives out the newest version that has a file. Older ones hold the same
// vocabulary as it was.
func (r *reading) vocabulary(v *lovVocabulary) error {
	newest := -1
	for i, version := range v.Versions {
		if version.FileURL.String() != "" && (newest < 0 || Time(string(version.Issued)) > Time(string(v.Versions[newest].Issued))) {
			newest = i
		}
	}
	title := ""
	for _, t := range v.Titles {
		if title == "" || t.Lang == "en" {
			title = t.Value.String()
		}
	}
	if newest < 0 {
		return r.refuse(v.URI.String(), NoURI, "a vocabulary without a file")
	}
	for i, version := range v.Versions {
		if i != newest {
			reason := OlderVersion
			if version.FileURL.String() == "" {
				reason = NoURI
			}
			r.refuse(version.FileURL.String(), reason, version.Name.String())
		}
	}
	claims := Claims{}
	claims.set(Dataset, v.URI.String())
	claims.set(License, v.License.String())
	if len(v.Publishers) > 0 {
		claims.set(Publisher, v.Publishers[0].Name.String())
	}
	claims.setModified(string(v.Versions[newest].Issued))
	return r.take(found{uri: v.Versions[newest].FileURL.String(), title: firstOf(title, v.Prefix.String()), claims: claims, sure: true})
}
