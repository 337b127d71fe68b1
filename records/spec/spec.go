package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Spec is a whole description; each part is nil where it is absent.
type Spec struct {
	// Name and Version are what the spec says of itself, for logs; empty where it does not.
	Name, Version string

	Source *Node // how the input is read
	Select *Node // which elements make records, and of which values
	Map    *Node // which output fields there are, by which rules; a list of maps is done in order
	Schema *Node // what holds of the records: a Table Schema
	Pages  *Node // which further pages are read
	RDF    *Node // which statements are made of the records

	Reconcile *Node // which records are the same, and how they are merged

	// Root is the whole spec.
	Root *Node
}

// parts are the names of a spec's parts, in the order in which they work.
var parts = []string{"source", "select", "map", "schema", "pages", "reconcile", "rdf"}

// keys are all keys of a spec.
var keys = append(slices.Clone(parts), "name", "version")

// Load reads a spec from a file, with the parts that name files of their own; those are
// found beside the file that names them. The error is an *Error, or of the file system.
func Load(file string) (*Spec, error) {
	root, err := load(file)
	if err != nil {
		return nil, err
	}
	return FromNode(root, filepath.Dir(file))
}

func load(file string) (*Node, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// FromNode takes a spec apart. Files that its parts name are found in folder.
func FromNode(root *Node, folder string) (*Spec, error) {
	s := &Spec{Root: root}
	if err := root.Want(Map); err != nil {
		return nil, err
	}
	for _, e := range root.Entries {
		if e.Key == "name" || e.Key == "version" {
			if err := s.title(e); err != nil {
				return nil, err
			}
			continue
		}
		place := s.part(e.Key)
		if place == nil {
			return nil, root.Unknown(e, "part", keys...)
		}
		value := e.Value
		if value.Kind == Text && !(e.Key == "map" && value.Text == Natural) {
			name := value.Text
			if !filepath.IsAbs(name) {
				name = filepath.Join(folder, name)
			}
			loaded, err := load(name)
			if os.IsNotExist(err) {
				return nil, value.Errorf("there is no file %s", name)
			}
			if err != nil {
				return nil, fmt.Errorf("%w (named in %s:%d:%d)", err, value.File, value.Line, value.Column)
			}
			value, folder = loaded, filepath.Dir(name)
		}
		if e.Key == "rdf" {
			var err error
			if value, err = withContexts(value, folder); err != nil {
				return nil, err
			}
		}
		*place = value
	}
	return s, nil
}

// withContexts is the part rdf with the contexts of JSON-LD that it names as files, in folder, in their places. The IRI
// of a context stays.
func withContexts(rdf *Node, folder string) (*Node, error) {
	entry := rdf.Entry("context")
	if entry == nil {
		return rdf, nil
	}
	whole := *entry.Value
	items := []*Node{&whole}
	if whole.Kind == List {
		whole.Items = slices.Clone(whole.Items)
		items = whole.Items
	}
	for i, item := range items {
		if !isContextFile(item) {
			continue
		}
		name := item.Text
		if !filepath.IsAbs(name) {
			name = filepath.Join(folder, name)
		}
		loaded, err := load(name)
		if os.IsNotExist(err) {
			return nil, item.Errorf("there is no file %s; the IRI of a context has a scheme", name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w (named in %s:%d:%d)", err, item.File, item.Line, item.Column)
		}
		if context := loaded.Get("@context"); context != nil {
			loaded = context
		}
		if whole.Kind == List {
			whole.Items[i] = loaded
		} else {
			whole = *loaded
		}
	}
	with := *rdf
	with.Entries = slices.Clone(rdf.Entries)
	for i, e := range with.Entries {
		if e == entry {
			one := *e
			one.Value = &whole
			with.Entries[i] = &one
		}
	}
	return &with, nil
}

// Natural is the value of the part map that fills the fields of the schema by their names.
const Natural = "natural"

// title takes the name or the version of the spec. A version may be written as a number.
func (s *Spec) title(e *Entry) error {
	if e.Value.Kind != Text && (e.Value.Kind != Number || e.Key == "name") || e.Value.Text == "" {
		return e.Value.Errorf("the %s of a spec is a text", e.Key)
	}
	if e.Key == "name" {
		s.Name = e.Value.Text
	} else {
		s.Version = e.Value.Text
	}
	return nil
}

func (s *Spec) part(name string) **Node {
	switch name {
	case "source":
		return &s.Source
	case "select":
		return &s.Select
	case "map":
		return &s.Map
	case "schema":
		return &s.Schema
	case "pages":
		return &s.Pages
	case "reconcile":
		return &s.Reconcile
	case "rdf":
		return &s.RDF
	}
	return nil
}
