package recordtables

import (
	"context"
	"encoding/json"
	"io"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// mostTypes is how many fields get the types of the schemas beside records; further ones are as they are written.
const mostTypes = 10_000

// schemaField is a field of a Table Schema, as far as its values have a type by it.
type schemaField struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Format string `json:"format,omitempty"`
}

// Schema is a Table Schema of all rows, put together from those beside the records of the documents. A field that
// they say different things of has any type.
func (t *Table) Schema(ctx context.Context) ([]byte, error) {
	var fields []*schemaField
	byName := map[string]*schemaField{}
	err := t.Documents(ctx, func(seed *seedlist.Seed) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, is := range t.schemaOf(seed) {
			known := byName[is.Name]
			switch {
			case known == nil && len(fields) < mostTypes:
				byName[is.Name] = &is
				fields = append(fields, &is)
			case known != nil:
				known.join(is)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, nil
	}
	return json.Marshal(map[string]any{"fields": fields, "missingValues": []string{""}})
}

// join makes a type of two.
func (f *schemaField) join(other schemaField) {
	isNumber := func(kind string) bool { return kind == "integer" || kind == "number" }
	switch {
	case *f == other:
	case isNumber(f.Type) && isNumber(other.Type) && f.Format == other.Format:
		f.Type = "number"
	default:
		f.Type, f.Format = "any", ""
	}
}

// schemaOf are the fields of the schema beside the records of a document; nil where it can't be read. Its values are
// then as they are written.
func (t *Table) schemaOf(seed *seedlist.Seed) []schemaField {
	p := seed.Product(seedlist.ProductRecords)
	if p == nil || p.Schema == "" {
		return nil
	}
	named, err := seedfile.Find(seed, seedfile.Schema, 0)
	if err != nil {
		return nil
	}
	file, err := t.Files.Open(named.Key, named.Suffix)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(files.Sequential(file))
	if err != nil {
		return nil
	}
	var schema struct{ Fields []schemaField }
	if json.Unmarshal(text, &schema) != nil {
		return nil
	}
	return schema.Fields
}
