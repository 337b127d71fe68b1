//go:build lean

package search

import "laundromat/internal/lean"

func openIndex(string) (store, error) { return nil, lean.Lacks("search") }

const layout = ""
