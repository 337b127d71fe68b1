package kind

import (
	"slices"

	"laundromat/seedlist"
)

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
	return slices.ContainsFunc(OfRecord(seed.Format), func(k Kind) bool { return slices.Contains(k.ByItself(), product) })
}
