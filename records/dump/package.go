package dump

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// descriptor is a Data Package (version 2) of the files that were written.
type descriptor struct {
	Schema    string     `json:"$schema"`
	Resources []resource `json:"resources"`
}

type resource struct {
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Path      string       `json:"path"`
	Format    string       `json:"format"`
	Mediatype string       `json:"mediatype"`
	Encoding  string       `json:"encoding,omitempty"`
	Bytes     int64        `json:"bytes"`
	Hash      string       `json:"hash"`
	Dialect   *dialect     `json:"dialect,omitempty"`
	Schema    *tableSchema `json:"schema,omitempty"`
}

type dialect struct {
	Delimiter string `json:"delimiter,omitempty"`
	Table     string `json:"table,omitempty"`
}

type tableSchema struct {
	Fields []schemaField `json:"fields"`
}

type schemaField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// writePackage writes the descriptor, when all files have their names. Those that are not in
// its folder or below have no path that a descriptor may give, and are not in it.
func (s *Sink) writePackage() error {
	d := descriptor{Schema: "https://datapackage.org/profiles/2.0/datapackage.json", Resources: []resource{}}
	folder, err := filepath.Abs(filepath.Dir(s.opt.Package))
	if err != nil {
		return err
	}
	schema := &tableSchema{Fields: []schemaField{}}
	for _, c := range s.table.columns {
		schema.Fields = append(schema.Fields, schemaField{c.name, c.schemaType()})
	}
	taken := map[string]bool{}
	for _, o := range s.outputs {
		if o.target.path == "" {
			continue
		}
		path, err := filepath.Abs(o.file.Path)
		if err == nil {
			path, err = filepath.Rel(folder, path)
		}
		if err != nil || !filepath.IsLocal(path) {
			continue
		}
		r := resource{Name: resourceName(path, o.format, taken), Type: "table", Path: filepath.ToSlash(path), Format: o.format.name,
			Mediatype: o.format.mediatype, Bytes: o.target.size, Hash: o.target.hash, Schema: schema}
		switch o.format.name {
		case "csv", "jsonl", "json", "yaml", "xml", "html":
			r.Encoding = "utf-8"
		case "tsv":
			r.Encoding, r.Dialect = "utf-8", &dialect{Delimiter: "\t"}
		case "sqlite":
			r.Dialect = &dialect{Table: s.opt.Table}
		}
		d.Resources = append(d.Resources, r)
	}
	return writeJSON(s.opt.Package, d)
}

// resourceName makes a name of small letters, digits, dots, hyphens and low lines.
func resourceName(path string, f *format, taken map[string]bool) string {
	name := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, strings.ToLower(strings.TrimSuffix(filepath.Base(path), f.suffix)))
	for _, more := range []string{"", "-" + f.name, "-" + f.name + "-2", "-" + f.name + "-3"} {
		if !taken[name+more] {
			name += more
			break
		}
	}
	taken[name] = true
	return name
}

// writeJSON writes a value into a file that takes its name when it is complete.
func writeJSON(path string, v any) error {
	t, err := createTarget(File{Path: path}, "")
	if err != nil {
		return err
	}
	defer t.abort()
	e := json.NewEncoder(t)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	if err := t.complete(); err != nil {
		return err
	}
	return t.rename()
}
