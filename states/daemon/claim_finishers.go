package daemon

import "sync"

// finishers wait for the disk in the place of workers. When a small document is done, its files are
// to be put on the disk, and its outcome is to be written down. Both are done together with those
// of many others. A worker goes on to the next meanwhile; its stack, and the memory that the work
// on a document takes, are not held that long.
type finishers struct {
	jobs chan func()
	room chan struct{} // as many as there may be
	all  sync.WaitGroup
}

// waitingEach is how many claims may wait for the disk for each worker.
const waitingEach = 4

func newFinishers(most int) *finishers {
	return &finishers{jobs: make(chan func()), room: make(chan struct{}, most)}
}

// do has a job done. It waits while as many are being done as may be.
func (f *finishers) do(job func()) {
	select {
	case f.jobs <- job: // one has nothing to do
		return
	default:
	}
	select {
	case f.jobs <- job:
	case f.room <- struct{}{}:
		f.all.Go(func() {
			job()
			for job := range f.jobs { // it stays, with its stack
				job()
			}
		})
	}
}

// end returns when all is done; do is not called any more.
func (f *finishers) end() {
	close(f.jobs)
	f.all.Wait()
}
