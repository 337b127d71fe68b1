package seedlist

import (
	"context"

	"laundromat/internal/fault"
)

// CatalogHealth counts catalogs by how their last harvest ended.
type CatalogHealth struct {
	All    int64
	Failed int64 // ended in an error
	Empty  int64 // named no document
}

// CatalogHealthOf counts catalogs, which are listed as by [List].Catalogs.
func CatalogHealthOf(ctx context.Context, list func(ctx context.Context, cursor string, limit int) ([]Catalog, string, error),
) (h CatalogHealth, err error) {
	for cursor := ""; ; {
		some, next, err := list(ctx, cursor, 1000)
		if err != nil {
			return CatalogHealth{}, err
		}
		h.All += int64(len(some))
		for i := range some {
			switch c := &some[i]; {
			case c.Error != nil && c.Error.Code != fault.CatalogEmpty:
				h.Failed++
			case c.Error != nil, !c.Harvested.IsZero() && c.Entries == 0:
				h.Empty++
			}
		}
		if cursor = next; cursor == "" {
			return h, nil
		}
	}
}
