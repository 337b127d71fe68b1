package seedfile

import (
	"context"
	"errors"
	"testing"
	"time"

	"laundromat/seedlist"
)

func TestAMemberIsAtTheURIOfItsOutermostArchive(t *testing.T) {
	came := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	root := seedlist.Seed{Hash: "r", URI: "http://example.org/a.tar", Record: seedlist.Record{Retrieved: came}}
	inner := seedlist.Seed{Hash: "i", Record: seedlist.Record{Parent: "r", Archive: &seedlist.Archive{Entry: "b.zip"}}}
	leaf := seedlist.Seed{Hash: "l", Record: seedlist.Record{Parent: "i", Archive: &seedlist.Archive{Entry: "c.nt"}}}
	other := seedlist.Seed{Hash: "o", Record: seedlist.Record{Parent: "i", Archive: &seedlist.Archive{Entry: "d.nt"}}}
	lost := errors.New("lost")
	asked := 0
	places := Places{Record: func(_ context.Context, hash string) (seedlist.Seed, error) {
		asked++
		switch hash {
		case "r":
			return root, nil
		case "i":
			return inner, nil
		}
		return seedlist.Seed{}, lost
	}}
	for _, c := range []struct {
		seed seedlist.Seed
		want string
	}{
		{root, "http://example.org/a.tar"},
		{leaf, "http://example.org/a.tar!/b.zip!/c.nt"},
		{other, "http://example.org/a.tar!/b.zip!/d.nt"},
		{inner, "http://example.org/a.tar!/b.zip"},
	} {
		at, err := places.Of(t.Context(), &c.seed)
		if err != nil || at.String() != c.want || !at.Time.Equal(came) {
			t.Errorf("%s: %v, %v", c.seed.Hash, at, err)
		}
	}
	if asked != 2 {
		t.Errorf("%d archives were read", asked)
	}
	orphan := seedlist.Seed{Record: seedlist.Record{Parent: "gone"}}
	if _, err := places.Of(t.Context(), &orphan); !errors.Is(err, lost) {
		t.Errorf("an archive that can't be read: %v", err)
	}
}
