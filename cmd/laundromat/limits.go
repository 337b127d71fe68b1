package main

import (
	"github.com/spf13/pflag"

	"laundromat/archive"
)

// addLimits adds the flags that bound what unpacking may cost.
func addLimits(flags *pflag.FlagSet, l *archive.Limits) {
	flags.IntVar(&l.Depth, "max-depth", 32, "most layers of archives and compression in each other")
	flags.Int64Var(&l.Entries, "max-entries", 1_000_000, "most entries of an archive, those of archives in it included")
	l.Bytes = 1 << 40
	flags.Var(sizeValue{&l.Bytes}, "max-bytes", "most bytes that an input may unpack to")
	flags.Int64Var(&l.Ratio, "max-ratio", 1000, "most bytes that one byte may unpack to")
}

// windowMemory is how much of the memory the window of one decoder may take. Usual data needs up
// to 128 MiB, for which there is room beside little memory too: windows only take what is there.
func windowMemory(memory int64) int64 { return max(memory/4, 128<<20) }
