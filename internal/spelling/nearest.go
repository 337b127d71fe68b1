package spelling

// Nearest is the name among known that differs from name by the fewest letters, the first of several. It is ""
// if more than a third of its letters differ.
func Nearest(name string, known ...string) string {
	most := max(1, len(name)/3)
	nearest := ""
	for _, one := range known {
		if d := Apart(name, one); d <= most && one != "" {
			nearest, most = one, d-1
		}
	}
	return nearest
}

// Apart is [Distance] for names of any length, such as URIs: what both begin and end with is not compared.
func Apart(a, b string) int {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return Distance([]byte(a), []byte(b))
}
