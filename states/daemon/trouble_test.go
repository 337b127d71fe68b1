package daemon_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/daemon"
)

// TestTroubleOfThisMachineIsNotTheDocumentsFault takes the folder for temporary files away while a
// document is being fetched. The claim is given back and costs no try. The stage pauses, and goes
// on when a file can be written again.
func TestTroubleOfThisMachineIsNotTheDocumentsFault(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/x.nt", []byte(nt("one")))
	w.page("/y.nt", []byte(nt("two")))
	temp := filepath.Join(w.dir, "blobs", "temp")
	w.opt.ProbeEvery = 100 * time.Millisecond
	if err := os.Rename(temp, temp+"-away"); err != nil {
		t.Fatal(err)
	}
	w.add("/x.nt", "/y.nt")
	stop := w.start()
	w.await("a pause", func() bool { return strings.Contains(w.log.String(), "pausing") })
	time.Sleep(250 * time.Millisecond)
	for _, path := range []string{"/x.nt", "/y.nt"} {
		seed := w.seed(path)
		if seed.Status != seedlist.Added || seed.Tries != 0 || seed.Error != nil {
			t.Errorf("%s: %+v, %+v", path, seed.Standing, seed.Error)
		}
		for _, a := range w.attempts(seed.Hash) {
			if a.Kind != "local" || a.Result != "local/disk" || a.Tries != 1 || a.Traceback == "" {
				t.Errorf("%+v", a)
			}
		}
		if seed.Fence > 2 {
			t.Errorf("%s was claimed %d times while the disk was in trouble", path, seed.Fence)
		}
	}
	if err := os.Rename(temp+"-away", temp); err != nil {
		t.Fatal(err)
	}
	w.await("the end", func() bool { return w.counts().States[seedlist.Parsed] == 2 })
	stop()
	if n := w.counts().States[seedlist.Failed]; n > 0 {
		t.Errorf("%d failed", n)
	}
	w.sound()
}

// TestAFullDiskIsNotTheDocumentsFault fills the disk that the files lie on for a while.
func TestAFullDiskIsNotTheDocumentsFault(t *testing.T) {
	small := smallDisk(t, 4<<20)
	w := newWorld(t, seedlist.Options{})
	w.files.Close()
	blobs, err := files.Open(small)
	if err != nil {
		t.Fatal(err)
	}
	w.files = blobs
	body := strings.Repeat(nt("long"), 30_000) // some 2 MB
	w.page("/x.nt", []byte(body))
	w.page("/y.nt", []byte(nt("two")))
	ballast := filepath.Join(small, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 3<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	w.opt.ProbeEvery = 50 * time.Millisecond
	w.add("/x.nt", "/y.nt")
	stop := w.start()
	w.await("a full disk", func() bool { return strings.Contains(w.log.String(), "pausing") })
	time.Sleep(200 * time.Millisecond)
	if seed := w.seed("/x.nt"); seed.Status == seedlist.Failed || seed.Tries != 0 || seed.Error != nil {
		t.Errorf("%+v %+v", seed.Standing, seed.Error)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	w.await("the end", func() bool { return w.counts().States[seedlist.Parsed] == 2 })
	stop()
	w.sound()
	w.files.Close()
}

// TestNothingNewIsBegunWhileTheDiskIsShort, and a long download ends before it is full.
func TestNothingNewIsBegunWhileTheDiskIsShort(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what is free is known on Linux alone")
	}
	w := newWorld(t, seedlist.Options{})
	p := w.page("/x.nt", []byte(nt("one")))
	w.files.KeepFree(1 << 62)
	w.opt.ProbeEvery = 20 * time.Millisecond
	w.add("/x.nt")
	stop := w.start()
	w.await("a short disk", func() bool { return strings.Contains(w.log.String(), "to be kept free") })
	time.Sleep(100 * time.Millisecond)
	if seed := w.seed("/x.nt"); p.asked != 0 || seed.Status != seedlist.Added || seed.Tries != 0 {
		t.Errorf("asked %d times: %+v", p.asked, seed.Standing)
	}
	w.files.KeepFree(0)
	w.await("room", func() bool { return w.seed("/x.nt").Status == seedlist.Parsed })
	stop()

	file, err := w.files.Create()
	if err != nil {
		t.Fatal(err)
	}
	w.files.KeepFree(1 << 62)
	if _, err := file.Write(make([]byte, 1<<20)); err != nil {
		t.Error("a little is written in any case:", err)
	}
	if _, err := file.Write(make([]byte, 16<<20)); fault.KindOf(err) != fault.Local {
		t.Errorf("error %v", err)
	}
	w.files.KeepFree(0)
	file.Abort()
	w.sound()
}

// smallDisk is a folder that holds only so many bytes; a test that can't have one is skipped.
func smallDisk(t *testing.T, bytes int) string {
	folder := t.TempDir()
	if err := mountSmall(folder, bytes); err != nil {
		t.Skip("no small disk can be made:", err)
	}
	t.Cleanup(func() {
		if err := unmount(folder); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestAListThatCannotBeWrittenLosesNothing fills the disk that the seed list lies on:
// what was done is written down when there is room again.
func TestAListThatCannotBeWrittenLosesNothing(t *testing.T) {
	small := smallDisk(t, 8<<20)
	w := newWorld(t, seedlist.Options{})
	w.seeds.Close()
	var err error
	if w.seeds, err = bolt.Open(filepath.Join(small, "seeds.db"), seedlist.Options{HostDelay: -1, HostConnections: 16,
		Interval: -1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.seeds.Close() })
	ballast := filepath.Join(small, "ballast")
	asked := make(chan struct{})
	var once sync.Once
	w.mux.HandleFunc("/x/", func(reply http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			file, err := os.Create(ballast)
			if err != nil {
				t.Error(err)
			}
			for err == nil {
				_, err = file.Write(make([]byte, 4<<10))
			}
			file.Close()
			close(asked)
		})
		<-asked
		reply.Header().Set("X-Long", strings.Repeat("long ", 3000))
		io.WriteString(reply, nt(r.URL.Path[3:]))
	})
	for i := range 40 {
		w.add(fmt.Sprint("/x/", i))
	}
	w.opt.ProbeEvery = 50 * time.Millisecond
	stop := w.start()
	w.await("a full disk", func() bool { return strings.Contains(w.log.String(), "could not be written down") })
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	w.await("the end", func() bool { return w.counts().States[seedlist.Parsed] == 40 })
	stop()
	for _, seed := range w.all() {
		if seed.Tries != 0 || seed.Error != nil {
			t.Errorf("%+v %+v", seed.Standing, seed.Error)
		}
	}
	w.sound()
}

func TestAPanicCostsOnlyItsDocument(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.fetch.Transport = panicking{}
	w.http.URL = "http://example.test"
	for i := range 10 {
		w.add(fmt.Sprintf("/%d.nt", i))
	}
	w.run()
	for i := range 10 {
		seed := w.seed(fmt.Sprintf("/%d.nt", i))
		if i != 5 {
			if seed.Status != seedlist.Parsed {
				t.Errorf("%d: %s", i, seed.Status)
			}
			continue
		}
		failedWith(t, seed, seedlist.Downloading, "bug", "bug/panic")
		a := w.attempts(seed.Hash)
		if len(a) != 1 || a[0].Result != "bug/panic" || a[0].Kind != "bug" || !strings.Contains(a[0].Traceback, "panicking.RoundTrip") ||
			!strings.Contains(a[0].Traceback, "goroutine") {
			t.Errorf("%+v", a)
		}
	}
	w.sound()
}

// panicking is a transport that meets a case that it can't handle.
type panicking struct{}

func (panicking) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.URL.Path {
	case "/robots.txt":
		return &http.Response{StatusCode: 404, ProtoMajor: 1, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	case "/5.nt":
		panic("horrid")
	}
	return &http.Response{StatusCode: 200, ProtoMajor: 1, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(nt(r.URL.Path[1:2]))),
		ContentLength: -1, Request: r}, nil
}

func TestWhatIsStoppedIsGivenBack(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var asked atomic.Int32
	hang := make(chan struct{})
	w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, r *http.Request) {
		io.WriteString(reply, nt("one"))
		if asked.Add(1) == 1 {
			reply.(http.Flusher).Flush()
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		}
	})
	t.Cleanup(func() { close(hang) })
	w.add("/x.nt")
	stop := w.start()
	w.await("the request", func() bool { return asked.Load() == 1 })
	stop()
	seed := w.seed("/x.nt")
	if seed.Status != seedlist.Added || seed.Tries != 0 || seed.Error != nil || seed.Worker != "" || seed.Fence != 1 {
		t.Errorf("%+v %+v", seed.Standing, seed.Error)
	}
	if a := w.attempts(seed.Hash); len(a) != 1 || a[0].Kind != "stopped" || a[0].Result != "local/stopped" || a[0].Tries != 1 {
		t.Errorf("%+v", a)
	}
	w.sound()
	w.opt.UntilIdle = true
	w.run()
	if seed := w.seed("/x.nt"); seed.Status != seedlist.Parsed || seed.Fence != 5 {
		t.Errorf("%+v", seed.Standing)
	}
	w.sound()
}

func TestWorkWithoutASignOfLifeIsCutAndTriedAgain(t *testing.T) {
	w := newWorld(t, seedlist.Options{Lease: 100 * time.Millisecond})
	var asked atomic.Int32
	w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			<-r.Context().Done()
			return
		}
		io.WriteString(reply, nt("one"))
	})
	w.mux.HandleFunc("/never.nt", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	w.add("/x.nt", "/never.nt")
	w.run()
	seed := w.seed("/x.nt")
	if seed.Status != seedlist.Parsed || seed.Tries != 0 || w.story(seed.Hash) != "downloading:limit/lease "+washed {
		t.Errorf("%+v: %s", seed.Standing, w.story(seed.Hash))
	}
	never := w.seed("/never.nt")
	failedWith(t, never, seedlist.Downloading, "remote", "limit/lease")
	if never.Tries != 3 {
		t.Errorf("%+v", never.Standing)
	}
	w.sound()
}

// TestASlowBodyIsAlive: a body may take for ever as long as something comes.
func TestASlowBodyIsAlive(t *testing.T) {
	w := newWorld(t, seedlist.Options{Lease: 1500 * time.Millisecond})
	var seen sync.Map
	w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, r *http.Request) {
		for i := range 12 {
			io.WriteString(reply, nt(fmt.Sprint(i)))
			reply.(http.Flusher).Flush()
			if p := w.seed("/x.nt").Progress; p != nil {
				seen.Store(p.Bytes, p.Message)
			}
			time.Sleep(200 * time.Millisecond)
		}
	})
	w.add("/x.nt")
	w.run()
	seed := w.seed("/x.nt")
	if got := w.story(seed.Hash); got != washed {
		t.Error(got)
	}
	shown := 0
	seen.Range(func(bytes, message any) bool {
		shown++
		return message == "downloading" && bytes.(int64) > 0
	})
	if shown < 2 {
		t.Errorf("progress was shown %d times", shown)
	}
	w.sound()
}

// TestARemovedSeedLeavesNoFiles removes a seed while its bytes come.
func TestARemovedSeedLeavesNoFiles(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	asked, goOn := make(chan struct{}), make(chan struct{})
	w.mux.HandleFunc("/x.nt", func(reply http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-goOn
		io.WriteString(reply, nt("one"))
	})
	w.add("/x.nt")
	hash := w.seed("/x.nt").Hash
	stop := w.start()
	<-asked
	if answers, err := w.seeds.Remove(t.Context(), hash); err != nil || answers[0] != nil {
		t.Error(answers, err)
	}
	if err := daemon.SweepOrphans(t.Context(), w.seeds, w.files); err != nil {
		t.Error(err)
	}
	close(goOn)
	w.await("the end of the work", func() bool { return strings.Contains(w.log.String(), "no longer held") })
	stop()
	w.sound()
	if w.there(hash, files.Dirty) || w.counts().Seeds != 0 {
		t.Error("something is left")
	}
}

// TestACleanFileOfTheSameMD5IsNotReplaced plants a clean seed that has the MD5 of
// what a document will be washed to, and another SHA-256.
func TestACleanFileOfTheSameMD5IsNotReplaced(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	sum := md5.Sum([]byte(nt("one")))
	planted := digest.Content{MD5: hex.EncodeToString(sum[:]), SHA256: strings.Repeat("0", 64), NumberOfBytes: 1}
	if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/planted"}}); err != nil {
		t.Fatal(err)
	}
	for _, stage := range seedlist.Stages() {
		claims, err := w.seeds.Claim(t.Context(), stage, "test", 1)
		if err != nil || len(claims) != 1 {
			t.Fatal(claims, err)
		}
		outcome := seedlist.Outcome{Next: stage.Next()[0]}
		if stage == seedlist.Parsing {
			outcome.Clean = &seedlist.Clean{Content: planted}
		}
		if err := w.seeds.Complete(t.Context(), claims[0], outcome); err != nil {
			t.Fatal(err)
		}
	}
	w.page("/x.nt", []byte(nt("one")+"broken\n"))
	w.add("/x.nt")
	w.run()
	seed := w.seed("/x.nt")
	failedWith(t, seed, seedlist.Parsing, "data", "limit/collision")
	if w.there(planted.MD5, files.Clean) {
		t.Error("the other's file was written")
	}
	if len(seed.Notices) == 0 || !w.there(seed.Hash, files.Notices) {
		t.Error("the notices of a document that failed are lost")
	}
}

func TestRelativeReferencesAreNeverClaimed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	answers, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "../data.nt"}, {URI: "/x"}})
	if err != nil || !answers[0].Relative || !answers[1].Relative {
		t.Fatal(answers, err)
	}
	w.run()
	for _, seed := range w.all() {
		if seed.Status != seedlist.Added || !seed.Relative || seed.Fence != 0 || !seed.Due.IsZero() {
			t.Errorf("%+v", seed)
		}
	}
	if c := w.counts(); c.Relative != 2 {
		t.Errorf("%+v", c)
	}
	if answers, _ := w.seeds.Retry(t.Context(), "", answers[0].Hash); !errors.Is(answers[0], seedlist.ErrNoURI) {
		t.Error(answers)
	}
}

// awayAtFirst is a list whose database is away when something is waited for the first time.
type awayAtFirst struct {
	*bolt.Store
	stages, suspects, catalogs atomic.Int32
}

func (a *awayAtFirst) first(calls *atomic.Int32) error {
	if calls.Add(1) == 1 {
		return fault.New("test", fault.Local, fault.LocalDatabase, "the database is away")
	}
	return nil
}

func (a *awayAtFirst) Wait(ctx context.Context, stage seedlist.State) error {
	if err := a.first(&a.stages); err != nil {
		return err
	}
	return a.Store.Wait(ctx, stage)
}

func (a *awayAtFirst) WaitSuspect(ctx context.Context) error {
	if err := a.first(&a.suspects); err != nil {
		return err
	}
	return a.Store.WaitSuspect(ctx)
}

func (a *awayAtFirst) WaitCatalog(ctx context.Context) error {
	if err := a.first(&a.catalogs); err != nil {
		return err
	}
	return a.Store.WaitCatalog(ctx)
}

// TestAListThatIsAwayEndsNoWork waits again for seeds, suspects and catalogs when the list is there again.
func TestAListThatIsAwayEndsNoWork(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	list := &awayAtFirst{Store: w.seeds}
	w.opt.UntilIdle = false
	fetcher := fetch.New(w.fetch)
	defer fetcher.Close()
	runner := daemon.NewRunner(list, w.files, fetcher, zerolog.Nop(), w.opt)
	stopping, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- runner.Run(stopping, t.Context()) }()
	w.await("all to be waited for again", func() bool {
		return list.stages.Load() > 4 && list.suspects.Load() > 1 && list.catalogs.Load() > 1
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
