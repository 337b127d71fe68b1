package bolt_test

import (
	"path/filepath"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
)

func TestAPausedHostIsNotAskedAndDelaysNobody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostDelay: -1}))
	storetest.Add(t, store, "http://a.example/1", "http://a.example/2", "http://b.example/1")
	pause := func(paused bool) func(*seedlist.HostSettings) {
		return func(s *seedlist.HostSettings) { s.Paused = paused }
	}
	use := storetest.Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "http://A.example/1", pause(true)))
	if use.Host != "a.example" || !use.Paused || use.Waiting != 2 {
		t.Errorf("%+v", use)
	}
	claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
	if len(claims) != 1 || claims[0].Seed.URI != "http://b.example/1" {
		t.Fatalf("%+v", claims)
	}
	storetest.Complete(t, store, claims[0], seedlist.Outcome{Next: seedlist.Failed})
	if !storetest.Must[bool](t)(store.Idle(t.Context())) {
		t.Error("seeds of a paused host keep the store from its rest")
	}
	// It is still paused when the store is opened again.
	store.Close()
	store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostDelay: -1}))
	defer store.Close()
	if claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 0 {
		t.Fatalf("%+v", claims)
	}
	woken := make(chan error, 1)
	go func() { woken <- store.Wait(t.Context(), seedlist.Downloading) }()
	storetest.Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", pause(false)))
	if err := <-woken; err != nil {
		t.Error(err)
	}
	if hosts := storetest.Must[[]seedlist.HostUse](t)(store.Hosts(t.Context())); len(hosts) != 0 {
		t.Errorf("settings that say nothing are kept: %+v", hosts)
	}
	if claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 1 {
		t.Fatalf("%+v", claims)
	}
	storetest.Audit(t, store)
}

func TestAHostThatTurnedIsLeftAloneByTheNextProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seeds.db")
	store := storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostDelay: -1}))
	storetest.Add(t, store, "http://a.example/1")
	until := time.Now().Add(time.Hour).Round(0).UTC()
	storetest.Must[seedlist.HostUse](t)(store.SetHost(t.Context(), "a.example", func(s *seedlist.HostSettings) {
		s.Turned = &seedlist.Turned{Since: time.Now(), Documents: 3, Asked: 3, Pause: 3600, Until: until}
	}))
	store.Close()
	store = storetest.Must[*bolt.Store](t)(bolt.Open(path, seedlist.Options{HostDelay: -1}))
	defer store.Close()
	if claims := storetest.Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 0 {
		t.Errorf("claimed before its pause has ended: %+v", claims)
	}
	if use := storetest.Must[seedlist.HostUse](t)(store.Host(t.Context(), "a.example")); !use.Rests.Equal(until) {
		t.Errorf("it rests until %v, want %v", use.Rests, until)
	}
}
