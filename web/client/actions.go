package client

import (
	"context"
	"slices"

	"laundromat/web"
)

// Action is what the API can do with many seeds.
type Action struct {
	Path   string                  // of the API
	Body   func(web.Selection) any // what is sent about a selection
	DryRun bool                    // nothing is changed
}

// selectionSize is how many seeds a request is about at most.
const selectionSize = 500

// ActOn does something with the seeds of these hashes; each is given what became of every one.
func (c *Client) ActOn(ctx context.Context, a Action, hashes []string, each func(web.ActedOn) error) error {
	for chunk := range slices.Chunk(hashes, selectionSize) {
		if _, err := c.act(ctx, a, web.Selection{Hashes: chunk}, each); err != nil {
			return err
		}
	}
	return nil
}

// ActOnAll does something with the seeds that a filter lets through, with at most so many; 0 means all.
func (c *Client) ActOnAll(ctx context.Context, a Action, filter web.SeedFilter, most int, each func(web.ActedOn) error) error {
	selection, done := web.Selection{Filter: &filter}, 0
	count := func(one web.ActedOn) error {
		done++
		return each(one)
	}
	for {
		selection.Limit = selectionSize
		if most > 0 {
			selection.Limit = min(selectionSize, most-done)
		}
		next, err := c.act(ctx, a, selection, count)
		if err != nil || next == "" || most > 0 && done >= most {
			return err
		}
		selection.Cursor = next
	}
}

// act does it with a selection, and returns the cursor of the next page.
func (c *Client) act(ctx context.Context, a Action, selection web.Selection, each func(web.ActedOn) error) (next string, err error) {
	selection.DryRun = a.DryRun
	var reply web.Acted
	if err := c.Post(ctx, a.Path, a.Body(selection), &reply); err != nil {
		return "", err
	}
	for _, one := range reply.Seeds {
		if err := each(one); err != nil {
			return "", err
		}
	}
	return reply.Next, nil
}

// addBatch is how many URIs go into one request.
const addBatch = 1000

// Adder adds seeds, many in a request.
type Adder struct {
	client *Client
	batch  []web.NewSeed
	each   func(web.Added) error
}

// Adder makes an Adder; each is given what became of every seed.
func (c *Client) Adder(each func(web.Added) error) *Adder { return &Adder{client: c, each: each} }

// Add adds a seed, at once or with the next ones.
func (a *Adder) Add(ctx context.Context, seed web.NewSeed) error {
	if a.batch = append(a.batch, seed); len(a.batch) < addBatch {
		return nil
	}
	return a.Flush(ctx)
}

// Flush adds those that wait.
func (a *Adder) Flush(ctx context.Context) error {
	if len(a.batch) == 0 {
		return nil
	}
	var reply web.AddReply
	if err := a.client.Post(ctx, "/seeds", web.AddRequest{Seeds: a.batch}, &reply); err != nil {
		return err
	}
	a.batch = a.batch[:0]
	for _, added := range reply.Added {
		if err := a.each(added); err != nil {
			return err
		}
	}
	return nil
}
