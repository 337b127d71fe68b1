package recordtables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"laundromat/internal/fault"
	"laundromat/records/database"
	"laundromat/seedlist"
)

// Merges are the merges of the records of recipes, as a database has them.
type Merges struct {
	db  *database.Database
	end func() // called where the merges may be others by now; nil for none
}

// MergesIn are those of a database.
func MergesIn(db *database.Database) Merges { return Merges{db: db} }

// Merges are those of the database that the list is followed into.
func (f *Follower) Merges() (Merges, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.db == nil {
		why := "it was not reached yet"
		if f.status.Error != "" {
			why = f.status.Error
		}
		return Merges{}, &fault.Error{Op: "database", Kind: fault.Local, Code: fault.LocalDatabase,
			Err: fmt.Errorf("%s does not answer: %s", f.status.Database, why)}
	}
	return Merges{f.db, f.awake}, nil
}

// MergesQuery says which merges are asked for.
type MergesQuery struct {
	After  string // the key before the first
	ID     string // that of the record with this id
	Source string // those with a record of this document
	Limit  int    // 1 to 1,000; 0: 100
}

// Merge is records that were found to be the same.
type Merge struct {
	Key     string            `json:"key" doc:"that of the first of its rows"`
	Records []database.Member `json:"records"`
	// Merged is the record that was made of them. Its field _merge has them whole.
	Merged json.RawMessage `json:"merged"`
	Pairs  []Pair          `json:"pairs"`
}

// Answer is a person's, to whether two records are the same.
type Answer struct {
	A    string    `json:"a"`
	B    string    `json:"b"`
	Same bool      `json:"same"`
	By   string    `json:"by,omitempty"`
	At   time.Time `json:"at"`
}

// Logged is what became of a merge.
type Logged struct {
	database.LoggedMerge
	Records []database.Member `json:"records"`
}

// MergeList are merges of a recipe, and how they were found.
type MergeList struct {
	Recipe string `json:"recipe"`
	// Table is where the merged records are; "" before the first.
	Table      string            `json:"table,omitempty"`
	Reconciled *ReconciledAs     `json:"reconciled,omitempty"`
	Merges     []Merge           `json:"merges"`
	Next       string            `json:"next,omitempty" doc:"the after of the next page"`
	Answers    []Answer          `json:"answers,omitempty"`
	Undone     []database.Undone `json:"undone,omitempty" doc:"the merges that were undone last, at most 100: no two records of one are the same"`
	Log        []Logged          `json:"log,omitempty"`
}

// ReconciledAs says how the merges were found; absent before the first run.
type ReconciledAs struct {
	At        time.Time `json:"at"`
	Seconds   float64   `json:"seconds"`
	Records   int64     `json:"records"`
	Merged    int64     `json:"merged"`
	Merges    int64     `json:"merges"`
	Pairs     int64     `json:"pairs"`
	Precision *float64  `json:"precision,omitempty" doc:"expected of the pairs; absent where they are too few to say"`
	KeepsDone bool      `json:"keeps_model,omitempty" doc:"nothing is learned anew"`
	Trouble   string    `json:"trouble,omitempty" doc:"why the merges are those of before"`
}

const (
	mergesShown = 100
	mostMerges  = 1000
	loggedShown = 100
	undoneShown = 100
)

// List are merges of a recipe.
func (m Merges) List(ctx context.Context, name string, q MergesQuery) (list MergeList, err error) {
	list = MergeList{Recipe: name, Merges: []Merge{}}
	table := database.TableOf(name)
	if q.Limit <= 0 {
		q.Limit = mergesShown
	}
	q.Limit = min(q.Limit, mostMerges)
	var stored []database.StoredMerge
	var answers []database.Answer
	var log []database.LoggedMerge
	err = m.db.Update(ctx, func(tx *database.Tx) error {
		was, err := tx.Reconciled(table)
		if err != nil {
			return err
		}
		if !was.At.IsZero() {
			list.Reconciled = &ReconciledAs{
				was.At, was.Seconds, was.Records, was.Merged, was.Merges, was.Pairs, was.Precision, was.KeepsModel, was.Trouble,
			}
		}
		if list.Table, err = tx.TableOfMerged(table); err != nil {
			return err
		}
		query := database.MergesQuery{After: q.After, Source: q.Source, ID: q.ID, Limit: q.Limit + 1}
		if stored, err = tx.Merges(table, query); err != nil {
			return err
		}
		if answers, err = tx.Answers(table); err != nil {
			return err
		}
		if list.Undone, err = tx.Undone(table, undoneShown); err != nil {
			return err
		}
		log, err = tx.MergeLog(table, loggedShown)
		return err
	})
	if err != nil {
		return list, err
	}
	if len(stored) > q.Limit {
		stored = stored[:q.Limit]
		list.Next = stored[q.Limit-1].Key
	}
	for _, s := range stored {
		one := Merge{Key: s.Key, Records: s.Members, Merged: json.RawMessage(s.Record)}
		if err := json.Unmarshal([]byte(s.Pairs), &one.Pairs); err != nil {
			return list, fmt.Errorf("the pairs of the merge %q: %w", s.Key, err)
		}
		list.Merges = append(list.Merges, one)
	}
	for _, a := range answers {
		list.Answers = append(list.Answers, Answer{a.A, a.B, a.Same, a.By, a.At})
	}
	for _, l := range log {
		one := Logged{LoggedMerge: l}
		if err := json.Unmarshal([]byte(l.Members), &one.Records); err != nil {
			return list, fmt.Errorf("the log of the merge %q: %w", l.Key, err)
		}
		list.Log = append(list.Log, one)
	}
	return list, nil
}

// OfSource is how many merges of a recipe have a record of a document.
func (m Merges) OfSource(ctx context.Context, name, source string) (n int64, err error) {
	return n, m.db.Update(ctx, func(tx *database.Tx) (err error) {
		n, err = tx.MergesOfSource(database.TableOf(name), source)
		return err
	})
}

// Errors of what a person says.
var (
	ErrNoMerge  = database.ErrNoMerge
	ErrNoUndone = database.ErrNoUndone
	ErrNoAnswer = database.ErrNoAnswer
	ErrSameIDs  = errors.New("two records are asked about, and these are one")
)

// Undo gives the records of a merge back: no two of them are the same. It answers how many there are.
func (m Merges) Undo(ctx context.Context, name, key, by string) (n int64, err error) {
	err = m.db.Update(ctx, func(tx *database.Tx) error {
		n, err = tx.Undo(database.TableOf(name), key, by, time.Now())
		return err
	})
	m.changed(err)
	return n, err
}

// Redo takes back that the merges of a key were undone. Their records are merged again if they are found to be the
// same.
func (m Merges) Redo(ctx context.Context, name, key string) error {
	err := m.db.Update(ctx, func(tx *database.Tx) error { return tx.Redo(database.TableOf(name), key) })
	m.changed(err)
	return err
}

// Say keeps a person's answer.
func (m Merges) Say(ctx context.Context, name string, is Answer) error {
	if is.A == is.B {
		return ErrSameIDs
	}
	err := m.db.Update(ctx, func(tx *database.Tx) error {
		return tx.Answer(database.TableOf(name), []database.Answer{answerOf(is.A, is.B, is.Same, is.By)})
	})
	m.changed(err)
	return err
}

// Forget forgets what was said of two records.
func (m Merges) Forget(ctx context.Context, name, a, b string) error {
	one := answerOf(a, b, false, "")
	err := m.db.Update(ctx, func(tx *database.Tx) error { return tx.ForgetAnswers(database.TableOf(name), one.A, one.B) })
	m.changed(err)
	return err
}

// KeepModel says whether the table is reconciled by what was learned last, or learns anew each time.
func (m Merges) KeepModel(ctx context.Context, name string, keeps bool) error {
	table := database.TableOf(name)
	err := m.db.Update(ctx, func(tx *database.Tx) error {
		was, err := tx.Reconciled(table)
		if err != nil {
			return err
		}
		was.KeepsModel = keeps
		return tx.SetReconciled(table, was)
	})
	m.changed(err)
	return err
}

func (m Merges) changed(err error) {
	if err == nil && m.end != nil {
		m.end()
	}
}

// answerOf is an answer about two ids, in one order.
func answerOf(a, b string, same bool, by string) database.Answer {
	return database.Answer{A: min(a, b), B: max(a, b), Same: same, By: by, At: time.Now()}
}

// SourceOf is the source of the rows that were made of a document.
func (f *Follower) SourceOf(ctx context.Context, seed *seedlist.Seed) (string, error) {
	t := taking{Follower: f}
	_, place, err := t.origin(ctx, seed)
	return seedlist.Shown(place), err
}
