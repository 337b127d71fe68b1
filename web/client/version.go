package client

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"laundromat/seedlist"
)

// SplitVersion takes the number of a version off a reference: HASH@2. ok is false if
// there is none.
func SplitVersion(ref string) (of string, number int64, ok bool) {
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

// Find finds the seed that ref names, and the hash of the clean file that it means. That is the file of
// the version after an @, else that of the seed as it is now. A URI that ends so itself comes first.
func (c *Client) Find(ctx context.Context, ref string) (seed seedlist.Seed, clean string, err error) {
	of, number, versioned := SplitVersion(ref)
	look := func(ref string, find func(context.Context, string) (string, error)) error {
		hash, err := find(ctx, ref)
		if err != nil {
			return err
		}
		return c.Get(ctx, "/seeds/"+hash, nil, &seed)
	}
	if !versioned {
		err = look(ref, c.HashOf)
	} else if err = look(ref, c.hashOf); isRefusal(err) {
		if err = look(of, c.HashOf); err == nil {
			clean, err = cleanOfVersion(seed, number)
		}
		return seed, clean, err
	}
	if seed.Status == seedlist.Cleaned {
		return seed, seed.Hash, err
	}
	return seed, seed.ServedClean(), err
}

// FindVersion finds the seed that ref names, and the number of the version after an @; 0 if none is named. A URI that
// ends so itself comes first.
func (c *Client) FindVersion(ctx context.Context, ref string) (seed seedlist.Seed, number int64, err error) {
	of, number, isVersioned := SplitVersion(ref)
	hash := ""
	if isVersioned {
		if hash, err = c.hashOf(ctx, ref); err == nil {
			err = c.Get(ctx, "/seeds/"+hash, nil, &seed)
		}
		if !isRefusal(err) {
			return seed, 0, err
		}
	}
	if hash, err = c.HashOf(ctx, of); err == nil {
		err = c.Get(ctx, "/seeds/"+hash, nil, &seed)
	}
	return seed, number, err
}

// cleanOfVersion is the hash of the clean file of a version.
func cleanOfVersion(seed seedlist.Seed, number int64) (string, error) {
	versions := seed.Versions()
	for _, v := range versions {
		if v.Number != number {
			continue
		}
		switch {
		case v.Clean == "" && !v.Washed.IsZero():
			return "", refuse(http.StatusNotFound, "version %d of %s has no statements", number, seed.Hash)
		case v.Clean == "":
			return "", refuse(http.StatusNotFound, "version %d of %s was not washed", number, seed.Hash)
		case v.Kept, v.Clean == seed.Clean, v.Clean == seed.Previous:
			return v.Clean, nil
		}
		return "", refuse(http.StatusNotFound, "the clean file of version %d of %s was not kept (serve --keep-versions)", number, seed.Hash)
	}
	if len(versions) == 0 {
		return "", refuse(http.StatusNotFound, "%s has no versions yet", seed.Hash)
	}
	return "", refuse(http.StatusNotFound, "%s has the versions %d to %d, but no %d", seed.Hash, versions[0].Number,
		versions[len(versions)-1].Number, number)
}

// isRefusal says that nothing is found by what a person wrote, or that it names nothing.
func isRefusal(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && (refused.IsNotFound() || refused.IsMisuse())
}
