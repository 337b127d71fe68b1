package recordset_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/report"
	"laundromat/states/inputs"
	"laundromat/states/recordset"
)

// output counts records, and fails at one of them.
type output struct {
	n, failAt int
	closed    bool
}

var errFull = errors.New("no space is left")

func (o *output) Record(*records.Record) error {
	if o.n++; o.n == o.failAt {
		return errFull
	}
	return nil
}

func (o *output) Notice(fault.Notice) {}

func (o *output) Close() error { o.closed = true; return nil }

// write writes a file, and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestARunOfRecordsAccountsForEachInput(t *testing.T) {
	good := write(t, "a.csv", "id,name\n1,a\n2,b\n")
	text := write(t, "b.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	gone := filepath.Join(t.TempDir(), "gone.csv")
	for _, c := range []struct {
		name     string
		args     []string
		failAt   int
		keepsOld bool
		closed   bool
		written  int64
		result   string // in the log
		fails    bool
	}{
		{name: "one table", args: []string{good}, closed: true, written: 2, result: "success"},
		{name: "the same twice", args: []string{good, good}, closed: true, written: 4, result: "success"},
		{name: "a picture", args: []string{text}, closed: true, result: "record/format"},
		{name: "a picture in the place of an older output", args: []string{text}, keepsOld: true, result: "record/format"},
		{name: "a picture beside a table", args: []string{text, good}, keepsOld: true, closed: true, written: 2, result: "success"},
		{name: "a file that is not there", args: []string{gone}, closed: true, result: "local/file"},
		{name: "a file that is not there, in the place", args: []string{gone}, keepsOld: true, result: "local/file"},
		{name: "one that is not there, and a table", args: []string{gone, good}, closed: true, written: 2, result: "local/file"},
		{name: "a picture, and a file that is not there", args: []string{text, gone, good}, closed: true, written: 2,
			result: "local/file"},
		{name: "no inputs", closed: true, result: "success"},
		{name: "a full disk", args: []string{good, good}, failAt: 3, written: 2, result: "local/disk", fails: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			compiled, err := job.Compile(&spec.Spec{}, job.Options{MaxMemory: 32 << 20})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "log")
			whole := report.Report{Records: &records.Counts{}}
			run := recordset.New(recordset.Options{Job: compiled, OutputName: "out", KeepsOld: c.keepsOld, Samples: 5,
				Each: whole.Count, Log: recordset.NewLog(path, &spec.Spec{}, "", time.Unix(0, 0))})
			out := &output{failAt: c.failAt}
			if err := run.Start(out); err != nil {
				t.Fatal(err)
			}
			if err = run.Read(t.Context(), c.args, &inputs.Opener{}); err == nil {
				err = run.Finish(t.Context())
			}
			if (err != nil) != c.fails || c.fails && (!errors.Is(err, errFull) || !errors.As(err, new(*records.SinkError))) {
				t.Errorf("it ends with %v", err)
			}
			if out.closed != c.closed || whole.Records.Written != c.written {
				t.Errorf("closed %t, %+v", out.closed, whole.Records)
			}
			if err := run.Log.Append(&whole, err); err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(path)
			var logged struct {
				Result   string `json:"result"`
				Inserted int64  `json:"insert_count"`
				URL      string `json:"source_url"`
			}
			if err := json.Unmarshal(text, &logged); err != nil || strings.Count(string(text), "\n") != 1 {
				t.Fatalf("%s: %v", text, err)
			}
			inserted := c.written
			if c.fails {
				inserted = 0
			}
			if len(c.args) > 0 && (logged.Result != c.result || logged.Inserted != inserted) {
				t.Errorf("logged: %s", text)
			}
			if want := strings.Join(c.args, "\n"); c.failAt == 0 && logged.URL != want {
				t.Errorf("its source is %q, want %q", logged.URL, want)
			}
		})
	}
}
