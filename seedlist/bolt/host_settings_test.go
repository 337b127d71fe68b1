package bolt

import (
	"path/filepath"
	"testing"

	"laundromat/seedlist"
)

// TestDamagedSettingsOfAHostAreLeftOut: they have no checksum, and a list whose settings are no JSON can't be opened.
func TestDamagedSettingsOfAHostAreLeftOut(t *testing.T) {
	path, into := filepath.Join(t.TempDir(), "seeds"), filepath.Join(t.TempDir(), "seeds")
	store, err := Open(path, seedlist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"a.example", "b.example"} {
		if _, err := store.SetHost(t.Context(), host, func(h *seedlist.HostSettings) { h.Paused = true }); err != nil {
			t.Fatal(err)
		}
	}
	err = store.do(t.Context(), func(b *batch) error {
		b.put(inHostSettings, []byte("a.example"), []byte(`{"host"?`))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err := Open(path, seedlist.Options{}); err == nil {
		store.Close()
		t.Fatal("a list with damaged settings was opened")
	}
	if _, err := Salvage(t.Context(), path, into, SalvageOptions{}); err != nil {
		t.Fatal(err)
	}
	if store, err = Open(into, seedlist.Options{}); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	hosts, err := store.Rows(t.Context(), seedlist.PartHosts, seedlist.Place{}, 10)
	if err != nil || len(hosts) != 1 || hosts[0].Name != "b.example" {
		t.Errorf("the hosts with settings are %+v, %v", hosts, err)
	}
}
