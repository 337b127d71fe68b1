package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"laundromat/seedlist"
)

// splitVersion takes the number of a version off a reference: HASH@2. ok is false if
// there is none.
func splitVersion(ref string) (of string, number int64, ok bool) {
	at := strings.LastIndexByte(ref, '@')
	if at <= 0 {
		return ref, 0, false
	}
	number, err := strconv.ParseInt(ref[at+1:], 10, 64)
	if err != nil || number < 1 || ref[at+1] == '+' {
		return ref, 0, false
	}
	return ref[:at], number, true
}

// find finds the seed that ref names, and the clean file that it means: that of the version
// behind an @, else that of the seed as it is now. A URI that ends so itself comes first.
func (c *client) find(ctx context.Context, ref string) (seed seedlist.Seed, clean string, err error) {
	of, number, versioned := splitVersion(ref)
	look := func(ref string) error {
		hash, err := c.hashOf(ctx, ref)
		if err != nil {
			return err
		}
		return c.get(ctx, "/seeds/"+hash, nil, &seed)
	}
	var ended *exitError
	err = look(ref)
	if versioned && errors.As(err, &ended) {
		if err = look(of); err == nil {
			clean, err = cleanOfVersion(seed, number)
		}
		return seed, clean, err
	}
	if seed.Status == seedlist.Cleaned {
		return seed, seed.Hash, err
	}
	return seed, seed.Clean, err
}

// cleanOfVersion is the hash of the clean file of a version.
func cleanOfVersion(seed seedlist.Seed, number int64) (string, error) {
	versions := seed.Versions()
	for _, v := range versions {
		if v.Number != number {
			continue
		}
		switch {
		case v.Clean == "":
			return "", exit(exitNotFound, fmt.Errorf("version %d of %s was not washed", number, seed.Hash))
		case v.Kept, v.Clean == seed.Clean, v.Clean == seed.Previous:
			return v.Clean, nil
		}
		return "", exit(exitNotFound, fmt.Errorf("the clean file of version %d of %s was not kept (serve --keep-versions)", number, seed.Hash))
	}
	if len(versions) == 0 {
		return "", exit(exitNotFound, fmt.Errorf("%s has no versions yet", seed.Hash))
	}
	return "", exit(exitNotFound, fmt.Errorf("%s has the versions %d to %d, but no %d", seed.Hash, versions[0].Number, versions[len(versions)-1].Number, number))
}

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
