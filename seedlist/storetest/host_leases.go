package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Processes makes lists as several processes have them that work on the same seeds.
type Processes struct {
	// Open opens an empty list for as many processes. An embedded one has one: it is given to all.
	Open func(t testing.TB, options seedlist.Options, n int) []seedlist.List
	// Cut lets a list no longer reach what keeps the seeds; nil for an embedded one.
	Cut func(seedlist.List)
}

// hostLaws are the laws of [seedlist.HostLeases].
var hostLaws = []struct {
	name string
	// shared says that the law is about several processes.
	shared bool
	hold   func(t *testing.T, p Processes)
}{
	{"OneProcessAtATimeAsksAHost", false, oneProcessAtATimeAsksAHost},
	{"AClaimHoldsItsHost", false, aClaimHoldsItsHost},
	{"PaceAndRestGoWithAHost", false, paceAndRestGoWithAHost},
	{"AHostThatTurnedIsAskedByNobody", false, aHostThatTurnedIsAskedByNobody},
	{"ALeaseInUseIsRenewed", true, aLeaseInUseIsRenewed},
	{"ARemovedSeedHoldsItsHostUntilItsWorkEnds", true, aRemovedSeedHoldsItsHostUntilItsWorkEnds},
	{"AHostThatIsWishedForIsLetGo", true, aHostThatIsWishedForIsLetGo},
	{"ADeadProcessLosesItsHosts", true, aDeadProcessLosesItsHosts},
	{"AClosedListGivesUpItsHosts", true, aClosedListGivesUpItsHosts},
}

// RunHosts holds lists against the laws of leases of hosts, each as a subtest of its name.
func RunHosts(t *testing.T, p Processes) {
	for _, law := range hostLaws {
		if law.shared && p.Cut == nil {
			continue
		}
		t.Run(law.name, func(t *testing.T) { law.hold(t, p) })
	}
}

// long is longer than a busy machine takes for anything here.
const long = time.Minute

// lease takes the lease of a host, and fails if it does not get it.
func lease(t testing.TB, list seedlist.List, host string) seedlist.HostLease {
	t.Helper()
	return Must[seedlist.HostLease](t)(list.LeaseHost(t.Context(), host, long))
}

func give(l seedlist.HostLease, rest time.Duration) {
	if l.Give != nil {
		l.Give(rest)
	}
}

// wantRefused fails if a process gets the lease of a host within a time.
func wantRefused(t testing.TB, list seedlist.List, host string, within time.Duration) *fault.Error {
	t.Helper()
	l, err := list.LeaseHost(t.Context(), host, within)
	e, ok := err.(*fault.Error)
	if !ok || e.Kind != fault.Stopped || e.Code != fault.TransportHostResting || e.After <= 0 {
		t.Errorf("a host that another process asks: lease %+v, error %v", l, err)
		return &fault.Error{}
	}
	return e
}

func oneProcessAtATimeAsksAHost(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 3, HostDelay: -1}, 4)
	var seeds []seedlist.NewSeed
	for i := range 120 {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", i%6, i)})
	}
	if _, err := lists[0].Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asks := map[string]map[seedlist.List]int{}
	ask := func(list seedlist.List, host string, n int) {
		mu.Lock()
		defer mu.Unlock()
		if asks[host] == nil {
			asks[host] = map[seedlist.List]int{}
		}
		if asks[host][list] += n; asks[host][list] == 0 {
			delete(asks[host], list)
		}
		if len(asks[host]) > 1 {
			t.Errorf("%d processes ask %s", len(asks[host]), host)
		}
	}
	var all sync.WaitGroup
	claimed := 0
	for g := range 64 {
		list := lists[g%len(lists)]
		all.Go(func() {
			if g/len(lists)%2 == 0 {
				for i := range 6 {
					host := fmt.Sprintf("h%d.example", (g+i)%6)
					l, err := list.LeaseHost(t.Context(), host, long)
					if err != nil {
						t.Error(err)
						return
					}
					ask(list, host, +1)
					time.Sleep(time.Millisecond)
					if l.IsLost() {
						t.Error("a lease is lost while it is renewed")
					}
					ask(list, host, -1)
					give(l, 0)
				}
				return
			}
			for range 30 {
				waiting, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				list.Wait(waiting, seedlist.Downloading)
				cancel()
				claims, err := list.Claim(t.Context(), seedlist.Downloading, "w", 2)
				if err != nil {
					t.Error(err)
					return
				}
				for _, c := range claims {
					ask(list, hostOf(c), +1)
				}
				for _, c := range claims {
					ask(list, hostOf(c), -1)
					if err := list.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Filed}); err != nil {
						t.Error(err)
					}
				}
				mu.Lock()
				claimed += len(claims)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if claimed == 0 {
		t.Error("nothing was claimed beside")
	}
	Audit(t, lists[0])
}

func hostOf(c seedlist.Claim) string {
	host, _ := seedlist.HostOf(c.Seed.URI)
	return host
}

func aClaimHoldsItsHost(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: -1}, 2)
	a, b := lists[0], lists[1]
	Add(t, a, "http://a.example/1", "http://a.example/2")
	c := Claim(t, a, seedlist.Downloading)
	if l := a.ClaimedHost("a.example"); l.IsLost() {
		t.Error("a claim has no lease")
	}
	if a != b {
		if l := b.ClaimedHost("a.example"); !l.IsLost() {
			t.Error("another process has the lease")
		}
		if claims := Must[[]seedlist.Claim](t)(b.Claim(t.Context(), seedlist.Downloading, "w", 9)); len(claims) != 0 {
			t.Errorf("%d claims of a host of another", len(claims))
		}
		wantRefused(t, b, "http://A.example:80/x", 0)
		time.Sleep(2 * time.Second) // no wish of b is left
	}
	redirect := lease(t, a, "a.example")
	if err := a.Rest(t.Context(), c, seedlist.Load{}); err != nil {
		t.Fatal(err)
	}
	if a != b {
		wantRefused(t, b, "a.example", 0)
	}
	give(redirect, 0)
	if a != b {
		if l := a.ClaimedHost("a.example"); !l.IsLost() {
			t.Error("a lease that was given up")
		}
	}
	give(lease(t, b, "a.example"), -1)
	if c := Claim(t, b, seedlist.Downloading); c.Seed.URI != "http://a.example/2" {
		t.Errorf("%+v", c)
	}
}

func paceAndRestGoWithAHost(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: 100 * time.Millisecond}, 2)
	a, b := lists[0], lists[1]
	give(lease(t, a, "slow.example"), 0)
	if err := a.Showed(t.Context(), "slow.example", seedlist.Load{Busy: true}); err != nil {
		t.Fatal(err)
	}
	if m := Must[seedlist.Manners](t)(b.Manners(t.Context(), "slow.example")); m.Delay != time.Second {
		t.Errorf("the next asks it every %v", m.Delay)
	}
	if a == b {
		return // what an embedded list's process knows of rests is said by what it asks with
	}
	give(lease(t, a, "rests.example"), time.Hour)
	for _, list := range lists {
		if e := wantRefused(t, list, "rests.example", time.Second); e.After < 59*time.Minute {
			t.Errorf("it is asked again after %v", e.After)
		}
	}
	begin := time.Now()
	first := lease(t, a, "soon.example")
	ended := time.Now()
	give(first, 3*time.Second)
	l := lease(t, b, "soon.example")
	if l.NotBefore.Sub(ended) < 3*time.Second-time.Since(begin)/100 && time.Since(ended) < 3*time.Second {
		t.Errorf("asked %v after the end of a request, and it wanted 3 s", l.NotBefore.Sub(ended))
	}
	give(l, -1)
	if l := lease(t, a, "soon.example"); !l.NotBefore.Before(ended.Add(long)) {
		t.Errorf("nothing was sent, and the host rests until %v", l.NotBefore)
	}
}

// aHostThatTurnedIsAskedByNobody while its pause lasts: neither for a redirect, nor for a page of a catalog.
func aHostThatTurnedIsAskedByNobody(t *testing.T, p Processes) {
	list := p.Open(t, seedlist.Options{HostDelay: -1}, 1)[0]
	turn := func(host string, until time.Time) {
		t.Helper()
		Must[seedlist.HostUse](t)(list.SetHost(t.Context(), host, func(s *seedlist.HostSettings) {
			s.Turned = &seedlist.Turned{Since: time.Now(), Documents: 3, Asked: 3, Pause: 3600, Until: until}
		}))
	}
	give(lease(t, list, "t.example"), -1)
	turn("t.example", time.Now().Add(time.Hour))
	for _, name := range []string{"t.example", "T.example"} {
		if e := wantRefused(t, list, name, long/60); e.After < 59*time.Minute || e.After > time.Hour+time.Second {
			t.Errorf("%s is to be asked again after %v", name, e.After)
		}
	}
	give(lease(t, list, "other.example"), -1)
	soon := time.Now().Add(long / 4)
	turn("soon.example", soon)
	if l := lease(t, list, "soon.example"); l.NotBefore.Sub(soon).Abs() > time.Second {
		t.Errorf("the host may be asked %v after its pause", l.NotBefore.Sub(soon))
	} else {
		give(l, -1)
	}
	Must[seedlist.HostUse](t)(list.SetHost(t.Context(), "t.example", func(s *seedlist.HostSettings) { s.Turned = nil }))
	give(lease(t, list, "t.example"), -1)
}

func aLeaseInUseIsRenewed(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: -1, HostLease: 2 * time.Second}, 2)
	a, b := lists[0], lists[1]
	Add(t, a, "http://a.example/1")
	c := Claim(t, a, seedlist.Downloading)
	claimed, other := a.ClaimedHost("a.example"), lease(t, a, "b.example")
	wantRefused(t, b, "a.example", 3*time.Second)
	wantRefused(t, b, "b.example", 3*time.Second)
	if claimed.IsLost() || other.IsLost() {
		t.Error("a lease was not renewed")
	}
	other.Give(0)
	if err := a.Rest(t.Context(), c, seedlist.Load{}); err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"a.example", "b.example"} {
		give(lease(t, b, host), 0)
	}
}

func aRemovedSeedHoldsItsHostUntilItsWorkEnds(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: -1}, 3)
	a, b, remover := lists[0], lists[1], lists[2]
	hash := Add(t, a, "http://a.example/1")[0]
	c := Claim(t, a, seedlist.Downloading)
	if answers := Must[[]error](t)(remover.Remove(t.Context(), hash)); answers[0] != nil {
		t.Fatal(answers)
	}
	wantRefused(t, b, "a.example", 0)
	if err := a.GiveBack(t.Context(), c, seedlist.Return{}); err != seedlist.ErrLost {
		t.Errorf("the claim of a seed that was removed: %v", err)
	}
	give(lease(t, b, "a.example"), 0)
}

// aHostThatIsWishedForIsLetGo: a process with many seeds of a host lets another ask it in between.
func aHostThatIsWishedForIsLetGo(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: -1}, 2)
	a, b := lists[0], lists[1]
	var uris []string
	for i := range 5000 {
		uris = append(uris, fmt.Sprintf("http://a.example/%d", i))
	}
	Add(t, a, uris...)
	got := make(chan error)
	first := Claim(t, a, seedlist.Downloading)
	go func() {
		l, err := b.LeaseHost(t.Context(), "a.example", long)
		give(l, 0)
		got <- err
	}()
	next := []seedlist.Claim{first}
	for claimed := 0; claimed < len(uris); claimed += len(next) {
		for _, c := range next {
			Complete(t, a, c, seedlist.Outcome{Next: seedlist.Filed})
		}
		select {
		case err := <-got:
			if err != nil {
				t.Error(err)
			}
			return
		default:
			next = Must[[]seedlist.Claim](t)(a.Claim(t.Context(), seedlist.Downloading, "w", 1))
		}
	}
	t.Error("a host was asked for all of its seeds before another process was let ask it")
	<-got
}

// aDeadProcessLosesItsHosts, after its lease and the delay; by its own clock it has lost them before.
func aDeadProcessLosesItsHosts(t *testing.T, p Processes) {
	const duration, delay = 2 * time.Second, time.Second
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: delay, HostLease: duration}, 2)
	a, b := lists[0], lists[1]
	Add(t, a, "http://a.example/1")
	begin := time.Now()
	Claim(t, a, seedlist.Downloading)
	other := lease(t, a, "b.example")
	claimed := a.ClaimedHost("a.example")
	p.Cut(a)
	if _, err := a.LeaseHost(t.Context(), "c.example", 0); fault.KindOf(err) != fault.Local {
		t.Errorf("a process that was cut off gets a lease: %v", err)
	}
	for _, host := range []string{"a.example", "b.example"} {
		l := lease(t, b, host)
		if !claimed.IsLost() || !other.IsLost() {
			t.Errorf("%s is another's, and the process that was cut off does not know", host)
		}
		if pause := time.Since(begin); pause < duration+delay-50*time.Millisecond {
			t.Errorf("%s has another after %v; a lease is %v, and its delay %v", host, pause, duration, delay)
		}
		give(l, 0)
	}
}

func aClosedListGivesUpItsHosts(t *testing.T, p Processes) {
	lists := p.Open(t, seedlist.Options{HostConnections: 1, HostDelay: 2 * time.Second}, 2)
	a, b := lists[0], lists[1]
	lease(t, a, "a.example")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	closed := time.Now()
	l := lease(t, b, "a.example")
	if rest := l.NotBefore.Sub(closed); time.Since(closed) < time.Second && rest < time.Second {
		t.Errorf("it is asked %v after it was given up", rest)
	}
}
