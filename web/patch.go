package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/files"
	"laundromat/internal/inflate"
	"laundromat/rdf/diff"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// patchType is the media type of an RDF Patch.
const patchType = "application/rdf-patch; charset=utf-8"

// patchOf is a patch from one clean file of a document to another.
type patchOf struct {
	before, after string // their hashes
	// isStored says that the last wash has written what it takes, so that the file before need not be there.
	isStored bool
}

// patch sends the RDF Patch that leads from one version of a document to another: from the one before to the last,
// or as from and to say.
func (s statementsAPI) patch(w http.ResponseWriter, r *http.Request) {
	a := s.api
	seed, ok := a.seedOf(w, r)
	if !ok {
		return
	}
	var versions [2]int64
	for i, name := range [...]string{"from", "to"} {
		if text := r.URL.Query().Get(name); text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil || n < 1 {
				writeProblem(w, huma.Error422UnprocessableEntity(name+" is the number of a version, from 1"))
				return
			}
			versions[i] = n
		}
	}
	of, err := patchBetween(&seed, versions[0], versions[1])
	if err != nil {
		writeProblem(w, err)
		return
	}
	// Before anything is sent, all that is read is opened once.
	needed := []seedfile.Named{{Key: of.before, Suffix: files.Clean}, {Key: of.after, Suffix: files.Clean}}
	if of.isStored {
		needed = []seedfile.Named{
			{Key: seedfile.Key(&seed, files.Removed), Suffix: files.Removed}, {Key: seedfile.Key(&seed, files.Added), Suffix: files.Added},
		}
	}
	var open []files.Blob
	defer func() {
		for _, file := range open {
			file.Close()
		}
	}()
	for _, n := range needed {
		file, err := a.Files.Open(n.Key, n.Suffix)
		if err != nil {
			writeProblem(w, missing(err))
			return
		}
		open = append(open, file)
	}
	w.Header().Set("Content-Type", patchType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("ETag", `"`+of.before+"-"+of.after+`"`)
	attach(w.Header(), &seed, ".rdfp", false)
	if isUnchanged(r, w.Header()) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if r.Method == http.MethodHead {
		return
	}
	out := bufio.NewWriterSize(w, 32<<10)
	out.WriteString(diff.PatchBegin(of.before, of.after) + "\n")
	put := func(mark string) func([]byte) error {
		return func(line []byte) error {
			out.WriteString(mark)
			out.Write(line)
			return out.WriteByte('\n')
		}
	}
	removed, added := put(diff.PatchRemoved), put(diff.PatchAdded)
	if of.isStored {
		err = eachLine(r.Context(), open[0], removed)
		if err == nil {
			err = eachLine(r.Context(), open[1], added)
		}
	} else {
		sources := [2]diff.Source{sourceOf(open[0]), sourceOf(open[1])}
		_, err = diff.Compare(r.Context(), sources[diff.Before], sources[diff.After], diff.Output{
			Removed: removed, Added: added, Renamed: func(_, _ []byte) error { return nil },
		}, diff.Options{ByName: true})
	}
	if err == nil {
		out.WriteString(diff.PatchEnd + "\n")
		err = out.Flush()
	}
	if err != nil {
		panic(http.ErrAbortHandler) // without TC, and without the end of the body
	}
}

// patchBetween finds the clean files of two versions; of 0 the last, and the one before the other. The error is for
// the client.
func patchBetween(seed *seedlist.Seed, from, to int64) (of patchOf, err error) {
	served, _ := seed.ServedVersion()
	if to == 0 {
		to = served
	}
	if seed.Status == seedlist.Cleaned || to == 0 {
		return of, huma.Error404NotFound(fmt.Sprintf("the seed %s has no versions", seed.Hash))
	}
	versions := seed.Versions()
	if from == 0 {
		for _, v := range versions {
			if v.Clean != "" && v.Number < to {
				from = max(from, v.Number)
			}
		}
		if from == 0 {
			return of, huma.Error404NotFound(fmt.Sprintf("no version before %d was washed", to))
		}
	}
	find := func(number int64) (clean string, isThere bool, err error) {
		for _, v := range versions {
			if v.Number == number && v.Clean != "" {
				return v.Clean, v.Kept || v.Clean == seed.ServedClean(), nil
			}
		}
		return "", false, huma.Error404NotFound(whyNoVersion(seed, seedlist.ProductStatements, number))
	}
	isBefore, isAfter := false, false
	if of.before, isBefore, err = find(from); err != nil {
		return of, err
	}
	if of.after, isAfter, err = find(to); err != nil {
		return of, err
	}
	if isBefore && isAfter {
		return of, nil
	}
	if c := seed.Changes; c != nil && c.Error == "" && c.From == of.before && c.To == of.after && c.Renamed.Count == 0 {
		of.isStored = true // the names of all nodes are the same
		return of, nil
	}
	lacks := from
	if isBefore {
		lacks = to
	}
	return of, huma.Error404NotFound(fmt.Sprintf("the clean file of version %d was not kept (serve --keep-versions)", lacks))
}

// sourceOf reads a clean file.
func sourceOf(file files.Blob) diff.Source {
	return func() (io.ReadCloser, error) {
		in, err := inflate.NewMembers(bufio.NewReaderSize(files.Sequential(file), 64<<10))
		if errors.Is(err, io.EOF) { // without members
			return io.NopCloser(strings.NewReader("")), nil
		}
		return io.NopCloser(in), err
	}
}

// eachLine passes the lines of a file of changes on.
func eachLine(ctx context.Context, file files.Blob, line func([]byte) error) error {
	in, err := sourceOf(file)()
	if err != nil {
		return err
	}
	text := bufio.NewReaderSize(in, 64<<10)
	for {
		one, err := text.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF) && len(one) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return fs.ErrInvalid // a line without an end
		case err != nil:
			return err
		}
		if err := errors.Join(ctx.Err(), line(one[:len(one)-1])); err != nil {
			return err
		}
	}
}
