package microformats

import "fmt"

// Rows are the vocabulary as rows of a table.
func Rows() (rows []string) {
	for typ, class := range vocabulary {
		rows = append(rows, fmt.Sprintf("| `%s` | | `a %s` |", typ, class.iri))
		for name, m := range class.properties {
			path := m.predicate
			if m.of != "" {
				path = m.of + "` / `" + path
			}
			if m.kind == organization {
				path += "` / `" + vcard + "organization-name"
			}
			rows = append(rows, fmt.Sprintf("| `%s` | `%s` | `%s` |", typ, name, path))
		}
	}
	return rows
}
