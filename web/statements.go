package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/files"
	"laundromat/rdf/quadline"
	"laundromat/rdf/quadpattern"
	"laundromat/seedlist"
	"laundromat/seedlist/termfilter"
)

// StatementsEnd is the last thing that a reply with statements says. One without it was cut off.
type StatementsEnd struct {
	Statements int64 `json:"statements"`
	Documents  int64 `json:"documents"` // that have some of them
	// Files are the clean files that were looked at, and RuledOut those that have no such statement by their filters.
	Files    int64 `json:"files"`
	RuledOut int64 `json:"ruled_out"`
	// Damaged is how many of them could not be read to the end.
	Damaged int64 `json:"damaged,omitempty"`
	// Cursor is what the next request goes on with; "" at the end. Left are the files that were not looked at yet,
	// and may have such statements.
	Cursor string          `json:"cursor,omitempty"`
	Left   *StatementsLeft `json:"left,omitempty"`
}

// StatementsLeft are clean files that may have more statements.
type StatementsLeft struct {
	Files int64 `json:"files"`
	// Bytes is how long their texts are, as far as that is known.
	Bytes int64 `json:"bytes"`
}

// StatementsOf is the document that the statements after it are of, or one whose clean file is damaged.
type StatementsOf struct {
	Hash    string `json:"hash"`
	Name    string `json:"name"` // its URI as it is shown, or its place in an archive
	Clean   string `json:"clean"`
	Problem string `json:"problem,omitempty"`
}

const (
	// mostScanned is how many bytes of text one reply to a request for statements reads: some seconds of work.
	mostScanned = 4 << 30
	// lookupCost is what a subject that is looked up in a file counts as, in bytes: a member of it is read.
	lookupCost = 1 << 20
	// mostNamed is how many documents one request names.
	mostNamed = 1000
	// longestStatement is how long a line may be, in bytes.
	longestStatement = 1 << 30
)

// statementsAPI is the part of the API that sends statements.
type statementsAPI struct{ *api }

// statementsParameters are those of a request for statements.
var statementsParameters = []string{"s", "p", "o", "g", "hash", "cursor", "limit", "bytes", "as"}

// send sends what clean files say with the terms of a pattern. Each document's lines follow a comment that names
// it, and the last line is a comment too. So the reply is N-Quads as it stands.
func (s statementsAPI) send(w http.ResponseWriter, r *http.Request) {
	run, err := s.begin(r.Context(), r.URL.Query())
	if err != nil {
		writeProblem(w, err)
		return
	}
	kind := "application/n-quads; charset=utf-8"
	if run.asJSON {
		kind = typeNDJSON
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodHead {
		return
	}
	run.out = bufio.NewWriterSize(w, 32<<10)
	run.flush = func() error {
		if err := run.out.Flush(); err != nil {
			return err
		}
		if err := http.NewResponseController(w).Flush(); !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		return nil
	}
	if err := run.all(); err != nil {
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// statementsRun is one reply.
type statementsRun struct {
	a       *api
	ctx     context.Context
	pattern quadpattern.Pattern
	// files are those of the list, or of the documents named. A document named may be served of a file that the list
	// names by another.
	files []statementsFile
	index *termfilter.Index // nil: there is none
	ask   termfilter.Question

	fromLine int64  // of the first file
	fromByte int64  // how many bytes are before it
	fromFile string // that line is one of this
	limit    int64  // 0: none
	budget   int64  // bytes that may still be read
	asJSON   bool
	out      *bufio.Writer
	flush    func() error
	end      StatementsEnd
}

// statementsFile is a clean file, and the document that it is looked at for: by its hash, or, with "", by its number.
type statementsFile struct {
	termfilter.File
	hash string
}

// begin reads what is asked for. Its error is for the client.
func (s statementsAPI) begin(ctx context.Context, query url.Values) (*statementsRun, error) {
	a := s.api
	run := &statementsRun{a: a, ctx: ctx, budget: mostScanned}
	given := quadpattern.Given{Subject: query.Get("s"), Predicate: query.Get("p"), Object: query.Get("o"), Graph: query.Get("g")}
	var err error
	if run.pattern, err = quadpattern.Parse(ctx, given); err != nil {
		return nil, huma.Error422UnprocessableEntity(err.Error())
	}
	for name, to := range map[string]*int64{"limit": &run.limit, "bytes": &run.budget} {
		if text := query.Get(name); text != "" {
			if *to, err = strconv.ParseInt(text, 10, 64); err != nil || *to < 1 {
				return nil, huma.Error422UnprocessableEntity(name + " is a number from 1")
			}
		}
	}
	run.budget = min(run.budget, mostScanned)
	switch as := query.Get("as"); as {
	case "", "nq":
	case "jsonl":
		run.asJSON = true
	default:
		return nil, huma.Error422UnprocessableEntity("as is nq or jsonl, not " + as)
	}
	if a.Daemon.Terms != nil {
		if run.index, err = a.Daemon.Terms(ctx); err != nil {
			return nil, problem(err)
		}
	}
	if run.index == nil {
		return nil, huma.Error503ServiceUnavailable("this process does not know which clean files there are: it serves no pages")
	}
	run.ask = termfilter.Ask(&run.pattern)
	if query.Has("hash") {
		err = run.name(query["hash"])
	} else {
		var all []termfilter.File
		if all, err = run.index.Files(ctx); err == nil {
			run.files = make([]statementsFile, len(all))
			for i := range all {
				run.files[i].File = all[i]
			}
		}
	}
	if err != nil {
		return nil, problem(err)
	}
	return run, run.goOn(query.Get("cursor"))
}

// name takes the clean files of the documents of hashes.
func (run *statementsRun) name(hashes []string) error {
	if len(hashes) > mostNamed {
		return huma.Error422UnprocessableEntity(fmt.Sprintf("%d documents are named, and a request names %d at most", len(hashes),
			mostNamed))
	}
	seen := map[string]bool{}
	for i, hash := range hashes {
		clean, err := cleanOf(run.ctx, run.a, strings.ToLower(hash))
		if err != nil {
			return err
		}
		if seen[clean] {
			continue
		}
		seen[clean] = true
		run.files = append(run.files, statementsFile{run.index.File(uint64(i+1), clean), strings.ToLower(hash)})
	}
	return nil
}

// goOn goes on where a reply before ended: with a line of a file, which is named by the beginning of its hash.
func (run *statementsRun) goOn(cursor string) error {
	if cursor == "" {
		return nil
	}
	wrong := huma.Error400BadRequest("the cursor is none that a reply ended with: " + strconv.QuoteToASCII(cursor))
	parts := strings.Split(cursor, "-")
	if len(parts) != 4 {
		return wrong
	}
	number, err := strconv.ParseUint(parts[0], 10, 64)
	line, err2 := strconv.ParseInt(parts[1], 10, 64)
	before, err3 := strconv.ParseInt(parts[2], 10, 64)
	if errors.Join(err, err2, err3) != nil || line < 0 || before < 0 {
		return wrong
	}
	from := 0
	for from < len(run.files) && run.files[from].Number < number {
		from++
	}
	run.files = run.files[from:]
	if len(run.files) > 0 && run.files[0].Number == number {
		run.fromLine, run.fromByte, run.fromFile = line, before, parts[3]
	}
	return nil
}

// cursorOf is the cursor of a line of a file, with how many bytes are before it.
func (f *statementsFile) cursorOf(line, before int64) string {
	return fmt.Sprintf("%d-%d-%d-%s", f.Number, line, before, f.Clean[:8])
}

// all sends all of the reply.
func (run *statementsRun) all() error {
	for i := range run.files {
		if err := run.ctx.Err(); err != nil {
			return err
		}
		f := &run.files[i]
		if run.isFull() {
			return run.finish(i, 0, 0)
		}
		if may, _ := run.index.May(&f.File, run.ask); !may {
			run.end.RuledOut++
			continue
		}
		next, read, err := run.file(f)
		if err != nil {
			return err
		}
		if next > 0 {
			return run.finish(i, next, read)
		}
	}
	return run.finish(len(run.files), 0, 0)
}

// isFull says that the reply ends before the next file.
func (run *statementsRun) isFull() bool {
	return run.limit > 0 && run.end.Statements >= run.limit || run.budget <= 0
}

// finish says what was found and what is left: from a line of a file on, of which so many bytes were read.
func (run *statementsRun) finish(from int, line, read int64) error {
	left := StatementsLeft{}
	for i := from; i < len(run.files); i++ {
		f := &run.files[i]
		if may, _ := run.index.May(&f.File, run.ask); !may {
			continue
		}
		if run.end.Cursor == "" {
			run.end.Cursor = f.cursorOf(line, read)
		}
		left.Files++
		left.Bytes += max(0, f.Bytes-read)
		line, read = 0, 0
	}
	if run.end.Cursor != "" {
		run.end.Left = &left
	}
	if err := run.tell("end", run.end); err != nil {
		return err
	}
	return run.flush()
}

// tell writes what is no statement: a comment, or an object of one key.
func (run *statementsRun) tell(what string, value any) error {
	text, err := seedlist.EncodeJSON(value)
	if err != nil {
		return err
	}
	if run.asJSON {
		_, err = fmt.Fprintf(run.out, "{%q:%s}\n", what, text)
	} else {
		_, err = fmt.Fprintf(run.out, "# %s %s\n", what, text)
	}
	return err
}

// errEnough ends the reading of a file.
var errEnough = errors.New("enough")

// file sends the statements of a file. If it ends before the file does, next is the line to go on with, and read how
// many bytes are before it.
func (run *statementsRun) file(f *statementsFile) (next, read int64, err error) {
	run.end.Files++
	skip := int64(0)
	if run.fromFile != "" && strings.HasPrefix(f.Clean, run.fromFile) {
		skip, read = run.fromLine, run.fromByte // of another file the lines are others: it is read from its beginning
	}
	run.fromFile = ""
	at, isTold := int64(0), false
	var sink error // of ours, not the file's
	line := func(text []byte) error {
		if at++; at <= skip {
			return nil
		}
		if run.isFull() {
			next = at - 1
			return errEnough
		}
		run.budget -= int64(len(text)) + 1
		read += int64(len(text)) + 1
		if at%1024 == 0 {
			if sink = run.ctx.Err(); sink != nil {
				return sink
			}
		}
		if !run.pattern.Matches(text) {
			return nil
		}
		if !isTold {
			isTold = true
			run.end.Documents++
			if sink = run.document(f); sink != nil {
				return sink
			}
		}
		sink = run.statement(f, text)
		return sink
	}
	err = run.lines(f, skip, &at, line)
	switch {
	case errors.Is(err, errEnough):
	case sink != nil:
		return 0, 0, sink
	case run.ctx.Err() != nil:
		return 0, 0, run.ctx.Err()
	case err != nil:
		if isReplaced, err := run.damaged(f, err); err != nil || !isReplaced {
			return 0, 0, err
		}
		return run.file(f)
	}
	if isTold {
		return next, read, run.flush()
	}
	return next, read, nil
}

// lines passes lines of a file on that may match: those of the subject, if there is one, else all from the one after
// skip on, which at counts from.
func (run *statementsRun) lines(f *statementsFile, skip int64, at *int64, line func([]byte) error) error {
	if s := run.pattern.Subject; s != nil {
		defer func() { run.budget -= lookupCost }()
		return files.EachOfSubject(run.a.Files, f.Clean, string(bytes.Trim(s, "<>")), line)
	}
	*at = skip
	return files.EachRow(run.a.Files, f.Clean, skip+1, longestStatement, func(row files.Row) (bool, error) {
		if row.Cut {
			return false, fmt.Errorf("a line is longer than %d bytes", longestStatement)
		}
		return true, line(row.Text)
	})
}

// statement writes a line.
func (run *statementsRun) statement(f *statementsFile, line []byte) error {
	run.end.Statements++
	if !run.asJSON {
		run.out.Write(line)
		return run.out.WriteByte('\n')
	}
	text, err := seedlist.EncodeJSON(StatementOf(f.hash, line))
	if err != nil {
		return err
	}
	run.out.Write(text)
	return run.out.WriteByte('\n')
}

// Statement is one of a document, with its terms as N-Quads writes them.
type Statement struct {
	Hash      string `json:"hash"` // of the document
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
	Graph     string `json:"graph,omitempty"`
}

// StatementOf is a line of the clean file of a document, without its end.
func StatementOf(hash string, line []byte) Statement {
	t, _ := quadline.Cut(line)
	return Statement{
		Hash: hash, Subject: string(t.Subject), Predicate: string(t.Predicate), Object: string(t.Object), Graph: string(t.Graph),
	}
}

// document says which document the statements that follow are of.
func (run *statementsRun) document(f *statementsFile) error {
	of, err := run.of(f)
	if err != nil {
		return err
	}
	return run.tell("document", of)
}

// of names the document of a file.
func (run *statementsRun) of(f *statementsFile) (of StatementsOf, err error) {
	if f.hash == "" {
		here, err := run.a.Seeds.Numbered(run.ctx, f.Number)
		if err != nil {
			return of, err
		}
		if len(here) == 1 {
			f.hash = here[0].Seed.Hash
		}
	}
	of = StatementsOf{Hash: f.hash, Name: f.hash, Clean: f.Clean}
	seed, err := run.a.Seeds.Record(run.ctx, f.hash)
	if errors.Is(err, seedlist.ErrNotFound) {
		return of, nil
	}
	if err == nil {
		of.Name = run.a.name(run.ctx, &seed)
	}
	return of, err
}

// damaged says that a clean file can't be read to its end. One that was replaced meanwhile is no damage: what came
// in its place is sent.
func (run *statementsRun) damaged(f *statementsFile, why error) (isReplaced bool, err error) {
	of, err := run.of(f)
	if err != nil {
		return false, err
	}
	if errors.Is(why, fs.ErrNotExist) {
		seed, err := run.a.Seeds.Record(run.ctx, f.hash)
		if err != nil && !errors.Is(err, seedlist.ErrNotFound) {
			return false, err
		}
		isClean := seed.Status == seedlist.Cleaned
		switch clean := seed.ServedClean(); {
		case err != nil, clean == "" && !isClean:
			run.end.Files--
			return false, nil // the document is gone, or its file is
		case !isClean && clean != f.Clean:
			run.end.Files--
			f.File = run.index.File(f.Number, clean)
			return true, nil
		}
	}
	run.end.Damaged++
	of.Problem = seedlist.ShownIn(why.Error())
	return false, run.tell("damaged", of)
}

// ReadStatements reads a reply in N-Quads: line gets each statement, and told each comment, by its name and JSON. It
// returns an error unless the reply came to its end.
func ReadStatements(in *bufio.Reader, line func([]byte) error, told func(what string, value json.RawMessage) error) error {
	isWhole := false
	for {
		text, err := in.ReadBytes('\n')
		if len(text) == 0 && err != nil {
			if isWhole {
				return nil
			}
			return fmt.Errorf("the reply was cut off: %w", err)
		}
		if err != nil {
			return fmt.Errorf("the reply was cut off: %w", err)
		}
		comment, isComment := bytes.CutPrefix(text[:len(text)-1], []byte("# "))
		if !isComment {
			if err := line(text); err != nil {
				return err
			}
			continue
		}
		what, value, _ := bytes.Cut(comment, []byte{' '})
		if err := told(string(what), json.RawMessage(value)); err != nil {
			return err
		}
		isWhole = string(what) == "end"
	}
}
