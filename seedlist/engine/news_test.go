package engine

import (
	"testing"
	"time"

	"laundromat/seedlist"
)

func TestNewsOfAKindWakesThoseWhoWaitForIt(t *testing.T) {
	var l Moves
	for kind := range kindsOfNews {
		of := News(1) << kind
		var waiting [kindsOfNews]<-chan struct{}
		for other := range waiting {
			waiting[other] = l.wakers.expect(1 << other)
		}
		l.Wake(of)
		for other, woken := range waiting {
			select {
			case <-woken:
				if other != kind {
					t.Errorf("news %b wakes who waits for %b", of, 1<<other)
				}
			default:
				if other == kind {
					t.Errorf("news %b does not wake who waits for it", of)
				}
			}
		}
	}
}

// What a transaction changes decides who looks into the database.
func TestTransactionsTellWhatMayBeWaitedFor(t *testing.T) {
	now := time.Unix(1000, 0)
	ready := func(state seedlist.State) Hot { return Hot{State: state, Due: now.UnixNano()} }
	for _, test := range []struct {
		name    string
		was, is Hot
		erased  bool
		want    News
	}{
		{name: "a claim", was: ready(seedlist.Added), is: Hot{State: seedlist.Downloading}},
		{name: "a failure given back", was: Hot{State: seedlist.Downloading}, is: ready(seedlist.Added), want: OfDownloads},
		{name: "a seed due at another time", was: ready(seedlist.Added), is: Hot{State: seedlist.Added, Due: 1}, want: OfDownloads},
		{name: "a download", was: Hot{State: seedlist.Downloading}, is: ready(seedlist.Filed), want: OfArchives},
		{name: "no archive", was: Hot{State: seedlist.Unarchiving}, is: ready(seedlist.Unarchived), want: OfGuesses},
		{name: "a guess", was: Hot{State: seedlist.Guessing}, is: ready(seedlist.Guessed), want: OfDocuments},
		{name: "a crash", was: Hot{State: seedlist.Parsing}, is: Hot{State: seedlist.Guessed, Crashes: 1}, want: OfSuspects},
		{name: "a wash", was: Hot{State: seedlist.Parsing}, is: Hot{State: seedlist.Parsed, Due: now.Add(time.Hour).UnixNano()}},
		{name: "a wash to be done again at once", was: Hot{State: seedlist.Parsing}, is: Hot{State: seedlist.Parsed, Due: now.UnixNano()},
			want: OfDownloads},
		{name: "a removal", was: Hot{State: seedlist.Downloading}, is: ready(seedlist.Filed), erased: true},
	} {
		r := &Seed{was: test.was, Hot: test.is, Erased: test.erased}
		r.was.Fetchable, r.Fetchable = true, true
		r.was.Queue, r.Queue = QueueOf(&r.was), QueueOf(&r.Hot)
		if got := newsOfSeed(r, now.UnixNano()); got != test.want {
			t.Errorf("%s is news %b, not %b", test.name, got, test.want)
		}
	}
}
