package catalog

import (
	"encoding/json"
	"strings"
)

// lodRecord is a dataset of lod-data.json.
type lodRecord struct {
	Identifier, Title, License, Owner, Triples, Website text
	ContactPoint                                        struct{ Name text } `json:"contact_point"`
	FullDownload                                        []lodDownload       `json:"full_download"`
	OtherDownload                                       []lodDownload       `json:"other_download"`
	Example, SPARQL                                     []lodDownload
}

type lodDownload struct {
	Title, Description, Status text
	MediaType                  text `json:"media_type"`
	DownloadURL                text `json:"download_url"`
	AccessURL                  text `json:"access_url"`
	Mirror                     []text
}

// lodCloud reads lod-data.json: an object or a list of records, or one record.
func (r *reading) lodCloud() error {
	t, err := r.json()
	if err != nil {
		return err
	}
	token, err := t.open()
	if err != nil {
		return jsonErr(err)
	}
	record := func() error {
		var raw json.RawMessage
		if err := t.value(&raw); err != nil {
			return err
		}
		return r.lodRaw(raw)
	}
	switch token {
	case json.Delim('['):
		return jsonErr(t.elements(record))
	case json.Delim('{'):
	default:
		return damaged("no object and no list")
	}
	var single map[string]json.RawMessage
	err = t.members(func(key string) error {
		var raw json.RawMessage
		if err := t.value(&raw); err != nil {
			return err
		}
		// A record holds its downloads by these names; a cloud holds records by theirs.
		if key == "full_download" || key == "other_download" || key == "title" || single != nil {
			if single == nil {
				single = map[string]json.RawMessage{}
			}
			single[key] = raw
			return r.hold(len(key) + len(raw))
		}
		if raw[0] != '{' || !strings.Contains(string(raw), "_download") {
			if raw[0] == '{' {
				return r.refuse(key, NoURI, "a record without downloads")
			}
			return nil
		}
		return r.lodRaw(raw)
	})
	if err != nil || single == nil {
		return jsonErr(err)
	}
	whole, err := json.Marshal(single)
	if err != nil {
		return err
	}
	return r.lodRaw(whole)
}

func (r *reading) lodRaw(raw json.RawMessage) error {
	var record lodRecord
	if err := json.Unmarshal(raw, &record); err != nil {
		return r.refuse("", Damaged, "a record of another shape than such a catalog has")
	}
	for _, d := range record.FullDownload {
		if err := r.lodDownload(&record, &d, len(record.FullDownload) == 1); err != nil {
			return err
		}
	}
	for _, d := range record.OtherDownload {
		if err := r.lodDownload(&record, &d, false); err != nil {
			return err
		}
	}
	for _, d := range record.Example {
		if uri := firstOf(d.AccessURL, d.DownloadURL); uri != "" {
			r.refuse(uri, Example, string(record.Identifier))
		}
	}
	for _, d := range record.SPARQL {
		if uri := firstOf(d.AccessURL, d.DownloadURL); uri != "" { // [{}] stands for none
			r.refuse(uri, Endpoint, string(record.Identifier))
		}
	}
	if len(record.FullDownload)+len(record.OtherDownload)+len(record.Example)+len(record.SPARQL) == 0 {
		return r.refuse(firstOf(record.Identifier, record.Title), NoURI, "a dataset without downloads")
	}
	return nil
}

func (r *reading) lodDownload(record *lodRecord, d *lodDownload, whole bool) error {
	claims := Claims{}
	claims.set(License, record.License.String())
	claims.set(Publisher, firstOf(record.Owner, record.ContactPoint.Name))
	claims.set(Status, d.Status.String())
	switch kind := mediaType(d.MediaType.String()); {
	case strings.HasPrefix(kind, "application/"), strings.HasPrefix(kind, "text/"):
		claims.set(MediaType, kind)
	}
	if whole {
		claims.setTriples(string(record.Triples))
	}
	for _, mirror := range d.Mirror {
		claims.addMirror(mirror.String())
	}
	title := firstOf(record.Title, record.Identifier)
	if own := firstOf(d.Title, d.Description); own != "" && own != title {
		claims.set(DatasetTitle, title)
		title = own
	}
	return r.take(found{uri: firstOf(d.DownloadURL, d.AccessURL), title: title, formats: []string{d.MediaType.String()}, claims: claims})
}
