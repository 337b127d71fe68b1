package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/digest"
	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/search"
	"laundromat/seedlist/storetest"
	"laundromat/web"
	"laundromat/web/pages"
)

// found is a daemon's search of documents whose clean files have labels.
type found struct {
	*words
	dir    string
	list   *bolt.Store
	blobs  *files.Folder
	search *search.Search
	api    http.Handler
	made   []string // some of the labels, to look for
	kinds  *kinds
	wanted int64 // labels
	bytes  int64 // of the texts of all labels
	labels int64
	seeds  int
}

// measureSearch makes documents with so many labels together, and looks for what they have. Of a document there are
// each labels; 0: 1 to 1,000 of them.
func measureSearch(ctx context.Context, folder string, labels int64, each int) error {
	dir, err := os.MkdirTemp(folder, "search")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	f := &found{dir: dir, wanted: labels}
	if f.words, err = readWords(ctx, process.Shared(), dir); err != nil {
		return err
	}
	options := seedlist.Options{HostDelay: -1, HostConnections: 1 << 20, Interval: -1}
	if f.list, err = bolt.Open(filepath.Join(dir, "seeds.db"), options); err != nil {
		return err
	}
	defer f.list.Close()
	if f.blobs, err = files.Open(dir); err != nil {
		return err
	}
	defer f.blobs.Close()
	begin := time.Now()
	for f.labels < labels {
		if err := f.wash(ctx, documentsAtOnce, each, labels-f.labels); err != nil {
			return err
		}
	}
	fmt.Printf("%d documents with %d labels, %d bytes, were made in %.0f s\n", f.seeds, f.labels, f.bytes, time.Since(begin).Seconds())
	if f.kinds, err = newKinds(f.made); err != nil {
		return err
	}
	if err := f.index(ctx); err != nil {
		return err
	}
	defer f.search.Close()
	v, err := build(ctx, dir, f.list, int64(f.seeds))
	if err != nil {
		return err
	}
	defer v.Close()
	f.api = web.New(web.Options{Seeds: f.list, Files: f.blobs, Views: v,
		Daemon: web.DaemonOptions{Search: func(context.Context) (*search.Search, error) { return f.search, nil }},
		Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler {
			return pages.New(reader, pages.Options{}, otherwise)
		}})
	if err := f.ask(); err != nil {
		return err
	}
	return f.askTogether(ctx)
}

// sampled is how many labels are kept to look for, about.
const sampled = 20_000

// documentsAtOnce is how many documents are washed in one go.
const documentsAtOnce = 200

// wash makes some documents, and their clean files, with so many labels together at most.
func (f *found) wash(ctx context.Context, documents, each int, most int64) error {
	most += f.labels
	var seeds []seedlist.NewSeed
	for range documents {
		f.seeds++
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://host%d.example/%d.ttl", f.seeds%500, f.seeds)})
	}
	if _, err := f.list.Add(ctx, seeds); err != nil {
		return err
	}
	claims, err := f.list.Claim(ctx, seedlist.Downloading, "bench", documents)
	if err != nil || len(claims) != documents {
		return fmt.Errorf("%d documents were claimed: %w", len(claims), err)
	}
	lives := make([][]seedlist.Outcome, documents)
	stored := make([]files.Pending, 0, documents)
	for i := range claims {
		n := each
		if n == 0 {
			n = 1 + f.random.IntN(1000)
		}
		lives[i] = storetest.LifeOf(seedlist.Claim{Number: 2, Stage: claims[i].Stage, Seed: claims[i].Seed})
		last := &lives[i][len(lives[i])-1]
		if last.Clean = nil; most <= f.labels {
			continue
		}
		file, content, err := f.clean(claims[i].Seed.URI, int(min(int64(n), most-f.labels)))
		if err != nil {
			return err
		}
		stored, last.Clean = append(stored, file), &seedlist.Clean{Content: content}
	}
	if err := f.blobs.Commit(ctx, stored...); err != nil {
		return err
	}
	var lived sync.WaitGroup
	faults := make([]error, documents)
	for i := range claims { // at once: the list writes in one transaction what comes together
		lived.Go(func() { faults[i] = f.list.CompleteAll(ctx, claims[i], lives[i]) })
	}
	lived.Wait()
	return errors.Join(faults...)
}

// clean writes a file with so many labels.
func (f *found) clean(uri string, n int) (file files.Pending, content digest.Content, err error) {
	if file, err = f.blobs.Create(); err != nil {
		return nil, content, err
	}
	out := files.NewCleanWriter(file, files.CleanOptions{Level: 1, Workers: 1})
	for i := range n {
		literal := f.literal()
		f.bytes += textLength(literal)
		if f.random.Int64N(max(1, f.wanted/sampled)) == 0 && len(f.made) < 2*sampled {
			f.made = append(f.made, literal)
		}
		// Two in three are rdfs:label: the others are of the other properties.
		property := statistics.LabelProperties[f.random.IntN(len(statistics.LabelProperties))]
		if i%3 > 0 {
			property = "http://www.w3.org/2000/01/rdf-schema#label"
		}
		if err := out.Line(fmt.Appendf(nil, "<%s/%06d> <%s> %s .", uri, i, property, literal)); err != nil {
			return nil, content, err
		}
	}
	if err := out.Close(); err != nil {
		return nil, content, err
	}
	f.labels += int64(n)
	content = out.Content()
	return file, content, file.Seal(content.MD5, files.Clean)
}

// textLength is the length in bytes of the text of a literal.
func textLength(literal string) (n int64) {
	for i := 1; i < len(literal)-1; i, n = i+1, n+1 {
		if literal[i] == '\\' {
			i++
		}
	}
	return n
}

// index makes the index, and says what it takes.
func (f *found) index(ctx context.Context) (err error) {
	begin, own := time.Now(), process.Own()
	path := filepath.Join(f.dir, "search.db")
	f.search, err = search.Open(path, f.list, f.blobs, search.Options{Labels: statistics.LabelOptions{Most: search.MostLabels},
		Log: func(err error) { fmt.Fprintln(os.Stderr, err) }})
	if err != nil {
		return err
	}
	if err := f.search.Wait(ctx); err != nil {
		return err
	}
	own = process.Own() - own
	sums, err := f.search.Sums(ctx)
	if err != nil {
		return err
	}
	f.search.Close() // so that all is in the file
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("search.db was made in %.0f s, %.0f s of the processors, %.0f entries of %d each: %d bytes, %.2f of those of the labels\n",
		time.Since(begin).Seconds(), own.Seconds(), float64(sums.Entries)/own.Seconds(), sums.Entries, info.Size(),
		float64(info.Size())/float64(f.bytes))
	f.search, err = search.Open(path, f.list, f.blobs, search.Options{AsMade: true, Log: func(err error) { fmt.Fprintln(os.Stderr, err) }})
	if err != nil {
		return err
	}
	return f.search.Wait(ctx)
}
