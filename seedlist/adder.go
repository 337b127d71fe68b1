package seedlist

import "context"

// Adder adds seeds to a list, many in a transaction.
type Adder struct {
	list    List
	refused func(error)
	batch   []NewSeed
}

// addBatch is how many seeds are added at once.
const addBatch = 1000

// NewAdder makes an Adder; refused is called for each seed that the list does not take.
func NewAdder(list List, refused func(error)) *Adder { return &Adder{list: list, refused: refused} }

// Add adds a seed, at once or with the next ones.
func (a *Adder) Add(ctx context.Context, seed NewSeed) error {
	if a.batch = append(a.batch, seed); len(a.batch) < addBatch {
		return nil
	}
	return a.Flush(ctx)
}

// Flush adds those that wait.
func (a *Adder) Flush(ctx context.Context) error {
	answers, err := a.list.Add(ctx, a.batch)
	if err != nil {
		return err
	}
	for _, answer := range answers {
		if answer.Err != nil {
			a.refused(answer.Err)
		}
	}
	a.batch = a.batch[:0]
	return nil
}
