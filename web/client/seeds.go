package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/url"
	"strconv"

	"laundromat/seedlist"
	"laundromat/web"
)

// pageSize is how many seeds are asked for at once.
const pageSize = 1000

// EachSeed calls do with every seed of a list of the API, page after page. A limit is how many
// at most; 0 is none.
func (c *Client) EachSeed(ctx context.Context, path string, query url.Values, limit int, do func(seedlist.Seed) error) error {
	paged := url.Values{}
	maps.Copy(paged, query)
	paged.Set("limit", strconv.Itoa(pageSize))
	var damaged DamagedError
	for n := 0; ; {
		var page web.SeedPage
		if err := c.Get(ctx, path, paged, &page); err != nil {
			return err
		}
		for _, seed := range page.Seeds {
			if limit > 0 && n == limit {
				return nil
			}
			n++
			if err := do(seed); err != nil {
				return err
			}
		}
		if len(page.Damaged) > 0 && damaged.Records == 0 {
			damaged.First = page.Damaged[0]
		}
		damaged.Records += len(page.Damaged)
		if page.Next == "" {
			if damaged.Records > 0 {
				return &damaged
			}
			return nil
		}
		paged.Set("cursor", page.Next)
	}
}

// Seed fetches the seed of the hash.
func (c *Client) Seed(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = c.Get(ctx, "/seeds/"+hash, nil, &seed)
	return seed, err
}

// Attempts fetches the attempts to wash the seed of the hash.
func (c *Client) Attempts(ctx context.Context, hash string) ([]seedlist.Attempt, error) {
	var reply web.Attempts
	err := c.Get(ctx, "/seeds/"+hash+"/attempts", nil, &reply)
	return reply.Attempts, err
}

// Samples fetches the notices at the head of a seed's list: at most so many of each code.
func (c *Client) Samples(ctx context.Context, hash string, each int) ([]web.NoticeLine, error) {
	stream, err := c.Open(ctx, "/seeds/"+hash+"/notices", url.Values{"samples": {strconv.Itoa(each)}})
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	var lines []web.NoticeLine
	decoder := json.NewDecoder(bufio.NewReader(stream))
	for {
		var line web.NoticeLine
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return lines, nil
		} else if err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
}

// Datasets are the seeds that a query of the API lets through: those in the state that it names, or
// those with a clean file. These are as they are served.
func (c *Client) Datasets(ctx context.Context, query url.Values) (seeds []seedlist.Seed, err error) {
	if query.Has("state") {
		err = c.EachSeed(ctx, "/seeds", query, 0, func(seed seedlist.Seed) error {
			seeds = append(seeds, seed)
			return nil
		})
		return seeds, err
	}
	met := map[string]bool{} // a seed may move meanwhile
	for _, state := range seedlist.States() {
		if state == seedlist.Cleaned {
			continue
		}
		inState := url.Values{"state": {string(state)}}
		maps.Copy(inState, query)
		err := c.EachSeed(ctx, "/seeds", inState, 0, func(seed seedlist.Seed) error {
			washed := state == seedlist.Parsed || seed.ServedClean() != "" && seed.Document == ""
			if washed && !met[seed.Hash] {
				met[seed.Hash] = true
				seeds = append(seeds, seed.Served())
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return seeds, nil
}
