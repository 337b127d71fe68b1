package catalog

import (
	"errors"
	"io"

	"laundromat/records/datapackage"
	"laundromat/records/spec"
)

// dataPackage reads the descriptor of a Data Package: its resources are the documents.
func (r *reading) dataPackage() error {
	most := max(64<<10, r.opt.MaxMemory/elementFactor)
	sound, err := r.soundText(most)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(&boundedReader{from: sound, left: most, most: most})
	if err != nil {
		return err
	}
	if err := r.hold(len(text)); err != nil {
		return err
	}
	node, err := spec.Parse(r.doc.URI, text)
	if err != nil {
		return damaged("%v", err)
	}
	var title, modified string
	if t := node.Get("title"); t != nil && t.Kind == spec.Text {
		title = t.Text
	} else if t := node.Get("name"); t != nil && t.Kind == spec.Text {
		title = t.Text
	}
	if c := node.Get("created"); c != nil && c.Kind == spec.Text {
		modified = c.Text
	}
	r.hyper = true // relative paths are the rule
	_, err = datapackage.Each(node, func(one *datapackage.Resource, err error) error {
		if err != nil {
			return r.refuse("", BadURI, err.Error())
		}
		return r.resource(one, title, modified)
	})
	if errors.As(err, new(*spec.Error)) {
		return damaged("%v", err)
	}
	return err
}

// resource gives out the documents of a resource, with what the descriptor says of them.
func (r *reading) resource(one *datapackage.Resource, dataset, modified string) error {
	if one.Data != nil {
		return r.refuse(one.Name, NoURI, "the data are in the descriptor; \"laundromat records\" reads them")
	}
	for _, path := range one.Paths {
		claims := Claims{}
		claims.set(License, one.License)
		claims.set(MediaType, mediaType(one.MediaType))
		if len(one.Paths) == 1 {
			claims.setSize(one.Bytes)
			claims.setChecksum("", one.Hash)
		}
		claims.setModified(modified)
		claims.set(DatasetTitle, dataset)
		claims.set(Descriptor, r.doc.URI)
		for _, part := range []struct {
			name    string
			node    *spec.Node
			address string
		}{{Dialect, one.Dialect, one.DialectPath}, {Schema, one.Schema, one.SchemaPath}} {
			if part.node != nil {
				claims.setJSON(part.name, part.node.Value().AppendJSON(nil))
			} else if address, err := r.resolve(datapackage.Reference(part.address)); part.address != "" && err == nil {
				claims.set(part.name, address)
			}
		}
		title := one.Title
		if title == "" {
			title = one.Name
		}
		var formats []string
		if one.Format != "" {
			formats = []string{one.Format}
		}
		// Whether a document of another format than RDF is made something of is for the products to say.
		f := found{uri: datapackage.Reference(path), title: title, formats: formats, claims: claims, sure: true}
		if err := r.takeOne(f); err != nil {
			return err
		}
	}
	return nil
}
