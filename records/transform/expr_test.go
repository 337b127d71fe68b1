//go:build !lean

package transform_test

// withExpressions says that the program has expressions.
const withExpressions = true
