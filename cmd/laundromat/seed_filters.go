package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
)

// listFlags are the filters of every verb that is about many seeds. They are those of the API.
type listFlags struct {
	web.SeedFilter
	limit int
}

// filterFlags are the names of the flags that listFlags adds, without that of the limit.
var filterFlags = []string{"state", "format", "host", "source", "error", "notice", "product", "washer", "parent", "http-status"}

func (f *listFlags) add(c *cobra.Command) {
	f.addFilters(c)
	c.Flags().IntVar(&f.limit, "limit", 0, "at most so many (0: all)")
}

// addFilters adds the filters alone.
func (f *listFlags) addFilters(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.State, "state", "", "only seeds in this state")
	flags.StringVar(&f.Format, "format", "", "only documents of this format, or pages that hold it (RDFa, Microdata, JSON-LD)")
	flags.StringVar(&f.Host, "host", "", "only seeds of this host")
	flags.StringVar(&f.Source, "source", "", "only seeds from this source")
	flags.StringVar(&f.Error, "error", "", "only seeds that failed with this code")
	flags.StringVar(&f.Notice, "notice", "", "only documents with a notice of this code")
	flags.StringVar(&f.Product, "product", "", "only documents of which this product is served (statements, records, articles), or with "+
		"! after it could not be made")
	flags.StringVar(&f.Washer, "washer", "", "only seeds that this version of laundromat washed last")
	flags.StringVar(&f.HTTPStatus, "http-status", "", "only seeds whose last download ended with this status of HTTP, such as 404")
	flags.StringVar(&f.Parent, "parent", "", "only entries of this archive: HASH|URI")
}

// isSet says that there is a filter.
func (f *listFlags) isSet() bool { return f.SeedFilter != web.SeedFilter{} }

// check brings names into the form that the store knows, and refuses those that it does not.
func (f *listFlags) check() error {
	if f.limit < 0 {
		return usage("--limit is a number from 0")
	}
	if f.State != "" {
		state := seedlist.StateNamed(f.State)
		if state == "" {
			return usage("--state: there is no state %q%s (\"laundromat help states\" lists them)", f.State,
				didYouMean(f.State, stateNames()...))
		}
		f.State = string(state)
	}
	switch {
	case strings.EqualFold(f.Format, format.SourceMicrodata): // a part of pages, and no format by itself
		f.Format = format.SourceMicrodata
	case strings.EqualFold(f.Format, format.SourceMicroformats):
		f.Format = format.SourceMicroformats
	case f.Format != "":
		// Others than these are what a document was found to be: the store knows them.
		if meant := didYouMean(f.Format, listedFormats...); !f.namesFormat() && meant != "" {
			return usage("--format: %q isn't a known format%s (\"laundromat help formats\" lists those of RDF)", f.Format, meant)
		}
	}
	if f.Product != "" {
		f.Product = strings.ToLower(strings.TrimSpace(f.Product))
		if name := strings.TrimSuffix(f.Product, seedlist.FailedMark); !slices.Contains(seedlist.Products(), name) {
			return oneOf("product", name, seedlist.Products()...)
		}
	}
	if n, err := strconv.Atoi(f.HTTPStatus); f.HTTPStatus != "" && (err != nil || n < 100 || n > 999) {
		return usage("--http-status is a number of three digits, not %q", f.HTTPStatus)
	}
	for flag, code := range map[string]*string{"error": &f.Error, "notice": &f.Notice} {
		if *code == "" {
			continue
		}
		*code = strings.ToLower(strings.TrimSpace(*code))
		if _, known := fault.Explain(fault.Code(*code)); !known {
			return usage("--%s: there is no code %q%s (\"laundromat explain\" lists them)", flag, *code, didYouMean(*code, codeNames()...))
		}
	}
	if meant, isHost := web.HostMeant(f.Host); !isHost {
		if meant != "" {
			meant = "; did you mean " + meant + "?"
		}
		return usage("--host: %q isn't a host[:port]%s", f.Host, meant)
	}
	return nil
}

// namesFormat brings the name of a format into the form of records. Names of other documents than RDF are those of
// records, in any case of letters.
func (f *listFlags) namesFormat() bool {
	for _, name := range listedFormats {
		if strings.EqualFold(name, strings.TrimSpace(f.Format)) {
			f.Format = name
			return true
		}
	}
	known, err := format.Named(f.Format)
	f.Format = cmp.Or(string(known), f.Format)
	return err == nil
}

// connectFiltered checks the filters and connects to the store, which knows the archive that one
// of them may name.
func connectFiltered(ctx context.Context, u *ui, how access, f *listFlags) (*client.Client, url.Values, error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	api, err := connect(ctx, u, how)
	if err != nil {
		return nil, nil, err
	}
	if f.Parent != "" {
		if f.Parent, err = api.HashOf(ctx, f.Parent); err != nil {
			api.Close()
			return nil, nil, err
		}
	}
	return api, f.Query(), nil
}

// hashesOf finds all the seeds that are named, and tells each that is not there: then nothing is to be
// done with the others.
func hashesOf(ctx context.Context, u *ui, api *client.Client, refs []string) (hashes []string, missing error) {
	for _, ref := range refs {
		hash, err := api.HashOf(ctx, ref)
		switch {
		case err == nil:
			hashes = append(hashes, hash)
		case missing == nil:
			missing = err
		default:
			fmt.Fprintf(u.err, "laundromat: %s\n", err)
		}
	}
	return hashes, missing
}
