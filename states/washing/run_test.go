package washing_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
	"laundromat/states/washing"
)

// files are the inputs of the tests: a good one, two with losses, a readme, and a good one.
func files(t *testing.T) (names []string) {
	t.Helper()
	root := t.TempDir()
	for _, file := range [][2]string{
		{"1.nt", "<http://a/a> <http://a/b> <http://a/c> .\n"},
		{"2.nt", "<http://a/a> <http://a/b> .\n<http://a/a> <http://a/b> <http://a/d> .\n<http://a/a> <http://a/b> .\n"},
		{"3.txt", "Read me first: this folder is about cats.\n"},
		{"4.nt", "<http://a/a> <http://a/b> .\n<http://a/a> <http://a/b> <http://a/e> .\n"},
		{"5.nt", "<http://a/a> <http://a/b> <http://a/c> .\n"},
	} {
		name := filepath.Join(root, file[0])
		if err := os.WriteFile(name, []byte(file[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return append(names, filepath.Join(root, "6.nt")) // which is not there
}

func TestARunEndsAtAsManyErrorsAsAreAskedFor(t *testing.T) {
	for _, c := range []struct{ most, met, unread, documents, written int64 }{
		{0, 4, 0, 6, 3}, {1, 2, 4, 2, 2}, {2, 2, 4, 2, 2}, {3, 3, 2, 4, 3}, {4, 4, 0, 6, 3}, {5, 4, 0, 6, 3},
	} {
		for _, unlisted := range []bool{false, true} {
			var out bytes.Buffer
			maker := outputs.NewMaker(outputs.Options{Memory: 1 << 20, Workers: 1})
			form, _ := outputs.FormOf("x.nq")
			target := maker.Stream(form, &out)
			defer target.Close()
			shown := int64(0)
			run := &washing.Run{Washer: states.Washer{Target: target, Unlisted: unlisted, Samples: 5,
				Each: func(*report.Document) { shown++ }}, MostErrors: c.most}
			if err := run.Read(t.Context(), files(t), &inputs.Opener{}); err != nil {
				t.Fatal(err)
			}
			if err := run.Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := run.Report.Statements
			if run.Met != c.met || int64(run.Unread) != c.unread || shown != c.documents || s.Written != c.written {
				t.Errorf("at most %d, unlisted %t: met %d, unread %d, %d documents, %+v", c.most, unlisted, run.Met, run.Unread, shown, s)
			}
			if s.Read != s.Kept+s.Repaired+s.Dropped || s.Written != s.Kept+s.Repaired-s.Duplicates ||
				int64(bytes.Count(out.Bytes(), []byte("\n"))) != s.Written {
				t.Errorf("the sums are wrong: %+v of %q", s, out.Bytes())
			}
			if run.IsStopped != (c.most > 0 && c.met >= c.most) {
				t.Errorf("at most %d: stopped %t", c.most, run.IsStopped)
			}
		}
	}
}
