package files

// AppendRenamed appends a line of a list of renamed nodes, without its end: the name before, a
// tab, and the name after, as terms of N-Quads.
func AppendRenamed(dst, before, after []byte) []byte {
	return append(append(append(dst, before...), '\t'), after...)
}
