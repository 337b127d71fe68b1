package extract

// Terms is how many terms the cost of a reading has.
const Terms = int(terms)

// WithoutTerm runs a function while a term of the cost is free, and says what the term is for.
func WithoutTerm(n int, run func()) (what string) {
	kept := prices[n]
	defer func() { prices[n] = kept }()
	prices[n].points = 0
	run()
	return kept.what
}
