package outputs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf/write"
	"laundromat/states"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
	"laundromat/states/washing"
)

func TestNamesSayTheForm(t *testing.T) {
	for name, want := range map[string]struct {
		form outputs.Form
		ok   bool
	}{
		"a.nq": {outputs.Form{}, true}, "dir/a.nq.gz": {outputs.Form{Coding: ".gz"}, true},
		"a.nt":       {outputs.Form{Syntax: write.NTriples}, true},
		"a.ttl":      {outputs.Form{Syntax: write.Turtle}, true},
		"a.trig.zst": {outputs.Form{Syntax: write.TriG, Coding: ".zst"}, true},
		"a.jsonld":   {outputs.Form{Syntax: write.JSONLD}, true}, ".nq": {outputs.Form{}, true}, "a.NQ": {}, "a": {}, "a.rdf": {},
		"a.gz": {outputs.Form{Coding: ".gz"}, false}, "a.nq/b": {}, "a.nq.bz2": {},
	} {
		form, ok := outputs.FormOf(name)
		if ok != want.ok || ok && form != want.form {
			t.Errorf("%s: %v, %t", name, form, ok)
		}
	}
}

func TestAFileInItsPlaceKeepsTheOldOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ttl")
	const dirty = "@prefix a: <http://a/> .\na:x a:p 'b'.\na:x a:p 'a'.\n"
	if err := os.WriteFile(file, []byte(dirty), 0o640); err != nil {
		t.Fatal(err)
	}
	maker := outputs.NewMaker(outputs.Options{Memory: 1 << 20, Workers: 1, Level: 6})
	keptAs := ""
	target := maker.InPlace(func(_, kept string) { keptAs = kept })
	defer target.Close()
	run := &washing.Run{Washer: states.Washer{Target: target, Unmeasured: true}, Outputs: maker, InPlace: true}
	run.Prefix = maker.Prefix
	if err := run.Read(t.Context(), []string{file}, &inputs.Opener{}); err != nil {
		t.Fatal(err)
	}
	if err := run.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	old, _ := os.ReadFile(keptAs)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o640 || string(old) != dirty || keptAs != file+".orig" {
		t.Errorf("%v, mode %v, kept %q as %s", err, info.Mode(), old, keptAs)
	}
	if want := `@prefix a: <http://a/> . a:x a:p "a", "b" .`; strings.Join(strings.Fields(string(got)), " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if run.Report.Documents[0].WrittenTo != file {
		t.Errorf("written to %q", run.Report.Documents[0].WrittenTo)
	}
}
