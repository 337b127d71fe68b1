package recipe

import (
	"bytes"
	"mime"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/encoding"
	"laundromat/internal/rfc3986"
	"laundromat/records/spec"
	"laundromat/seedlist"
	"laundromat/states/kind"
)

// Parse reads a recipe. Errors call the text file. The files that it names are found in folder; where that is "",
// none may be named. An error is a *spec.Error with its place, or of the file system.
func Parse(file string, text []byte, folder string) (*Recipe, error) {
	root, err := spec.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return fromNode(root, folder, true)
}

// FromBody reads what [Recipe.Body] wrote.
func FromBody(name string, body []byte) (*Recipe, error) {
	root, err := spec.Parse(name, body)
	if err != nil {
		return nil, err
	}
	r, err := fromNode(root, "", false)
	if err == nil {
		r.Name, r.SHA256 = name, seedlist.RecipeSum(body)
	}
	return r, err
}

// MatchOf reads of a body only what it matches, and whether it may make more than statements of RDF.
func MatchOf(name string, body []byte) (m *Match, asksMore bool, err error) {
	root, err := spec.Parse(name, body)
	if err != nil {
		return nil, false, err
	}
	r := &Recipe{}
	match := root.Get("match")
	if match == nil {
		return nil, false, root.Errorf("there is no match in it")
	}
	if err := r.Match.parse(match); err != nil {
		return nil, false, err
	}
	err = r.parseProducts(root.Get("products"))
	asksMore = root.Get("spec") != nil || root.Get("csvw") != nil ||
		len(r.Products) > 0 && !slices.Equal(r.Products, []string{kind.Statements})
	return &r.Match, asksMore, err
}

func fromNode(root *spec.Node, folder string, named bool) (*Recipe, error) {
	keys := []string{"name", "match", "read", "products", "spec", "csvw", "pages"}
	if !named {
		keys = keys[1:]
	}
	if err := root.Only("key of a recipe", keys...); err != nil {
		return nil, err
	}
	r := &Recipe{}
	if name := root.Get("name"); name != nil {
		if name.Kind != spec.Text && name.Kind != spec.Number || !seedlist.IsRecipeName(name.Text) {
			return nil, name.Errorf("%s", seedlist.ErrRecipeName)
		}
		r.Name = name.Text
	} else if named {
		return nil, root.Errorf("a recipe has a name: put a line \"name: …\" into it")
	}
	match := root.Get("match")
	if match == nil {
		return nil, root.Errorf("a recipe says which documents it is for: put a line \"match: {host: …}\" into it")
	}
	if err := r.Match.parse(match); err != nil {
		return nil, err
	}
	if read := root.Get("read"); read != nil {
		if err := r.Read.parse(read); err != nil {
			return nil, err
		}
	}
	if err := r.parseProducts(root.Get("products")); err != nil {
		return nil, err
	}
	r.Pages = root.Get("pages")
	if err := r.parseSpec(root, folder); err != nil {
		return nil, err
	}
	if err := r.parseCSVW(root); err != nil {
		return nil, err
	}
	if err := r.parsePages(); err != nil {
		return nil, err
	}
	body := r.Body()
	if len(body) > seedlist.MostRecipe {
		return nil, root.Errorf("%s: it has %d bytes", seedlist.ErrRecipeLong, len(body))
	}
	r.SHA256 = seedlist.RecipeSum(body)
	return r, nil
}

type condition struct {
	name   string
	values *[]string
	check  func(v *spec.Node, text string) (string, error)
}

// conditions are those of a match, in their order.
func (m *Match) conditions() []condition {
	return []condition{
		{"uri", &m.URI, checkURI}, {"host", &m.Host, checkHost}, {"source", &m.Source, asItIs}, {"catalog", &m.Catalog, asItIs},
		{"format", &m.Format, checkFormat}, {"media", &m.Media, checkMedia},
	}
}

func (m *Match) parse(node *spec.Node) error {
	conditions := m.conditions()
	names := make([]string, len(conditions))
	for i, c := range conditions {
		names[i] = c.name
	}
	if err := node.Only("key of match", names...); err != nil {
		return err
	}
	if len(node.Entries) == 0 {
		return node.Errorf("match names at least one of %s; {uri: \"*\"} is for all documents", strings.Join(names, ", "))
	}
	for _, c := range conditions {
		value := node.Get(c.name)
		if value == nil {
			continue
		}
		items := []*spec.Node{value}
		if value.Kind == spec.List {
			items = value.Items
		}
		if len(items) == 0 {
			return value.Errorf("%s names at least one value", c.name)
		}
		for _, item := range items {
			if err := item.Want(spec.Text); err != nil {
				return err
			}
			if strings.TrimSpace(item.Text) == "" {
				return item.Errorf("%s is empty here", c.name)
			}
			text, err := c.check(item, strings.TrimSpace(item.Text))
			if err != nil {
				return err
			}
			if !slices.Contains(*c.values, text) {
				*c.values = append(*c.values, text)
			}
		}
	}
	return nil
}

func asItIs(_ *spec.Node, text string) (string, error) { return text, nil }

func checkURI(v *spec.Node, text string) (string, error) {
	if !strings.Contains(text, "*") && !strings.Contains(text, ":") {
		return "", v.Errorf("%q is no URI, and matches none: write it whole, or with \"*\" for what may be anything", text)
	}
	return text, nil
}

func checkHost(v *spec.Node, text string) (string, error) {
	under, isUnder := strings.CutPrefix(text, "*.")
	if strings.Contains(under, "*") {
		return "", v.Errorf("a host has \"*.\" at its begin or no wildcard; uri takes others")
	}
	if strings.Contains(under, "/") {
		return "", v.Errorf("%q isn't a host, such as example.org or example.org:8080; uri takes the beginning of URIs", text)
	}
	host, err := seedlist.HostOf(under)
	if err != nil {
		return "", v.Errorf("%q isn't a host, such as example.org or example.org:8080", text)
	}
	if isUnder {
		host = "*." + host
	}
	return host, nil
}

func checkFormat(v *spec.Node, text string) (string, error) {
	is, ok := kind.Named(text)
	if !ok {
		return "", v.Errorf("unknown format %q%s", text, spec.Meant(text, kind.Names()...))
	}
	return is.Record(), nil
}

func checkMedia(v *spec.Node, text string) (string, error) {
	bare, _, err := mime.ParseMediaType(text)
	if err != nil && !strings.Contains(text, "*") {
		return "", v.Errorf("%q isn't a media type, such as text/csv", text)
	}
	if err != nil {
		bare = strings.ToLower(text)
	}
	return bare, nil
}

func (r *Read) parse(node *spec.Node) error {
	if err := node.Only("key of read", "format", "encoding", "base", "fix-mojibake"); err != nil {
		return err
	}
	for _, e := range node.Entries {
		v := e.Value
		if e.Key == "fix-mojibake" {
			if err := v.Want(spec.Bool); err != nil {
				return err
			}
			r.FixMojibake = v.Text == "true"
			continue
		}
		if err := v.Want(spec.Text); err != nil {
			return err
		}
		switch e.Key {
		case "format":
			is, ok := kind.Named(v.Text)
			if !ok || !is.MayBeGiven() {
				return v.Errorf("unknown format %q%s", v.Text, spec.Meant(v.Text, kind.Names()...))
			}
			r.Format = string(is)
		case "encoding":
			if _, err := encoding.NewReader(strings.NewReader(""), v.Text, encoding.Options{}); err != nil || v.Text == "" {
				return v.Errorf("unknown encoding %q", v.Text)
			}
			r.Encoding = v.Text
		case "base":
			if c := rfc3986.Split([]byte(v.Text)); !c.HasScheme || bytes.ContainsAny([]byte(v.Text), " <>\"{}|\\^`") {
				return v.Errorf("%q isn't an absolute IRI", v.Text)
			}
			r.Base = v.Text
		}
	}
	return nil
}

func (r *Recipe) parseProducts(node *spec.Node) error {
	if node == nil {
		return nil
	}
	items := []*spec.Node{node}
	if node.Kind == spec.List {
		items = node.Items
	}
	for _, item := range items {
		if err := item.Want(spec.Text); err != nil {
			return err
		}
		if !slices.Contains(kind.Products(), item.Text) {
			return item.Errorf("unknown product %q%s", item.Text, spec.Meant(item.Text, kind.Products()...))
		}
		if slices.Contains(r.Products, item.Text) {
			return item.Errorf("%s is named twice", item.Text)
		}
		r.Products = append(r.Products, item.Text)
	}
	if len(items) == 0 {
		return node.Errorf("products names at least one of %s", strings.Join(kind.Products(), ", "))
	}
	slices.SortFunc(r.Products, func(a, b string) int {
		return slices.Index(kind.Products(), a) - slices.Index(kind.Products(), b)
	})
	return nil
}

// parseSpec reads the spec, and compiles it, so that a wrong one is refused.
func (r *Recipe) parseSpec(root *spec.Node, folder string) (err error) {
	entry := root.Entry("spec")
	if entry == nil {
		return nil
	}
	node := entry.Value
	if node.Kind == spec.Text && folder != "" {
		name := node.Text
		if !filepath.IsAbs(name) {
			name = filepath.Join(folder, name)
		}
		if r.Spec, err = spec.Load(name); err != nil {
			return node.Errorf("the spec: %s", err)
		}
	} else {
		if folder == "" {
			if err := node.RefuseFiles(); err != nil {
				return err
			}
		}
		if r.Spec, err = spec.FromNode(node, folder); err != nil {
			return err
		}
	}
	if r.Products != nil && !slices.Contains(r.Products, kind.Records) {
		return root.EntryErrorf(entry, "a spec makes records, and products does not name them")
	}
	if rdf := r.Spec.RDF; rdf != nil && r.Products != nil && !slices.Contains(r.Products, kind.Statements) {
		return root.EntryErrorf(entry, "the part rdf of the spec makes statements, and products does not name them")
	}
	return r.compile()
}

// csvwModes are the modes of W3C's statements of tables.
var csvwModes = []string{"minimal", "standard"}

// parseCSVW reads how statements are made of tables by themselves.
func (r *Recipe) parseCSVW(root *spec.Node) error {
	entry := root.Entry("csvw")
	if entry == nil {
		return nil
	}
	node := entry.Value
	if err := node.Want(spec.Text); err != nil {
		return err
	}
	switch {
	case !slices.Contains(csvwModes, node.Text):
		return node.Errorf("csvw is one of %s, not %q", strings.Join(csvwModes, ", "), node.Text)
	case r.Spec != nil:
		return root.EntryErrorf(entry, "csvw makes statements by the metadata of tables, and a spec by its part rdf: name one of the two")
	case r.Products != nil && (!slices.Contains(r.Products, kind.Statements) || !slices.Contains(r.Products, kind.Records)):
		return root.EntryErrorf(entry, "csvw makes records and statements of tables, and products does not name both")
	}
	r.CSVW = node.Text
	return nil
}
