package ttl

// WithBlock returns opt with another size of a block, so that tests can let the
// ends of blocks fall anywhere.
func WithBlock(opt Options, size int) Options {
	opt.block = size
	return opt
}

// Stepwise returns opt with no statement of Turtle and TriG read as a whole.
func Stepwise(opt Options) Options {
	opt.stepwise = true
	return opt
}
