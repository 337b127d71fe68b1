package client

import (
	"context"
	"errors"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
)

// AddCatalog adds a catalog, or gives one that is there these settings.
func (c *Client) AddCatalog(ctx context.Context, uri string, settings seedlist.CatalogSettings) (web.AddedCatalog, error) {
	var reply web.AddedCatalog
	err := c.Post(ctx, "/catalogs", web.NewCatalog{URI: uri, CatalogSettings: settings}, &reply)
	return reply, err
}

// Harvest has the daemon harvest the catalog of a hash or URI, and waits for the end. A catalog that is
// not in the list is added with the settings.
func (c *Client) Harvest(ctx context.Context, ref string, settings seedlist.CatalogSettings) (seedlist.Catalog, error) {
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
		if err := c.Post(ctx, "/catalogs/"+hash+"/harvest", nil, nil); err != nil {
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
