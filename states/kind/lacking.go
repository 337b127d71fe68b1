package kind

import "laundromat/seedlist"

// IsLacking says that a product was never asked for when a document was washed, and that documents of its kind make it.
// Of a document whose kind a version before did not note, nobody knows: it may.
func IsLacking(seed *seedlist.Seed, product string) bool {
	if seed.Status != seedlist.Parsed && seed.Status != seedlist.Failed || seed.Content == nil || seed.Document != "" {
		return false
	}
	if seed.Product(product) != nil || product == Statements && seed.ServedClean() != "" {
		return false
	}
	if seed.Format == "" {
		return seed.Error != nil && seed.Error.Stage == seedlist.Guessing
	}
	k := Kind(seed.Format)
	if k.Record() == RSS10.Record() && product == Articles {
		return true // records name a feed in RDF/XML as they do all RDF/XML
	}
	return len(k.Makes([]string{product})) > 0
}
