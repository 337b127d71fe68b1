//go:build !linux

package linesort

// mapSlab has none: memory comes from the garbage collector alone.
func mapSlab(int) []byte { return nil }

func unmapSlab([]byte) {}

func emptySlab([]byte) {}
