package daemon_test

import (
	"testing"

	"laundromat/internal/fetch/ftptest"
	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

// A document that comes by FTP is washed as any other. It goes on where it broke off, and is not
// fetched again as long as it is the same.
func TestDocumentsComeByFTP(t *testing.T) {
	server := ftptest.New(map[string]string{"d/data.nt": triple}, ftptest.Faults{Cuts: []int{5}})
	defer server.Close()
	w := newWorld(t, seedlist.Options{})
	uri := server.URI("/d/data.nt")
	add := func() {
		if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: uri}}); err != nil {
			t.Fatal(err)
		}
	}
	seed := func() seedlist.Seed {
		s, err := storetest.Find(t.Context(), w.seeds, uri)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	add()
	w.run()
	w.sound()
	first := seed()
	if first.Status != seedlist.Parsed || first.Statements.Written != 1 || first.Format != "N-Triples" || len(first.HTTP) != 2 ||
		first.HTTP[1].Status != 226 {
		t.Fatalf("%+v", first)
	}
	again := func() seedlist.Seed {
		if answers, err := w.seeds.Retry(t.Context(), "", first.Hash); err != nil || answers[0] != nil {
			t.Fatal(err, answers)
		}
		w.run()
		w.sound()
		return seed()
	}
	if s := again(); s.Status != seedlist.Parsed || !s.Retrieved.Equal(first.Retrieved) || w.counts().Unchanged != 1 {
		t.Errorf("%+v", s)
	}
	server.Put("d/data.nt", triple+triple, "20260203040506")
	if s := again(); s.Status != seedlist.Parsed || s.Retrieved.Equal(first.Retrieved) || s.Statements.Read != 2 {
		t.Errorf("%+v", s)
	}
}
