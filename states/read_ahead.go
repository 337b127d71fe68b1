package states

import (
	"context"
	"io"
	"sync"
)

// ReadAhead has the readings of a document unpack on a goroutine of their own. Its layers find
// things while it is read: found takes these.
func (d *Document) ReadAhead(found *Findings) { d.Open = readAhead(d.Open, found) }

// readAhead makes of a function that opens a document one whose readings unpack on a
// goroutine of their own. The readings of one document read in turn; what is found in
// its layers comes to found where the document is read.
func readAhead(open func(context.Context) (io.ReadCloser, error), found *Findings) func(context.Context) (io.ReadCloser, error) {
	turn := new(sync.Mutex)
	return func(ctx context.Context) (io.ReadCloser, error) {
		turn.Lock()
		defer turn.Unlock()
		from, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return &ahead{from: inTurn{from, turn}, found: found}, nil
	}
}

// inTurn is one of several readings of a document that share what they know of it.
type inTurn struct {
	io.ReadCloser
	turn *sync.Mutex
}

func (r inTurn) Read(p []byte) (int, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	return r.ReadCloser.Read(p)
}

func (r inTurn) Close() error {
	r.turn.Lock()
	defer r.turn.Unlock()
	return r.ReadCloser.Close()
}

// ahead reads a document on a goroutine of its own once there is much of it. Unpacking goes on
// while what is unpacked already is parsed. It must be closed.
type ahead struct {
	from  io.ReadCloser
	found *Findings
	read  int // bytes that were read without the goroutine

	full chan block // from the goroutine; nil while there is none
	free chan []byte
	stop context.CancelFunc
	done sync.WaitGroup

	cur  []byte // of the block that is being read
	back []byte // that block, whole
	err  error  // how the source ended
}

// block is what one reading of the source gave.
type block struct {
	data []byte
	err  error
}

const (
	AheadFrom  = 1 << 20                  // a document of so many bytes, or fewer, is not worth a goroutine
	AheadBytes = aheadBlock * aheadBlocks // the buffers of a document that is read ahead

	aheadBlock   = 512 << 10 // a wait for a smaller one costs more than what is in it
	aheadBlocks  = 4
	leastOfBlock = aheadBlock / 2 // a block is passed on with so many bytes, at least
)

func (a *ahead) Read(p []byte) (int, error) {
	if a.full == nil {
		if a.read < AheadFrom {
			n, err := a.from.Read(p)
			a.read += n
			return n, err
		}
		a.start()
	}
	for len(a.cur) == 0 {
		if a.back != nil {
			a.free <- a.back[:cap(a.back)] // has room for all
			a.back = nil
		}
		if a.err != nil {
			return 0, a.err
		}
		next := <-a.full // the goroutine ends with an error, at the latest when it is stopped
		a.cur, a.back, a.err = next.data, next.data, next.err
		a.found.deliver()
	}
	n := copy(p, a.cur)
	a.cur = a.cur[n:]
	return n, nil
}

func (a *ahead) start() {
	a.found.queue()
	a.full, a.free = make(chan block, aheadBlocks+1), make(chan []byte, aheadBlocks)
	for range aheadBlocks {
		a.free <- make([]byte, aheadBlock)
	}
	var ctx context.Context
	ctx, a.stop = context.WithCancel(context.Background())
	a.done.Go(func() {
		// Decoders meet what a stranger sends: a panic of theirs must not end the process.
		err := Safely(func() error { return a.run(ctx) })
		a.full <- block{err: err}
	})
}

// run passes blocks on until the source ends, or ctx.
func (a *ahead) run(ctx context.Context) error {
	for {
		var data []byte
		select {
		case data = <-a.free:
		case <-ctx.Done():
			return ctx.Err()
		}
		n, err := 0, error(nil)
		// A slow source is passed on as it comes: what is there is enough after one reading.
		for n < leastOfBlock && err == nil {
			var more int
			more, err = a.from.Read(data[n:])
			n += more
			if more < minimalRead {
				break
			}
		}
		if n > 0 {
			a.full <- block{data: data[:n]} // has room for all
		} else {
			a.free <- data
		}
		if err != nil {
			return err
		}
	}
}

// minimalRead is the fewest bytes of a source that has more at hand.
const minimalRead = 4 << 10

// Close ends the goroutine and closes the source.
func (a *ahead) Close() error {
	if a.full != nil {
		a.stop()
		a.done.Wait()
		a.found.unqueue()
	}
	return a.from.Close()
}
