package prose

import "golang.org/x/text/encoding/charmap"

// Page is a code page that is looked for.
type Page struct {
	Name  string
	Table *charmap.Charmap
}

// Pages are all of them.
func Pages() (all []Page) {
	for _, p := range pages {
		all = append(all, Page{p.name, p.table})
	}
	return all
}
