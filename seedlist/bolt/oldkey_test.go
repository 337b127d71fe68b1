package bolt_test

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"path/filepath"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

func TestIdentifiersOf2018LeadToTheSeed(t *testing.T) {
	old := func(uri string) string {
		sum := md5.Sum([]byte(uri))
		return hex.EncodeToString(sum[:])
	}
	path := filepath.Join(t.TempDir(), "seeds.db")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	const given, again, plain = "HTTP://Example.org/%7ea/../b", "http://EXAMPLE.org/b", "http://example.org/plain"
	hashes := storetest.Add(t, store, given, plain)
	storetest.Add(t, store, again)
	find := func(key, want string) {
		t.Helper()
		s, err := storetest.Find(t.Context(), store, key)
		if want == "" && !errors.Is(err, seedlist.ErrNotFound) || want != "" && (err != nil || s.Hash != want) {
			t.Errorf("%s: %s, error %v, want %q", key, s.Hash, err, want)
		}
		if attempts, err := store.Attempts(t.Context(), key); (err == nil) != (want != "") {
			t.Errorf("%s: attempts %v, error %v", key, attempts, err)
		}
	}
	if old(given) == hashes[0] || old(plain) != hashes[1] {
		t.Fatal("the URIs show nothing")
	}
	find(old(given), hashes[0])
	find(old(again), hashes[0])
	find(old(plain), hashes[1])
	find(old("http://example.org/nowhere"), "")
	store.Close()
	store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{}))
	defer store.Close()
	find(old(given), hashes[0])
	if _, err := store.Remove(t.Context(), hashes[0]); err != nil {
		t.Fatal(err)
	}
	find(old(given), "")
	storetest.Audit(t, store)
}
