package inputs_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
)

// folder makes a folder with these files, each of which holds its own name.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestAFolderGivesItsFilesInOrderAndNamesWhatItPassesOver(t *testing.T) {
	root := folder(t, "b.nt", "a/c.nt", "a/.hidden", ".git/config", "out.nq", "z")
	for from, to := range map[string]string{"gone": "broken", filepath.Join("..", "elsewhere"): "away", "a": "folder"} {
		if err := os.Symlink(from, filepath.Join(root, to)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	var passed []string
	got, err := inputs.Expand([]string{"first", root}, inputs.Existing(filepath.Join(root, "out.nq"), filepath.Join(root, "not there")),
		func(_ string, _, ignored []string) { passed = ignored })
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], root+string(filepath.Separator))
	}
	if want := []string{"first", filepath.Join("a", "c.nt"), "b.nt", "z"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want := []string{".git", filepath.Join("a", ".hidden"), "away (a link that leads nowhere)", "broken (a link that leads nowhere)",
		"folder (a link to a folder)", "out.nq (the output)"}
	if !slices.Equal(passed, want) {
		t.Errorf("passed over: %q, want %q", passed, want)
	}
}

func TestAnInputThatCantBeOpenedIsADocumentOfItsOwn(t *testing.T) {
	root := folder(t, "data.nt", "big.zip.001", "big.zip.002")
	for _, c := range []struct {
		arg   string
		read  string // the name of the input that is read
		fails fault.Code
	}{
		{arg: filepath.Join(root, "data.nt"), read: "data.nt"},
		{arg: "-", read: "-"},
		{arg: inputs.FileIRI(filepath.Join(root, "data.nt")), read: "data.nt"},
		{arg: filepath.Join(root, "data.mt"), fails: fault.LocalFile},
		{arg: root, fails: fault.LocalFile},
		{arg: "http://127.0.0.1:9/", fails: fault.TransportForbiddenAddress},
		{arg: filepath.Join(root, "big.zip.001"), read: "big.zip.001"},
		{arg: filepath.Join(root, "big.zip.002")}, // it was read with the first
	} {
		opener := &inputs.Opener{Stdin: strings.NewReader("typed"), Temp: t.TempDir()}
		if strings.HasSuffix(c.arg, ".002") {
			read := func(context.Context, states.Input) error { return nil }
			if err := opener.With(t.Context(), filepath.Join(root, "big.zip.001"), read, nil); err != nil {
				t.Fatal(err)
			}
		}
		var read string
		var failed fault.Code
		err := opener.With(t.Context(), c.arg, func(_ context.Context, in states.Input) error {
			read = filepath.Base(in.Name)
			return nil
		}, func(d *report.Document) { failed = d.Error.Code })
		if err != nil || read != c.read || failed != c.fails {
			t.Errorf("%s: read %q, failed with %q, %v; want %q, %q", c.arg, read, failed, err, c.read, c.fails)
		}
	}
}

func TestAStoppedRunReportsNoInput(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	opener := &inputs.Opener{Stdin: inputs.NewInterruptible(ctx, strings.NewReader("typed"))}
	err := opener.With(ctx, "-", func(context.Context, states.Input) error { t.Error("it is read"); return nil },
		func(*report.Document) { t.Error("it is reported") })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCleanFilesAreFoundByNameAndOpenedUnpacked(t *testing.T) {
	root := folder(t, "a.nq", "b.nt", "c.ttl", "d.nq.gz", "e.nt.gz", "f.nq.zst", "g/h.nq", "out.nq")
	var passed []string
	found, err := inputs.CleanFiles(t.Context(), []string{root}, inputs.Existing(filepath.Join(root, "out.nq")),
		func(_ string, names []string) { passed = names })
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range found {
		names = append(names, strings.TrimPrefix(file.Name, root+string(filepath.Separator)))
		in, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); err != nil || len(text) == 0 {
			t.Errorf("%s: %q, %v", file.Name, text, err)
		}
		in.Close()
	}
	if want := []string{"a.nq", "b.nt", "d.nq.gz", "e.nt.gz", filepath.Join("g", "h.nq")}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if len(passed) != 3 {
		t.Errorf("passed over: %q", passed)
	}
	out := filepath.Join(root, "out.nq")
	if _, err := inputs.CleanFiles(t.Context(), []string{out}, inputs.Existing(out), nil); !errors.As(err, new(*inputs.WrittenError)) {
		t.Errorf("an output is read: %v", err)
	}
}

func TestACleanStreamCanBeReadTwice(t *testing.T) {
	lines, held, err := inputs.OpenClean(t.Context(), "-", strings.NewReader("<a:a> <a:b> <a:c> .\n"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for range 2 {
		in, err := lines()
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); err != nil || string(text) != "<a:a> <a:b> <a:c> .\n" {
			t.Errorf("%q, %v", text, err)
		}
		in.Close()
	}
}

func TestBlankNodesAreRefusedWhereFilesAreJoined(t *testing.T) {
	for line, want := range map[string][2]bool{ // alone, joined
		`<a:a> <a:b> <a:c> .`:                 {true, true},
		`<a:a> <a:b> <a:c> <a:g> .`:           {true, true},
		`_:b <a:b> <a:c> .`:                   {true, false},
		`<a:a> <a:b> _:b .`:                   {true, false},
		`<a:a> <a:b> <a:c> _:g .`:             {true, false},
		`<a:a> <a:b> "_:b" .`:                 {true, true},
		`<a:a> <a:b> "a _:b" .`:               {true, true},
		`<a:a> <a:b> "a _:b ." .`:             {true, true},
		`<a:a> <a:b> "a"@en _:g .`:            {true, false},
		`<a:a> <a:b> <<( _:b <a:p> "c" )>> .`: {true, false},
		`<a:a> <a:b> <a:c>`:                   {false, false},
		`@prefix a: <a:> .`:                   {false, false},
	} {
		for i, joined := range []bool{false, true} {
			if err := inputs.CheckStatement(joined)([]byte(line)); (err == nil) != want[i] {
				t.Errorf("%s, joined %t: %v", line, joined, err)
			}
		}
	}
}
