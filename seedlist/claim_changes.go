package seedlist

import "maps"

// ClaimsDiffer says that a catalog claims something else of a document than its record has, and may change that. The
// claims of another catalog stay. others says that the new claims speak of other bytes.
func (r *Record) ClaimsDiffer(seed *NewSeed) (differ, others bool) {
	if len(r.Claims) > 0 && r.Claims[ClaimedBy] != seed.Claims[ClaimedBy] || maps.Equal(r.Claims, seed.Claims) {
		return false, false
	}
	for _, name := range [...]string{"size", "checksum", "modified"} {
		was, is := r.Claims[name], seed.Claims[name]
		others = others || was != "" && is != "" && was != is
	}
	return true, others
}

// TakeClaims takes what a catalog claims, and its title of a document that has none.
func (r *Record) TakeClaims(seed *NewSeed) {
	r.Claims = seed.Claims
	if r.Title == "" {
		r.Title = seed.Title
	}
}
