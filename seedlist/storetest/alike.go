package storetest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// Kind is one kind of list among those that [RunAlike] compares.
type Kind struct {
	Name string
	Open Opener
}

// AlikeSteps is the environment variable that says how many steps RunAlike makes, and AlikeSeed the one that
// begins with another run than the first.
const (
	AlikeSteps = "LAUNDROMAT_ALIKE_STEPS"
	AlikeSeed  = "LAUNDROMAT_ALIKE_SEED"
)

const (
	fewSteps  = 300 // where nobody asks for more
	stepsARun = 500 // then it begins again, with empty lists and other options
)

// RunAlike makes the same generated steps on lists of several kinds, and fails at the first after which they differ.
// It compares answers, the order of claims, records, counts, hosts and the feed. All lists go by the clock of
// the test, which moves between steps, so that times are compared too.
func RunAlike(t *testing.T, kinds ...Kind) {
	steps, first := numberIn(t, AlikeSteps, fewSteps), numberIn(t, AlikeSeed, 1)
	for run := first; steps > 0; run++ {
		t.Run(strconv.Itoa(run), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { newAlike(t, kinds, uint64(run)).run(min(steps, stepsARun)) })
		})
		if steps -= stepsARun; t.Failed() {
			return
		}
	}
}

func numberIn(t *testing.T, variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// alike are lists that the same is done to. What lists give out is kept for each of them.
type alike struct {
	t     *testing.T
	rand  *rand.Rand
	kinds []Kind
	lists []seedlist.List
	told  []uint64 // the last change that each has told

	claims   []alikeClaim // that are held, as far as the steps know
	ended    []alikeClaim // the last of those that are not
	harvests [][]seedlist.HarvestClaim
	seeds    []seedlist.Seed // all, after the last step
	catalogs []seedlist.Catalog
	does     string // the step
	several  bool   // it may be several transactions
}

// alikeClaim is one claim, as each of the lists gave it.
type alikeClaim struct {
	of    []seedlist.Claim
	filed []seedlist.FiledChildren // by each of them
}

func newAlike(t *testing.T, kinds []Kind, seed uint64) *alike {
	a := &alike{t: t, rand: rand.New(rand.NewPCG(seed, 46)), kinds: kinds, told: make([]uint64, len(kinds))}
	options := seedlist.Options{
		HostConnections: a.upTo(3), HostDelay: a.oneOf(-1, 1, 5) * time.Second, Interval: a.oneOf(-1, 60, 3600) * time.Second,
		KeepVersions: a.upTo(3) - 1, Lease: 90 * time.Second,
	}
	for _, k := range kinds {
		a.lists = append(a.lists, k.Open(t, options))
	}
	return a
}

func (a *alike) run(steps int) {
	weights := 0
	for _, s := range alikeSteps {
		weights += s.weight
	}
	for n := range steps {
		at := a.rand.IntN(weights)
		for _, s := range alikeSteps {
			if at -= s.weight; at < 0 {
				a.does, a.several = fmt.Sprintf("step %d: %s", n+1, s.name), s.several
				s.do(a)
				break
			}
		}
		a.compare(n%20 == 19 || n == steps-1)
	}
	for i, list := range a.lists {
		a.does = a.kinds[i].Name + ", at the end"
		Audit(a.t, list)
	}
}

// each does the same on each list, and compares what they answer.
func (a *alike) each(act func(i int, list seedlist.List) (answer any, err error)) {
	a.t.Helper()
	answers := make([]string, len(a.lists))
	for i, list := range a.lists {
		answer, err := act(i, list)
		answers[i] = textOf(a.t, answer)
		if err != nil {
			answers[i] = answerOf(err) + "\n" + answers[i]
		}
	}
	a.same("the answers", answers)
}

// same fails where the texts of the lists differ.
func (a *alike) same(what string, texts []string) {
	a.t.Helper()
	for i := range texts {
		if texts[i] == texts[0] {
			continue
		}
		// The first lines that differ say enough.
		was, is := strings.Split(texts[0]+"\n(the end)", "\n"), strings.Split(texts[i]+"\n(the end)", "\n")
		at := 0
		for was[at] == is[at] {
			at++
		}
		a.t.Fatalf("%s\n%s of %s and of %s are not alike:\n%s\n%s", a.does, what, a.kinds[0].Name, a.kinds[i].Name, was[at], is[at])
	}
}

// note adds to what is said of a step that fails.
func (a *alike) note(format string, args ...any) { a.does += "; " + fmt.Sprintf(format, args...) }

// textOf is a value as JSON; of a slice with an element a line.
func textOf(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sentinels are the errors that callers tell apart.
var sentinels = []error{
	seedlist.ErrLost, seedlist.ErrNotFound, seedlist.ErrReadOnly, seedlist.ErrClosed, seedlist.ErrCollision, seedlist.ErrDerived,
	seedlist.ErrNotAtRest, seedlist.ErrNotFailed, seedlist.ErrNoURI, seedlist.ErrCursor, seedlist.ErrGone, seedlist.ErrClean,
	seedlist.ErrNoBytes,
	seedlist.ErrHost, seedlist.ErrHostSettings,
}

// answerOf is what an error says to callers; "" for none.
func answerOf(err error) string {
	if err == nil {
		return ""
	}
	for _, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			return sentinel.Error()
		}
	}
	return "error: " + err.Error()
}

func answersOf(errs []error) (answers []string) {
	for _, err := range errs {
		answers = append(answers, answerOf(err))
	}
	return answers
}

// compare compares all that the lists say; deeply also what is dear to read.
func (a *alike) compare(deeply bool) {
	a.t.Helper()
	for _, part := range []struct {
		what string
		of   func(i int, list seedlist.List) string
		deep bool
	}{
		{"the feeds", a.feedOf, false},
		{"the records", a.recordsOf, false},
		{"the counts", a.countsOf, false},
		{"the hosts", a.hostsOf, false},
		{"the catalogs", a.catalogsOf, false},
		{"recipes, holds, contexts and the oldest due time", a.settingsOf, false},
		{"the attempts", a.attemptsOf, true},
		{"what is listed and alike", a.restOf, true},
		{"the rows", a.rowsOf, true},
	} {
		if part.deep && !deeply {
			continue
		}
		texts := make([]string, len(a.lists))
		for i, list := range a.lists {
			texts[i] = part.of(i, list)
		}
		a.same(part.what, texts)
	}
}

// feedOf are the changes since the last step. Numbers differ between lists, so that hashes stand for them.
func (a *alike) feedOf(i int, list seedlist.List) string {
	changes := Must[[]seedlist.Change](a.t)(list.Changes(a.t.Context(), a.told[i], 1<<20))
	var numbers []uint64
	for _, c := range changes {
		numbers = append(numbers, c.Number)
		a.told[i] = c.Revision
	}
	hashes := map[uint64]string{}
	for _, n := range Must[[]seedlist.Numbered](a.t)(list.Numbered(a.t.Context(), numbers...)) {
		hashes[n.Number] = n.Seed.Hash
	}
	var lines []string
	for _, c := range changes {
		hash := cmp.Or(c.Hash, hashes[c.Number], "a seed that is gone")
		lines = append(lines, fmt.Sprintf("%s: %q → %q %s", hash, c.From, c.To, c.Time.Format(time.RFC3339Nano)))
	}
	if a.several {
		slices.Sort(lines)
		lines = slices.Compact(lines)
	}
	return strings.Join(lines, "\n")
}

func (a *alike) recordsOf(i int, list seedlist.List) string {
	seeds, _, err := list.List(a.t.Context(), seedlist.Filter{Limit: 1 << 20})
	if err != nil {
		a.t.Fatal(err)
	}
	if i == 0 {
		a.seeds = seeds
	}
	return lines(a.t, seeds)
}

// lines are values as JSON, a line each.
func lines[T any](t testing.TB, values []T) string {
	t.Helper()
	var text strings.Builder
	for _, v := range values {
		text.WriteString(textOf(t, v) + "\n")
	}
	return text.String()
}

func (a *alike) countsOf(_ int, list seedlist.List) string {
	counts := Must[seedlist.Counts](a.t)(list.Counts(a.t.Context()))
	idle := Must[bool](a.t)(list.Idle(a.t.Context()))
	return fmt.Sprintf("%s idle %v", textOf(a.t, counts), idle)
}

func (a *alike) hostsOf(_ int, list seedlist.List) string {
	ctx := a.t.Context()
	var uses []seedlist.HostUse
	for _, name := range alikeHosts {
		uses = append(uses, Must[seedlist.HostUse](a.t)(list.Host(ctx, name)))
	}
	uses = append(uses, Must[[]seedlist.HostUse](a.t)(list.Hosts(ctx))...)
	return lines(a.t, uses) + textOf(a.t, Must[seedlist.Waits](a.t)(list.Waits(ctx, 10)))
}

func (a *alike) catalogsOf(i int, list seedlist.List) string {
	all, _, err := list.Catalogs(a.t.Context(), "", 0)
	if err != nil {
		a.t.Fatal(err)
	}
	if i == 0 {
		a.catalogs = all
	}
	return lines(a.t, all)
}

func (a *alike) attemptsOf(_ int, list seedlist.List) string {
	var text strings.Builder
	for i := range a.seeds {
		text.WriteString(lines(a.t, Must[[]seedlist.Attempt](a.t)(list.Attempts(a.t.Context(), a.seeds[i].Hash))))
	}
	return text.String()
}

func (a *alike) restOf(_ int, list seedlist.List) string {
	ctx := a.t.Context()
	var text strings.Builder
	for i := range a.catalogs {
		for _, gone := range []bool{false, true} {
			for cursor, more := "", true; more; more = cursor != "" {
				seeds, next, err := list.ListedBy(ctx, a.catalogs[i].Hash, gone, cursor, 2)
				fmt.Fprintf(&text, "%s %v: %d seeds, %q, %s\n", a.catalogs[i].Hash, gone, len(seeds), answerOf(err), lines(a.t, seeds))
				cursor = next
			}
		}
		fmt.Fprintf(&text, "%s\n", Must[[]byte](a.t)(list.Refusals(ctx, a.catalogs[i].Hash)))
	}
	for _, body := range alikeBodies {
		text.WriteString(body + ": " + lines(a.t, Must[[]seedlist.Seed](a.t)(list.Alike(ctx, ContentOf(body), 100))))
	}
	for _, span := range seedlist.Spans() {
		text.WriteString(lines(a.t, Must[[]seedlist.Washed](a.t)(list.Washed(ctx, span, time.Time{}, time.Now().Add(time.Hour)))))
	}
	outcomes := make([]*seedlist.Seed, len(a.seeds))
	for i := range a.seeds {
		outcomes[i] = &seedlist.Seed{Hash: a.seeds[i].Hash, URI: a.seeds[i].URI, Record: seedlist.Record{Document: a.seeds[i].Document}}
	}
	if err := list.FillOutcomes(ctx, outcomes...); err != nil {
		a.t.Fatal(err)
	}
	return text.String() + lines(a.t, outcomes)
}

// rowsOf are the rows of seeds as they are copied, without their numbers, and what they say of the moves.
func (a *alike) rowsOf(_ int, list seedlist.List) string {
	copier, ok := list.(seedlist.RowSource)
	if !ok {
		return ""
	}
	rows := Must[[]seedlist.Row](a.t)(copier.Rows(a.t.Context(), seedlist.PartSeeds, seedlist.Place{}, 1<<20))
	hashes := map[uint64]string{}
	for i := range rows {
		hashes[rows[i].Number] = rows[i].Hash
	}
	var text strings.Builder
	for i := range rows {
		moves := rows[i].Moves
		above := hashes[moves.Parent]
		moves.Parent = 0
		fmt.Fprintf(&text, "%s in %q: %s\n", rows[i].Hash, above, textOf(a.t, moves))
	}
	return text.String()
}
