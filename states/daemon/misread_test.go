package daemon_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/markup/prose"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// listed are the notices of a seed, one code after the other.
func (w *world) listed(seed seedlist.Seed) (all []fault.Notice) {
	w.t.Helper()
	file, err := w.files.Open(seedfile.Key(&seed, files.Notices), files.Notices)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		w.t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	for lines.Scan() {
		var n fault.Notice
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, n)
	}
	if err := lines.Err(); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// The daemon reads misread text back only if it is asked to. Its record then says so, and from the
// notices the text as it was can be made of what was written.
func TestMisreadTextIsReadBackByTheDaemonIfAsked(t *testing.T) {
	const (
		was = "<http://e/1> <http://e/p> \"MÃ¼nchen\" .\n" +
			"<http://e/2> <http://e/p> \"РџСЂРёРІРµС‚, РјРёСЂ\" .\n" +
			"<http://e/3> <http://e/p> \"MÃƒÂ¼nchen, KÃƒÂ¶ln\" .\n" +
			"<http://e/4> <http://e/p> \"SÃO PAULO, Zürich, Genève, Bâle\" .\n"
		is = "<http://e/1> <http://e/p> \"München\" .\n" +
			"<http://e/2> <http://e/p> \"Привет, мир\" .\n" +
			"<http://e/3> <http://e/p> \"München, Köln\" .\n" +
			"<http://e/4> <http://e/p> \"SÃO PAULO, Zürich, Genève, Bâle\" .\n"
		double = "<http://e/5> <http://e/p> \"KÃ¶ln, Ã…ngstrÃ¶m\" .\n"
		single = "<http://e/5> <http://e/p> \"Köln, Ångström\" .\n"
	)
	w := newWorld(t, seedlist.Options{})
	w.page("/texts.nt", []byte(was))
	w.page("/whole.nt", []byte(double))
	w.page("/archive.zip", zipOf(t, "a.nt", was))
	w.add("/texts.nt", "/whole.nt", "/archive.zip")
	w.run()
	plain := w.seed("/texts.nt")
	if w.clean(plain) != was || w.clean(w.seed("/whole.nt")) != double || plain.WashedWith != nil ||
		plain.Notices[fault.LiteralMojibakeMended] != 0 {
		t.Errorf("read back unasked: %+v", plain.Record)
	}

	// The bytes are the same, the flags are not.
	w.opt.Clean.FixMojibake = true
	w.page("/copy.nt", []byte(was)) // not what was made of the same bytes without the flag
	w.add("/copy.nt")
	w.retry("/texts.nt", "/whole.nt", "/archive.zip")
	w.run()
	w.sound()
	texts, whole, entry := w.seed("/texts.nt"), w.seed("/whole.nt"), w.child("/archive.zip", "a.nt")
	for _, seed := range []seedlist.Seed{texts, entry, w.seed("/copy.nt")} {
		if w.clean(seed) != is || !slices.Equal(seed.WashedWith, []string{"--fix-mojibake"}) || seed.Statements.Repaired != 3 ||
			seed.Notices[fault.LiteralMojibakeMended] != 3 {
			t.Errorf("%+v, %+v:\n%s", seed.Record, seed.Statements, w.clean(seed))
		}
	}
	again := maps.Collect(subjects(w.clean(texts)))
	for _, n := range w.listed(texts) {
		if n.Code != fault.LiteralMojibakeMended {
			continue
		}
		_, page, _ := strings.Cut(n.Message, " that was read as ")
		line := strings.Split(was, "\n")[n.Line-1]
		subject, _, _ := strings.Cut(line, " ")
		undone, ok := prose.Misread([]byte(again[subject]), page)
		if !ok {
			t.Errorf("no page in %q", n.Message)
		}
		again[subject] = string(undone)
	}
	if want := maps.Collect(subjects(was)); !maps.Equal(again, want) {
		t.Errorf("undone, it is %q, not %q", again, want)
	}

	evidence := whole.Encoding.Evidence
	last := evidence[len(evidence)-1]
	if w.clean(whole) != single || last.From != "double-encoded" || last.Value != "windows-1252" ||
		whole.Notices[fault.EncodingDoubleEncoded] != 1 {
		t.Errorf("%+v, %+v: %s", whole.Record, evidence, w.clean(whole))
	}
	if undone, _ := prose.Misread([]byte(single), last.Value); string(undone) != double {
		t.Errorf("undone, the document is %q", undone)
	}

	// Nothing is washed again while they stay the same.
	w.retry("/texts.nt", "/archive.zip")
	w.run()
	if got := w.story(texts.Hash); strings.Count(got, "parsing") != 2 || w.counts().Unchanged != 2 {
		t.Errorf("%s; %d unchanged", got, w.counts().Unchanged)
	}
}

// subjects are the lines of N-Triples by their subjects.
func subjects(text string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(text) {
			subject, _, _ := strings.Cut(line, " ")
			if !yield(subject, line) {
				return
			}
		}
	}
}
