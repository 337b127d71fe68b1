package ttl

// WithBlock returns opt with another size of a block, so that tests can let the
// ends of blocks fall anywhere.
func WithBlock(opt Options, size int) Options {
	opt.block = size
	return opt
}
