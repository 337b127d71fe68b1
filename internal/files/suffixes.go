package files

// Suffixes returns every suffix that a file may have.
func Suffixes() []Suffix { return suffixes[:] }
