package postgres

import (
	"testing"
	"time"

	"laundromat/seedlist"
)

func TestNewsOfAKindWakesThoseWhoWaitForIt(t *testing.T) {
	var s Store
	for kind := range s.changed {
		s.changed[kind] = make(chan struct{})
	}
	for kind := range s.changed {
		of := news(1) << kind
		var waiting [kindsOfNews]<-chan struct{}
		for other := range waiting {
			waiting[other] = s.expect(1 << other)
		}
		s.wake(newsIn(of.notice()))
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

func TestANoticeThatCannotBeReadMayBeAnyNews(t *testing.T) {
	for _, notice := range []string{"", "x", "-1", "256"} {
		if newsIn(notice) != allNews {
			t.Errorf("%q is news %b", notice, newsIn(notice))
		}
	}
}

// What a transaction changes decides who looks into the database.
func TestTransactionsTellWhatMayBeWaitedFor(t *testing.T) {
	now := time.Unix(1000, 0)
	ready := func(state seedlist.State) hot { return hot{state: state, due: now.UnixNano()} }
	for _, test := range []struct {
		name    string
		was, is hot
		erased  bool
		want    news
	}{
		{name: "a claim", was: ready(seedlist.Added), is: hot{state: seedlist.Downloading}},
		{name: "a failure given back", was: hot{state: seedlist.Downloading}, is: ready(seedlist.Added), want: ofDownloads},
		{name: "a seed due at another time", was: ready(seedlist.Added), is: hot{state: seedlist.Added, due: 1}, want: ofDownloads},
		{name: "a download", was: hot{state: seedlist.Downloading}, is: ready(seedlist.Filed), want: ofArchives},
		{name: "no archive", was: hot{state: seedlist.Unarchiving}, is: ready(seedlist.Unarchived), want: ofGuesses},
		{name: "a guess", was: hot{state: seedlist.Guessing}, is: ready(seedlist.Guessed), want: ofDocuments},
		{name: "a crash", was: hot{state: seedlist.Parsing}, is: hot{state: seedlist.Guessed, crashes: 1}, want: ofSuspects},
		{name: "a wash", was: hot{state: seedlist.Parsing}, is: hot{state: seedlist.Parsed, due: now.Add(time.Hour).UnixNano()}},
		{name: "a wash to be done again at once", was: hot{state: seedlist.Parsing}, is: hot{state: seedlist.Parsed, due: now.UnixNano()},
			want: ofDownloads},
		{name: "a removal", was: hot{state: seedlist.Downloading}, is: ready(seedlist.Filed), erased: true},
	} {
		tx := &tx{now: now, records: map[uint64]*record{1: {was: test.was, hot: test.is, erased: test.erased}, 2: nil}}
		if got := tx.newsOfRecords(); got != test.want {
			t.Errorf("%s is news %b, not %b", test.name, got, test.want)
		}
	}
}
