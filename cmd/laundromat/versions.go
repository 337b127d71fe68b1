package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"laundromat/seedlist"
)

// addKeepVersions adds the flag that says how many versions are kept.
func addKeepVersions(flags *pflag.FlagSet, n *int, how string) {
	flags.IntVar(n, "keep-versions", 0, "keep the clean files of so many older versions, 0 to "+strconv.Itoa(seedlist.MaxKept)+how)
}

func checkKeepVersions(n int) error {
	if n < 0 || n > seedlist.MaxKept {
		return usage("--keep-versions is 0 to %d, not %d", seedlist.MaxKept, n)
	}
	return nil
}
