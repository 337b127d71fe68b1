package engine

import (
	"cmp"

	"laundromat/seedlist"
)

// Queue is where a seed is found that may be taken. It is decided when a seed is written; stores compare it.
type Queue uint8

const (
	QueueNone      Queue = iota
	QueueHosts           // added, waits for the turn of its host
	QueueArchives        // filed
	QueueGuesses         // unarchived
	QueueDocuments       // guessed
	QueueSuspects        // one of the three before, of whose work a process died
	QueueRests           // at an end, until it is due again
	QueueWork            // held by a worker

	// QueueReady is all from QueueHosts to QueueSuspects, to be asked for alone.
	QueueReady Queue = 100
	// QueueDue is that and QueueRests, to be asked for alone.
	QueueDue Queue = 102
	// QueueCatalogs is that of catalogs, to be asked for alone.
	QueueCatalogs Queue = 101
)

// QueueOf is the queue in which a seed is found.
func QueueOf(h *Hot) Queue {
	switch {
	case h.State.IsWorking():
		return QueueWork
	case h.Relative || h.Fragment:
		return QueueNone
	case h.State == seedlist.Added:
		return QueueHosts
	case h.State.IsReady() && h.Crashes > 0:
		return QueueSuspects
	case h.State.IsReady():
		return queueBefore(h.State.Working())
	case h.State.IsEnd() && h.Due > 0 && (h.Fetchable || h.isTriedFromItsStage()):
		return QueueRests
	}
	return QueueNone
}

// queueBefore is the queue from which seeds are claimed into a working state.
func queueBefore(stage seedlist.State) Queue {
	switch stage {
	case seedlist.Downloading:
		return QueueHosts
	case seedlist.Unarchiving:
		return QueueArchives
	case seedlist.Guessing:
		return QueueGuesses
	}
	return QueueDocuments
}

// isTriedFromItsStage says that a seed, when it is due, goes back to the stage that failed and is not fetched
// again. The process died of it, or it is an entry.
func (h *Hot) isTriedFromItsStage() bool {
	return h.State == seedlist.Failed && h.Stage != "" && h.Stage != seedlist.Downloading && (h.Crashes > 0 || !h.Fetchable)
}

// Order is in which order two seeds of a queue come.
func (q Queue) Order(a, b *Seed) int {
	switch q {
	case QueueSuspects: // the one that died alone the fewest times, then the one that waits longest
		return cmp.Or(cmp.Compare(a.Crashes, b.Crashes), cmp.Compare(a.Due, b.Due), cmp.Compare(a.Number, b.Number))
	case QueueRests, QueueWork:
		return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.Number, b.Number))
	}
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Due, b.Due), cmp.Compare(a.Number, b.Number))
}
