// Package datapackage reads the descriptor of a Data Package (datapackage.json, version 1 and 2): its resources, and
// how each is read.
//
//	node, err := spec.Parse("datapackage.json", text)
//	p, err := datapackage.Read(node)
//	for _, r := range p.Resources { … r.Paths, r.Source, r.Schema … }
//
// A descriptor comes from anyone: a path that leads out of its folder is refused, as the standard asks for.
package datapackage

import (
	"net/url"
	"path"
	"strings"

	"laundromat/records/extract"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// Package is what a descriptor says.
type Package struct {
	Name, Title, License, Modified string
	Resources                      []*Resource
}

// Resource is a table, or another file, of a package.
type Resource struct {
	Name, Title, Format, MediaType, Encoding, License string
	Bytes, Hash                                       string     // as the descriptor has them
	Paths                                             []string   // relative, or URLs; their texts are one table
	Data                                              *spec.Node // in place of paths
	Source                                            *extract.Source
	Dialect                                           *spec.Node // nil where the descriptor has none
	Schema                                            *spec.Node // a Table Schema; nil where there is none
	// SchemaPath and DialectPath name the documents that have the schema and the dialect, where the descriptor has not.
	SchemaPath, DialectPath string

	node *spec.Node
}

// IsDescriptor says that a document is one of a package: an object with the list resources, whose items have a path or
// data.
func IsDescriptor(node *spec.Node) bool {
	list := node.Get("resources")
	if list == nil || list.Kind != spec.List || len(list.Items) == 0 {
		return false
	}
	for _, item := range list.Items {
		if item.Get("path") == nil && item.Get("data") == nil && item.Get("url") == nil {
			return false
		}
	}
	return true
}

// Read reads a descriptor. What is wrong in it is refused with its place.
func Read(node *spec.Node) (*Package, error) {
	p, err := Each(node, func(_ *Resource, err error) error { return err })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Each reads a descriptor and calls do with each resource, or with what is wrong in it. The package has those that are
// sound.
func Each(node *spec.Node, do func(*Resource, error) error) (*Package, error) {
	if err := node.Want(spec.Map); err != nil {
		return nil, err
	}
	p := &Package{Name: textOf(node, "name"), Title: textOf(node, "title"), License: licenseOf(node), Modified: textOf(node, "created")}
	list := node.Get("resources")
	if list == nil {
		return nil, node.Errorf(`a Data Package has "resources"`)
	}
	if err := list.Want(spec.List); err != nil {
		return nil, err
	}
	if len(list.Items) == 0 {
		return nil, list.Errorf("a Data Package has at least one resource")
	}
	names := map[string]bool{}
	for _, item := range list.Items {
		r, err := readResource(item)
		if err == nil && r.Name != "" && names[r.Name] {
			err = item.Get("name").Errorf("two resources have the name %q", r.Name)
		}
		if err != nil {
			if err := do(nil, err); err != nil {
				return p, err
			}
			continue
		}
		names[r.Name] = true
		if r.License == "" {
			r.License = p.License
		}
		p.Resources = append(p.Resources, r)
		if err := do(r, nil); err != nil {
			return p, err
		}
	}
	return p, nil
}

func readResource(node *spec.Node) (*Resource, error) {
	if err := node.Want(spec.Map); err != nil {
		return nil, err
	}
	r := &Resource{Name: textOf(node, "name"), Title: textOf(node, "title"), Format: strings.ToLower(textOf(node, "format")),
		MediaType: textOf(node, "mediatype"), Encoding: textOf(node, "encoding"), License: licenseOf(node), Hash: textOf(node, "hash"),
		Data: node.Get("data"), node: node}
	if n := node.Get("bytes"); n != nil && n.Kind == spec.Number {
		r.Bytes = n.Text
	}
	if err := r.readPaths(); err != nil {
		return nil, err
	}
	var err error
	if r.Dialect, r.DialectPath, err = part(node, "dialect"); err != nil {
		return nil, err
	}
	if r.Schema, r.SchemaPath, err = part(node, "schema"); err != nil {
		return nil, err
	}
	return r, r.SetDialect(r.Dialect)
}

// part is an object of the descriptor, or the path of the document that is it.
func part(node *spec.Node, name string) (*spec.Node, string, error) {
	v := node.Get(name)
	switch {
	case v == nil || v.Kind == spec.Null:
		return nil, "", nil
	case v.Kind == spec.Map:
		return v, "", nil
	case v.Kind != spec.Text:
		return nil, "", v.Errorf("%s is an object, or the path of a document", name)
	}
	return nil, v.Text, checkPath(v)
}

// readPaths reads where the data are.
func (r *Resource) readPaths() error {
	at := r.node.Get("path")
	if at == nil {
		at = r.node.Get("url") // as it was called before version 1
	}
	switch {
	case at == nil && r.Data == nil:
		return r.node.Errorf(`a resource has a "path", or "data"`)
	case at == nil:
		return r.checkData()
	case r.Data != nil:
		return r.node.Errorf(`a resource has a "path" or "data", not both`)
	}
	items := []*spec.Node{at}
	if at.Kind == spec.List {
		if items = at.Items; len(items) == 0 {
			return at.Errorf("the list of paths is empty")
		}
	}
	for _, item := range items {
		if err := item.Want(spec.Text); err != nil {
			return err
		}
		if err := checkPath(item); err != nil {
			return err
		}
		if IsURL(item.Text) != IsURL(items[0].Text) {
			return item.Errorf("the paths of a resource are all URLs, or all relative")
		}
		r.Paths = append(r.Paths, item.Text)
	}
	return nil
}

// checkData refuses data of which it is not known how they are read.
func (r *Resource) checkData() error {
	switch r.Data.Kind {
	case spec.List, spec.Map:
		return nil
	case spec.Text:
		if r.Format == "" && r.MediaType == "" {
			return r.Data.Errorf(`data that are a text need a "format" or a "mediatype"`)
		}
		return nil
	}
	return r.Data.Errorf("data are an array, an object or a text, not %s", r.Data.Kind)
}

// IsURL says that a path is a URL of the web.
func IsURL(text string) bool {
	lower := strings.ToLower(text[:min(len(text), 8)])
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
}

// Reference is a path of a descriptor as a reference of a URL. One that has percent-encoded octets is one already.
func Reference(path string) string {
	if IsURL(path) {
		return path
	}
	if decoded, err := url.PathUnescape(path); err == nil && decoded != path {
		return path
	}
	return (&url.URL{Path: path}).EscapedPath()
}

// checkPath refuses a path that leads out of the folder of its descriptor. What a decoder would make of it counts too.
func checkPath(node *spec.Node) error {
	text := node.Text
	if IsURL(text) {
		return nil
	}
	decoded := strings.NewReplacer("%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", `\`, "%5C", `\`).Replace(text)
	first, _, _ := strings.Cut(decoded, "/")
	switch {
	case text == "":
		return node.Errorf("the path is empty")
	case strings.ContainsAny(decoded, "\\\x00"):
		return node.Errorf(`the path %q has a character that no path of a package has; folders are apart by "/"`, text)
	case strings.HasPrefix(decoded, "/"), strings.HasPrefix(decoded, "~"):
		return node.Errorf("the path %q leads out of the package: paths are relative to the descriptor", text)
	case strings.Contains(first, ":"):
		return node.Errorf("the path %q is neither relative nor a URL of http or https", text)
	}
	for segment := range strings.SplitSeq(decoded, "/") {
		if segment == ".." {
			return node.Errorf("the path %q leads out of the package", text)
		}
	}
	return nil
}

// licenseOf is the first license, by its path or else its name.
func licenseOf(node *spec.Node) string {
	one := node.Get("license") // as it was before version 1
	if list := node.Get("licenses"); list != nil && list.Kind == spec.List && len(list.Items) > 0 {
		one = list.Items[0]
	}
	if one == nil {
		return ""
	}
	if one.Kind == spec.Text {
		return one.Text
	}
	for _, key := range []string{"path", "url", "name", "type", "title"} {
		if text := textOf(one, key); text != "" {
			return text
		}
	}
	return ""
}

func textOf(node *spec.Node, key string) string {
	if v := node.Get(key); v != nil && v.Kind == spec.Text {
		return v.Text
	}
	return ""
}

// IsTable says that the resource is a table, or data of which a table can be made: records, by its format.
func (r *Resource) IsTable() bool {
	if r.node.Get("schema") != nil || r.node.Get("type").IsText("table") ||
		strings.Contains(textOf(r.node, "profile"), "tabular-data-resource") {
		return true
	}
	return r.Source.Format != "" || r.Data != nil && r.Data.Kind == spec.List
}

// Compile is the schema of the resource; nil if it has none. resources are the tables that foreign keys lead to.
func (r *Resource) Compile(opt schema.Options) (*schema.Schema, error) {
	if r.Schema == nil {
		return nil, nil
	}
	return schema.Compile(r.Schema, opt)
}

// extensionOf is the ending of the first path, without that of its compression.
func (r *Resource) extensionOf() string {
	if len(r.Paths) == 0 {
		return ""
	}
	name := r.Paths[0]
	if cut := strings.IndexAny(name, "?#"); IsURL(name) && cut >= 0 {
		name = name[:cut]
	}
	for {
		ending := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
		switch ending {
		case "gz", "bz2", "xz", "zst", "zip":
			name = name[:len(name)-len(ending)-1]
			continue
		}
		return ending
	}
}

// FieldNames are the names of the fields of the schema.
func (r *Resource) FieldNames() (names []string) {
	if list := r.Schema.Get("fields"); list != nil {
		for _, field := range list.Items {
			names = append(names, textOf(field, "name"))
		}
	}
	return names
}
