package states

// orderedWork does work beside the goroutine that owns it, and finishes each piece on that goroutine, in the order in
// which the pieces came.
type orderedWork struct {
	workers int // at most so many pieces wait at once
	pending []*pieceOfWork
	err     error // the first of a finish
}

type pieceOfWork struct {
	done   chan error
	finish func(error) error
}

// add begins work, and finishes what came first if too much waits. A nil work is done. It gives the first error of a
// finish; then nothing more is finished.
func (o *orderedWork) add(work func() error, finish func(error) error) error {
	if o.err != nil {
		return o.err
	}
	if work == nil && len(o.pending) == 0 {
		o.err = finish(nil)
		return o.err
	}
	piece := &pieceOfWork{done: make(chan error, 1), finish: finish}
	o.pending = append(o.pending, piece)
	if work == nil {
		piece.done <- nil
	} else {
		go func() { piece.done <- Safely(work) }()
	}
	return o.drainTo(max(1, o.workers))
}

// drainTo waits until no more than so many pieces wait.
func (o *orderedWork) drainTo(most int) error {
	for len(o.pending) > most {
		piece := o.pending[0]
		o.pending = o.pending[1:]
		err := <-piece.done
		if o.err == nil {
			o.err = piece.finish(err)
		}
	}
	return o.err
}
