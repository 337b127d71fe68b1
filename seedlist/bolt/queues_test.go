package bolt_test

import (
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
	"laundromat/seedlist/storetest"
)

// A seed whose time has come stays due for as long as its host is busy. Were that time waited for, those who wait
// would look at the list without a pause until the host is free.
func TestNothingWaitsForATimeThatHasPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: time.Second})
		storetest.Add(t, store, "http://example.org/1", "http://example.org/2")
		back := storetest.Claim(t, store, seedlist.Downloading)
		if err := store.GiveBack(t.Context(), back, seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Minute) // the host's rest is over
		claim := storetest.Claim(t, store, seedlist.Downloading)
		look := func() (o engine.Outlook) {
			err := store.View(t.Context(), true, func(tx engine.Tx) (err error) {
				o, err = tx.Next(engine.QueueHosts, time.Now(), 0)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return o
		}
		for _, after := range []time.Duration{0, time.Hour, 24 * time.Hour} {
			time.Sleep(after)
			if o := look(); o.IsReady || o.At != 0 && o.At <= time.Now().UnixNano() {
				t.Errorf("%v later, with a busy host: %+v at %d", after, o, time.Now().UnixNano())
			}
		}
		if err := store.GiveBack(t.Context(), claim, seedlist.Return{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if o := look(); !o.IsReady {
			t.Errorf("with a free host: %+v", o)
		}
	})
}
