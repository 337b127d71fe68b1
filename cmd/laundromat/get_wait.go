package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
)

// awaitEvery is the pause between two looks at a seed that is waited for.
const awaitEvery = 100 * time.Millisecond

// awaitProduct adds a URI that is not in the list, and returns when the seed has come to its end, however it did: why
// there is no file then is said where the file is asked for.
func awaitProduct(ctx context.Context, u *ui, ref string, most time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, most, errTooLate)
	defer cancel()
	api, err := connect(ctx, u, toChange)
	if err != nil {
		return err
	}
	defer api.Close()
	if !api.IsDaemon() {
		return fmt.Errorf("no daemon works on %s, so that nothing is made while one waits: start one (\"laundromat serve\"), or add the URI "+
			"and wash it (\"laundromat seed add URI\", \"laundromat serve --until-idle\")", u.dataDir())
	}
	outer, _, isMember := strings.Cut(ref, "!/")
	hash, err := api.HashOf(ctx, outer)
	if missing := new(client.Error); errors.As(err, &missing) && missing.IsNotFound() && !client.IsHash(outer) {
		hash, err = addAwaited(ctx, u, api, outer)
	}
	if err == nil {
		err = awaitEnd(ctx, api, hash)
	}
	if err == nil && isMember {
		// An archive that has come to its end has all of its members.
		if hash, err = api.HashOf(ctx, ref); err == nil {
			err = awaitEnd(ctx, api, hash)
		}
	}
	if errors.Is(context.Cause(ctx), errTooLate) {
		return fmt.Errorf("%s was not made within %v; \"laundromat why %s\" says how far it has come", seedlist.Shown(ref), most, hash)
	}
	return err
}

// awaitEnd returns when a seed has come to its end, or has something that is served.
func awaitEnd(ctx context.Context, api *client.Client, hash string) error {
	for {
		seed, err := api.Seed(ctx, hash)
		switch {
		case err != nil:
			return err
		case seed.Document != "":
			hash = seed.Document
			continue
		case seed.Relative || seed.Status.IsFinal() || seed.IsServed():
			return nil
		}
		if err := rest(ctx, awaitEvery); err != nil {
			return err
		}
	}
}

// errTooLate says that the time is over for which somebody waits.
var errTooLate = errors.New("the time is over")

// addAwaited adds a URI, and returns the key of its seed.
func addAwaited(ctx context.Context, u *ui, api *client.Client, ref string) (hash string, err error) {
	if err := checkTyped([]string{ref}, meantSeeds); err != nil {
		return "", err
	}
	adder := api.Adder(func(added web.Added) error {
		if added.Error != "" {
			return exit(exitNotFound, fmt.Errorf("%s can't be added: %s", seedlist.Shown(ref), added.Error))
		}
		hash = added.Hash
		u.note("%s was not in the list, and is being made", seedlist.Shown(ref))
		return nil
	})
	if err := adder.Add(ctx, web.NewSeed{URI: ref, Source: "get"}); err != nil {
		return "", err
	}
	return hash, adder.Flush(ctx)
}

// adviseWait adds to the error of a URI that no seed has how it gets one.
func (o *getOptions) adviseWait(u *ui, ref string, err error) error {
	missing := new(client.Error)
	ref, _, _ = client.SplitVersion(ref)
	if o.wait || !errors.As(err, &missing) || !missing.IsNotFound() || client.IsHash(ref) || strings.Contains(ref, "!/") {
		return err
	}
	if uri, bad := seedlist.ParseURI(ref); bad != nil || uri.Relative {
		return err
	}
	api, failed := connect(context.Background(), u, toRead)
	if failed != nil {
		return err
	}
	defer api.Close()
	if _, unknown := api.HashOf(context.Background(), ref); unknown != nil {
		u.note("\"laundromat get --wait %s\" adds it to the list of a daemon that runs, and gives its file when it is made", seedlist.Shown(ref))
	}
	return err
}
