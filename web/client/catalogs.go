package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/spelling"
	"laundromat/seedlist"
	"laundromat/web"
)

// AddCatalog adds a catalog, or gives one that is there these settings.
func (c *Client) AddCatalog(ctx context.Context, uri string, settings seedlist.CatalogSettings) (web.AddedCatalog, error) {
	var reply web.AddedCatalog
	err := c.Post(ctx, "/catalogs", web.NewCatalog{URI: uri, CatalogSettings: settings}, &reply)
	return reply, err
}

// EachCatalog calls do with every catalog, the oldest first.
func (c *Client) EachCatalog(ctx context.Context, do func(seedlist.Catalog) error) error {
	query := url.Values{}
	for {
		var page web.CatalogPage
		if err := c.Get(ctx, "/catalogs", query, &page); err != nil {
			return err
		}
		for _, one := range page.Catalogs {
			if err := do(one); err != nil {
				return err
			}
		}
		if page.Next == "" {
			return nil
		}
		query.Set("cursor", page.Next)
	}
}

// CatalogOf is the hash of the catalog that ref names: HASH, the first digits of one that no other
// begins with, or URL. The error for what names none says what may have been meant.
func (c *Client) CatalogOf(ctx context.Context, ref string) (string, error) {
	hash, err := HashOf(ref)
	if err == nil {
		var there struct{}
		if err = c.Get(ctx, "/catalogs/"+hash, nil, &there); err == nil || !isRefusal(err) {
			return hash, err
		}
	}
	byKey, prefix := web.IsPrefix(ref), strings.ToLower(ref)
	var begin, names []string
	if err := c.EachCatalog(ctx, func(one seedlist.Catalog) error {
		names = append(names, seedlist.Shown(one.URI))
		if byKey {
			names = append(names, one.Hash)
		}
		if byKey && strings.HasPrefix(one.Hash, prefix) {
			begin = append(begin, one.Hash)
		}
		return nil
	}); err != nil {
		return "", err
	}
	shown := seedlist.Shown(ref)
	switch {
	case len(begin) == 1:
		return begin[0], nil
	case len(begin) > 1:
		return "", refuse(http.StatusBadRequest, "%s is the beginning of several keys: %s", shown, strings.Join(begin, ", "))
	}
	if near := spelling.Nearest(ref, names...); near != "" {
		return "", refuse(http.StatusNotFound, "no catalog is %s; the nearest is %s", shown, near)
	}
	return "", refuse(http.StatusNotFound, "no catalog is %s (\"laundromat catalog list\" lists all)", shown)
}

// Harvest has the daemon harvest the catalog of a hash or URI, and waits for the end. A catalog that is
// not in the list is added with the settings; with accept the harvest is believed.
func (c *Client) Harvest(ctx context.Context, ref string, settings seedlist.CatalogSettings, accept bool) (seedlist.Catalog, error) {
	hash, err := HashOf(ref)
	if err != nil {
		return seedlist.Catalog{}, err
	}
	look := func() (seedlist.Catalog, error) {
		var shown struct{ Catalog seedlist.Catalog }
		err := c.Get(ctx, "/catalogs/"+hash, nil, &shown)
		return shown.Catalog, err
	}
	before, err := look()
	var refused *Error
	switch {
	case errors.As(err, &refused) && refused.IsNotFound() && !IsHash(ref):
		// Added, it is harvested at once.
		if _, err := c.AddCatalog(ctx, ref, settings); err != nil {
			return seedlist.Catalog{}, err
		}
	case err != nil:
		return seedlist.Catalog{}, err
	default:
		if before.Status == seedlist.CatalogHarvesting {
			before.Fence--
		}
		if err := c.Post(ctx, "/catalogs/"+hash+"/harvest?"+url.Values{"accept": {strconv.FormatBool(accept)}}.Encode(), nil,
			nil); err != nil {
			return seedlist.Catalog{}, err
		}
	}
	for {
		now, err := look()
		if err != nil || now.Fence > before.Fence && now.Status != seedlist.CatalogHarvesting {
			return now, err
		}
		select {
		case <-ctx.Done():
			return now, ctx.Err()
		case <-time.After(harvestPoll):
		}
	}
}

// harvestPoll is the pause between two looks at a harvest of the daemon.
const harvestPoll = 100 * time.Millisecond
