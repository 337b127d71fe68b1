package bolt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

// injury is what is done to a file: the bytes from, before to, are other ones.
type injury struct {
	name     string
	from, to int64
	injure   func(data []byte) []byte
}

// injuries cut a file at each page and within, make each page zero, and flip single bits.
func injuries(size, pageSize, flips int64) (all []injury) {
	for at := int64(0); at < size; at += pageSize {
		cuts := []int64{at}
		if at/pageSize%8 == 3 {
			cuts = append(cuts, at+pageSize/3)
		}
		for _, at := range cuts {
			all = append(all, injury{fmt.Sprintf("cut at %d", at), at, size, func(data []byte) []byte { return data[:at] }})
		}
		all = append(all, injury{fmt.Sprintf("page %d is zero", at/pageSize), at, at + pageSize, func(data []byte) []byte {
			clear(data[at : at+pageSize])
			return data
		}})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range flips {
		at, bit := random.Int64N(size), random.IntN(8)
		all = append(all, injury{fmt.Sprintf("bit %d of byte %d", bit, at), at, at + 1, func(data []byte) []byte {
			data[at] ^= 1 << bit
			return data
		}})
	}
	return all
}

// listed are all records that a list can read, as JSON, by their hashes.
func listed(t *testing.T, list seedlist.List) map[string]string {
	all := map[string]string{}
	seeds, _, err := list.List(t.Context(), seedlist.Filter{Limit: 1 << 20, Damaged: func(d *seedlist.Damage) { sentence(t, d) }})
	if err != nil {
		sentence(t, err)
	}
	for _, seed := range seeds {
		data, err := json.Marshal(seed)
		if err != nil {
			t.Fatal(err)
		}
		all[seed.Hash] = string(data)
	}
	return all
}

// sentence holds that an error of a damaged list is one plain sentence.
func sentence(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	if strings.ContainsAny(text, "\n\x00") || strings.Contains(text, "goroutine") || !strings.Contains(text, "seeds.db") {
		t.Errorf("%q", text)
	}
	if errors.As(err, new(*seedlist.Damage)) && !strings.Contains(text, "salvage") {
		t.Errorf("it does not say what to do: %q", text)
	}
}

func TestNoDamageEndsInAPanicIsOverlookedOrCostsMoreThanItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	washed(t, path, 60)
	whole := storetest.Must[[]byte](t)(os.ReadFile(path))
	records, size, pageSize, err := bolt.Locate(path)
	if err != nil {
		t.Fatal(err)
	}
	whole = whole[:size] // what is behind is not in use
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{ReadOnly: true}))
	want := listed(t, store)
	store.Close()
	if len(records) != 2*len(want) || len(want) < 50 {
		t.Fatalf("%d records of %d seeds were found", len(records), len(want))
	}
	flips := int64(60)
	if more, err := strconv.ParseInt(os.Getenv("LAUNDROMAT_FLIPS"), 10, 64); err == nil {
		flips = more // as many as there is time for
	}
	all := injuries(size, pageSize, flips)
	t.Logf("%d seeds, %d bytes, %d injuries", len(want), size, len(all))
	damaged := filepath.Join(t.TempDir(), "seeds.db")
	overlooked, unseen := 0, 0
	for _, injury := range all {
		data := injury.injure(append([]byte(nil), whole...))
		if err := os.WriteFile(damaged, data, 0o600); err != nil {
			t.Fatal(err)
		}
		found := inspected(t, injury.name, damaged)
		got := readDamaged(t, damaged)
		isLost := false
		for hash, record := range want {
			isLost = isLost || got[hash] != record
		}
		if isLost && found == 0 {
			t.Errorf("%s: of %d seeds %d are read, and nothing is found to be damaged", injury.name, len(want), len(got))
			overlooked++
		}
		if !isLost && found == 0 {
			unseen++ // a page that is not in use, or an index that is only kept for older versions
		}
		writeDamaged(t, injury.name, data, damaged)
		if err := os.WriteFile(damaged, data, 0o600); err != nil {
			t.Fatal(err)
		}
		salvageDamaged(t, injury, damaged, records, want)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d injuries cost no record, and were not found", unseen)
}

// inspected is the number of damages that are found in a file.
func inspected(t *testing.T, name, path string) (found int) {
	count := func(d *seedlist.Damage) error {
		sentence(t, d)
		found++
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return 1 // that is told before anything is read
	}
	store, err := bolt.Open(path, seedlist.Options{ReadOnly: true})
	if err != nil {
		sentence(t, err)
		if _, err := bolt.InspectFile(t.Context(), path, count); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if found == 0 {
			t.Errorf("%s: it can't be opened (%v), and nothing is found to be damaged", name, err)
		}
		return found
	}
	defer store.Close()
	if _, err := store.Inspect(t.Context(), count); err != nil {
		sentence(t, err)
		found++
	}
	return found
}

func readDamaged(t *testing.T, path string) map[string]string {
	store, err := bolt.Open(path, seedlist.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer store.Close()
	if _, err := store.Counts(t.Context()); err != nil {
		sentence(t, err)
	}
	return listed(t, store)
}

// writeDamaged works on a damaged list as a daemon does.
func writeDamaged(t *testing.T, name string, data []byte, path string) {
	store, err := bolt.Open(path, seedlist.Options{HostDelay: -1, HostConnections: 1 << 20})
	if err != nil {
		if len(data) > 0 {
			sentence(t, err)
		}
		return
	}
	defer store.Close()
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://new.example/" + name}}); err != nil {
		sentence(t, err)
	}
	for _, stage := range seedlist.Stages() {
		claims, err := store.Claim(t.Context(), stage, "w", 1000)
		if err != nil {
			sentence(t, err)
		}
		for _, c := range claims {
			if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Failed}); err != nil && err != seedlist.ErrLost {
				sentence(t, err)
			}
		}
	}
}

// salvageDamaged holds that each record whose bytes are whole is in the list that is salvaged.
func salvageDamaged(t *testing.T, injury injury, path string, records []bolt.Located, want map[string]string) {
	into := filepath.Join(t.TempDir(), "seeds.db")
	lost := 0
	sums, err := bolt.Salvage(t.Context(), path, into, bolt.SalvageOptions{Lost: func(bolt.Lost) error { lost++; return nil }})
	if err != nil {
		t.Errorf("%s: %v", injury.name, err)
		return
	}
	store := storetest.Must[*bolt.Store](t)(bolt.Open(into, seedlist.Options{ReadOnly: true}))
	defer store.Close()
	if _, err := store.Inspect(t.Context(), func(d *seedlist.Damage) error {
		t.Errorf("%s: the salvaged list: %v", injury.name, d)
		return nil
	}); err != nil {
		t.Errorf("%s: %v", injury.name, err)
	}
	got := map[string]seedlist.Seed{}
	seeds, _, err := store.List(t.Context(), seedlist.Filter{Limit: 1 << 20})
	if err != nil {
		t.Errorf("%s: %v", injury.name, err)
	}
	for _, seed := range seeds {
		got[seed.Hash] = seed
	}
	if sums.Seeds != int64(len(seeds)) || sums.Whole+sums.Restated+sums.Refetched+sums.FromFiles != sums.Seeds ||
		sums.Lost+sums.LostCatalogs != int64(lost) {
		t.Errorf("%s: %d seeds, %d told of as lost, counted %+v", injury.name, len(seeds), lost, sums)
	}
	isWhole := map[bool]map[string]bool{true: {}, false: {}}
	for _, r := range records {
		isHit := injury.from < r.To && r.From < injury.to || injury.from < r.Element+16 && r.Element < injury.to
		isWhole[r.Cold][r.Hash] = !isHit
	}
	for hash, was := range want {
		if !isWhole[true][hash] {
			continue
		}
		seed, ok := got[hash]
		if !ok {
			t.Errorf("%s: the record of %s is whole, and was not salvaged: %+v", injury.name, hash, sums)
			return
		}
		var old seedlist.Seed
		if err := json.Unmarshal([]byte(was), &old); err != nil {
			t.Fatal(err)
		}
		if seed.URI != old.URI && !strings.Contains(seed.URI, "secret") || seed.Parent != old.Parent || seed.Format != old.Format ||
			seed.Clean != old.Clean {
			t.Errorf("%s: %s is %+v, was %+v", injury.name, hash, seed.Record, old.Record)
		}
		if isWhole[false][hash] && (seed.Status != old.Status || seed.Fence != old.Fence ||
			!seed.Due.Truncate(time.Second).Equal(old.Due.Truncate(time.Second))) {
			t.Errorf("%s: %s is %+v, was %+v", injury.name, hash, seed.Standing, old.Standing)
		}
	}
}
