//go:build !lean

package dump

// lean says that heavy formats are left out.
const lean = false
