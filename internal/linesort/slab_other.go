//go:build !linux

package linesort

import "unsafe"

// mapSlab has none: memory comes from the garbage collector alone.
func mapSlab(int) []byte { return nil }

func unmapSlab([]byte) {}

func emptySlab([]byte) {}

func wishHuge(unsafe.Pointer, int) {}
