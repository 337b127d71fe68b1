package web

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/seedlist"
)

// SeedFilter is the one list of filters: which seeds a list, or a request for many, is about. Its
// names are those of the flags of every verb. What is left out filters nothing.
type SeedFilter struct {
	State  string `query:"state" json:"state,omitempty" doc:"only seeds in this state"`
	Format string `query:"format" json:"format,omitempty" doc:"only documents of this format, or pages that hold it"`
	Host   string `query:"host" json:"host,omitempty" doc:"only seeds of this host[:port]"`
	Source string `query:"source" json:"source,omitempty" doc:"only seeds from this source"`
	Error  string `query:"error" json:"error,omitempty" doc:"only seeds whose error has this code"`
	Notice string `query:"notice" json:"notice,omitempty" doc:"only documents with a notice of this code"`
	// HTTPStatus is that with which the last download ended, such as 404.
	HTTPStatus string `query:"http_status" json:"http_status,omitempty" doc:"only seeds whose last download ended with this status of HTTP"`
	Product    string `query:"product" json:"product,omitempty" doc:"only documents of which this product is served, or with ! could not be made"`
	Washer     string `query:"washer" json:"washer,omitempty" doc:"only seeds that this version washed last"`
	Parent     string `query:"parent" json:"parent,omitempty" doc:"only entries of the archive of this hash"`
	Relative   string `query:"relative" json:"relative,omitempty" enum:"true,false" doc:"only relative URIs, or none"`
}

// Query is the filter as the API takes it.
func (f *SeedFilter) Query() url.Values {
	query := url.Values{}
	for name, value := range map[string]string{
		"state": f.State, "format": f.Format, "host": f.Host, "source": f.Source, "error": f.Error, "notice": f.Notice,
		"product": f.Product, "washer": f.Washer, "parent": f.Parent, "http_status": f.HTTPStatus,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// of is what a seed list is asked for.
func (f *SeedFilter) of(cursor string, limit int) seedlist.Filter {
	filter := seedlist.Filter{
		State: seedlist.State(f.State), Format: f.Format, Host: f.Host, Source: f.Source, Washer: f.Washer,
		Error: fault.Code(f.Error), Notice: fault.Code(f.Notice), Product: f.Product, Parent: f.Parent,
		HTTPStatus: statusOf(f.HTTPStatus),
		Cursor:     cursor, Limit: limit,
	}
	if f.Relative != "" {
		relative := f.Relative == "true"
		filter.Relative = &relative
	}
	return filter
}

// statusOf is a status of HTTP as a number; 0 for none.
func statusOf(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// isStatus says that a text may be a status of HTTP.
func isStatus(text string) bool {
	return len(text) == 3 && text[0] >= '1' && strings.Trim(text, "0123456789") == ""
}

// strangeValue says which value of a filter nothing can have; "" if there is none.
func (a *api) strangeValue(ctx context.Context, f *SeedFilter) string {
	var states, codes, products []string
	for _, name := range seedlist.Products() {
		products = append(products, name, name+seedlist.FailedMark)
	}
	for _, state := range seedlist.States() {
		states = append(states, string(state))
	}
	for _, info := range fault.Codes() {
		codes = append(codes, string(info.Code))
	}
	for _, one := range []struct {
		what, value string
		known       []string
	}{
		{"state", f.State, states}, {"format", f.Format, formatsOf(ctx, a, f.Format)}, {"product", f.Product, products},
		{"code", f.Error, codes}, {"code", f.Notice, codes},
	} {
		if one.value == "" || one.known == nil || slices.Contains(one.known, one.value) {
			continue
		}
		message := "there is no " + one.what + " " + one.value
		if near := spelling.Nearest(one.value, one.known...); near != "" {
			message += "; did you mean " + near + "?"
		}
		return message
	}
	if f.HTTPStatus != "" && !isStatus(f.HTTPStatus) {
		return f.HTTPStatus + " isn't a status of HTTP, which is a number of three digits"
	}
	if meant, isHost := HostMeant(f.Host); !isHost {
		message := f.Host + " isn't a host[:port]"
		if meant != "" {
			message += "; did you mean " + meant + "?"
		}
		return message
	}
	return ""
}

// formatsOf are the names that a filter may ask for: those that are known, and those that documents were found to be.
// With nil, it may ask for any.
func formatsOf(ctx context.Context, a *api, wanted string) []string {
	if wanted == "" || a.Formats == nil || slices.Contains(a.Formats, wanted) {
		return a.Formats
	}
	counts, err := a.Seeds.Counts(ctx)
	if err != nil {
		return nil
	}
	return append(slices.Clone(a.Formats), slices.Sorted(maps.Keys(counts.Formats))...)
}

// HostMeant says whether a value of the filter host may be one, and if not, which host was probably
// meant; "" if that can't be guessed.
func HostMeant(value string) (meant string, isHost bool) {
	if !strings.ContainsAny(value, "/?#@ ") {
		return "", true
	}
	if u, err := seedlist.ParseURI(strings.TrimSpace(value)); err == nil && !u.Relative {
		return u.Host, false
	}
	first, _, _ := strings.Cut(strings.TrimSpace(value), "/")
	if u, err := seedlist.ParseURI("http://" + first + "/"); err == nil {
		return u.Host, false
	}
	return "", false
}

// listed is a page of what a filter lets through, or the reply that refuses the filter. The function damaged is told of
// each record that can't be read; it may be nil.
func (a *api) listed(ctx context.Context, f *SeedFilter, cursor string, limit int, damaged func(*seedlist.Damage)) (seeds []seedlist.Seed,
	next string, err error) {
	message := a.strangeValue(ctx, f)
	if message == "" {
		filter := f.of(cursor, limit)
		filter.Damaged = damaged
		if seeds, next, err = a.Seeds.List(ctx, filter); err != nil {
			return nil, "", problem(err)
		}
		if len(seeds) > 0 || f.Washer == "" || cursor != "" {
			return seeds, next, nil
		}
		if message, err = a.strangeWasher(ctx, f.Washer); err != nil {
			return nil, "", problem(err)
		}
	}
	if message != "" {
		return nil, "", huma.Error422UnprocessableEntity(message)
	}
	return seeds, next, nil
}

// strangeWasher says that no seed was washed by a version, and which was meant; "" if one was. It
// looks at every seed, and is asked where nothing was found.
func (a *api) strangeWasher(ctx context.Context, washer string) (string, error) {
	if some, _, err := a.Seeds.List(ctx, seedlist.Filter{Washer: washer, Limit: 1}); err != nil || len(some) > 0 {
		return "", err
	}
	var known []string
	filter := seedlist.Filter{Limit: 1000}
	for {
		page, next, err := a.Seeds.List(ctx, filter)
		if err != nil {
			return "", err
		}
		for i := range page {
			if w := page[i].Washer; w != "" && len(known) < mostWashers && !slices.Contains(known, w) {
				known = append(known, w)
			}
		}
		if filter.Cursor = next; next == "" {
			break
		}
	}
	message := "no seed was washed by the version " + washer
	if len(known) == 0 {
		return message + ": none was washed yet", nil
	}
	if near := spelling.Nearest(washer, known...); near != "" {
		return message + "; did you mean " + near + "?", nil
	}
	slices.Sort(known)
	return message + "; there are " + strings.Join(known, ", "), nil
}

// mostWashers is how many versions are named.
const mostWashers = 20
