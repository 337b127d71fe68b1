//go:build !lean

package lean

// Built says that this program was built with the tag "lean".
const Built = false
