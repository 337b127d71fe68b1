package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

// ofCatalogs are the operations about catalogs.
func (a *api) ofCatalogs() []operation {
	operations := []operation{
		get("/api/v1/catalogs", a.catalogs),
		get("/api/v1/catalogs/{hash}", a.catalog),
		get("/api/v1/catalogs/{hash}/attempts", a.attempts),
		get("/api/v1/catalogs/{hash}/seeds", a.catalogSeeds),
	}
	if a.hasWrites() {
		operations = append(operations,
			post("/api/v1/catalogs", a.addCatalog),
			remove("/api/v1/catalogs/{hash}", a.removeCatalog),
			post("/api/v1/catalogs/{hash}/harvest", a.harvest))
	}
	return operations
}

// CatalogPage is one page of a list; Next is the cursor of the next, "" at the end.
type CatalogPage struct {
	Catalogs []seedlist.Catalog `json:"catalogs"`
	Next     string             `json:"next,omitempty"`
}

// Catalog is a catalog with the first of what its last harvest refused.
type Catalog struct {
	Catalog  seedlist.Catalog  `json:"catalog"`
	Refusals []catalog.Refusal `json:"refusals"`
}

// NewCatalog is a catalog to add, or the new settings of one that is there.
type NewCatalog struct {
	URI string `json:"uri"`
	seedlist.CatalogSettings
}

// AddedCatalog says what became of it.
type AddedCatalog struct {
	Catalog seedlist.Catalog `json:"catalog"`
	New     bool             `json:"new"`
}

type catalogsRequest struct {
	Cursor string `query:"cursor" doc:"what the page before gave as next"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"catalogs of a page; 100 if absent"`
	Accept string `header:"Accept" doc:"application/x-ndjson: the whole list, a catalog a line"`
}

func (a *api) catalogs(ctx context.Context, r *catalogsRequest) (*reply, error) {
	return listReply(r.Accept, r.Limit, r.Cursor, func(cursor string) (page CatalogPage, err error) {
		page.Catalogs, page.Next, err = a.Seeds.Catalogs(ctx, cursor, cmp.Or(r.Limit, 100))
		if page.Catalogs == nil {
			page.Catalogs = []seedlist.Catalog{}
		}
		return page, problem(err)
	}, func(page CatalogPage) ([]seedlist.Catalog, string) { return page.Catalogs, page.Next })
}

func (a *api) catalog(ctx context.Context, r *byHash) (*raw, error) {
	c, err := a.findCatalog(ctx, r.Hash)
	if err != nil {
		return nil, err
	}
	reply := Catalog{Catalog: c, Refusals: []catalog.Refusal{}}
	refusals, err := a.Seeds.Refusals(ctx, r.Hash)
	if err != nil {
		return nil, problem(err)
	}
	if refusals != nil {
		if err := json.Unmarshal(refusals, &reply.Refusals); err != nil {
			return nil, problem(err)
		}
	}
	return rawJSON(reply)
}

func (a *api) findCatalog(ctx context.Context, hash string) (seedlist.Catalog, error) {
	c, err := a.Seeds.Catalog(ctx, hash)
	if errors.Is(err, seedlist.ErrNotFound) {
		return c, huma.Error404NotFound("no catalog has the hash " + hash)
	}
	return c, problem(err)
}

type catalogSeedsRequest struct {
	Hash   string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the catalog"`
	Gone   bool   `query:"gone" doc:"those that it named once, in place of those that it names"`
	Cursor string `query:"cursor" doc:"what the page before gave as next"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"seeds of a page; 100 if absent"`
	Accept string `header:"Accept" doc:"application/x-ndjson: the whole list, a seed a line"`
}

func (a *api) catalogSeeds(ctx context.Context, r *catalogSeedsRequest) (*reply, error) {
	if _, err := a.findCatalog(ctx, r.Hash); err != nil {
		return nil, err
	}
	limit := r.Limit
	if limit == 0 {
		limit = 100
	}
	return listReply(r.Accept, r.Limit, r.Cursor, func(cursor string) (page SeedPage, err error) {
		if page.Seeds, page.Next, err = a.Seeds.ListedBy(ctx, r.Hash, r.Gone, cursor, limit); err != nil {
			return page, problem(err)
		}
		if page.Seeds == nil {
			page.Seeds = []seedlist.Seed{}
		}
		return page, a.fillOutcomes(ctx, page.Seeds)
	}, ofSeeds)
}

type addCatalogRequest struct{ RawBody []byte }

func (a *api) addCatalog(ctx context.Context, r *addCatalogRequest) (*raw, error) {
	var wanted NewCatalog
	if err := json.Unmarshal(r.RawBody, &wanted); err != nil {
		return nil, huma.Error422UnprocessableEntity("no catalog: " + err.Error())
	}
	kind, ok := catalog.Named(wanted.Kind)
	if !ok {
		return nil, huma.Error422UnprocessableEntity("there is no kind of catalog called " + wanted.Kind)
	}
	wanted.Kind = string(kind)
	if err := checkRecordsSpec(&wanted.CatalogSettings); err != nil {
		return nil, err
	}
	if err := (recipesAPI{a}).check(ctx, wanted.Recipe); err != nil {
		return nil, err
	}
	c, added, err := a.Seeds.AddCatalog(ctx, wanted.URI, wanted.CatalogSettings, time.Time{})
	var refused *seedlist.URIError
	if errors.As(err, &refused) {
		return nil, huma.Error422UnprocessableEntity(refused.Error())
	}
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(AddedCatalog{Catalog: c, New: added})
}

// checkRecordsSpec refuses a spec that is wrong, or of a catalog that is none of records, and gives it the form that is
// kept.
func checkRecordsSpec(settings *seedlist.CatalogSettings) error {
	if settings.Spec == "" {
		return nil
	}
	if settings.Kind != string(catalog.Records) {
		return huma.Error422UnprocessableEntity("a spec is for catalogs of the kind " + string(catalog.Records))
	}
	by, err := catalog.ParseRecords("spec", []byte(settings.Spec), "")
	if err != nil {
		return huma.Error422UnprocessableEntity(err.Error())
	}
	settings.Spec = by.Text()
	return nil
}

func (a *api) removeCatalog(ctx context.Context, r *byHash) (*struct{}, error) {
	if _, err := a.findCatalog(ctx, r.Hash); err != nil {
		return nil, err
	}
	return nil, problem(a.Seeds.RemoveCatalog(ctx, r.Hash))
}

type harvestRequest struct {
	Hash   string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the catalog"`
	Accept bool   `query:"accept" doc:"believe it, even where it names far less than before, or nothing"`
}

func (a *api) harvest(ctx context.Context, r *harvestRequest) (*struct{}, error) {
	if _, err := a.findCatalog(ctx, r.Hash); err != nil {
		return nil, err
	}
	return nil, problem(a.Seeds.HarvestNow(ctx, r.Hash, r.Accept))
}
