package linemerge

import "bytes"

// tree finds the least line of many inputs by a tournament. Each inner node holds the loser of the two below it, and
// the root the winner of all. The next line costs one comparison a level.
type tree struct {
	cursors []*cursor
	losers  []int // inner nodes 1 to len(cursors)-1, as numbers of cursors
	winner  int
	ended   []bool
	open    int
	line    []byte // that is given, kept for comparison with those that follow
}

// start reads the first line of each input and plays all matches.
func (t *tree) start() error {
	n := len(t.cursors)
	t.losers, t.ended, t.open = make([]int, n), make([]bool, n), n
	for i := range t.cursors {
		if err := t.advance(i); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	winners := make([]int, 2*n)
	for i := range n {
		winners[n+i] = i
	}
	for node := n - 1; node > 0; node-- {
		a, b := winners[2*node], winners[2*node+1]
		if t.isBefore(b, a) {
			a, b = b, a
		}
		winners[node], t.losers[node] = a, b
	}
	t.winner = winners[1]
	return nil
}

func (t *tree) isEmpty() bool { return t.open == 0 }

// isBefore says that the line of cursor a comes before that of b. Ended ones come last.
func (t *tree) isBefore(a, b int) bool {
	if t.ended[a] || t.ended[b] {
		return !t.ended[a]
	}
	return bytes.Compare(t.cursors[a].line, t.cursors[b].line) < 0
}

// advance takes the next line of a cursor.
func (t *tree) advance(i int) error {
	more, err := t.cursors[i].next()
	if err == nil && !more {
		t.ended[i] = true
		t.open--
	}
	return err
}

// pop advances the winner, and plays its matches again.
func (t *tree) pop() error {
	i := t.winner
	if err := t.advance(i); err != nil {
		return err
	}
	for node := (len(t.cursors) + i) / 2; node > 0; node /= 2 {
		if t.isBefore(t.losers[node], i) {
			t.losers[node], i = i, t.losers[node]
		}
	}
	t.winner = i
	return nil
}

// giveNext gives the least line, and passes over its equals.
func (t *tree) giveNext(give func([]byte, origin) error) error {
	least := t.cursors[t.winner]
	t.line = append(t.line[:0], least.line...)
	of := least.of
	for {
		if err := t.pop(); err != nil {
			return err
		}
		if t.isEmpty() || !bytes.Equal(t.cursors[t.winner].line, t.line) {
			return give(t.line, of)
		}
		of = shared
	}
}
