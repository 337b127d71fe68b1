package changes_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/records/changes"
)

// told are the changes as text.
type told []string

func (t *told) Removed(line []byte) error { *t = append(*t, "-"+string(line)); return nil }
func (t *told) Added(line []byte) error   { *t = append(*t, "+"+string(line)); return nil }
func (t *told) Changed(before, after []byte) error {
	*t = append(*t, "~"+string(before)+string(after))
	return nil
}

func compare(t *testing.T, before, after string, key ...string) (told, changes.Counts) {
	t.Helper()
	var all told
	counts, err := changes.Compare(t.Context(), strings.NewReader(before), strings.NewReader(after), &all, changes.Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if counts.After != counts.Before-counts.Removed+counts.Added {
		t.Errorf("the sums do not add up: %+v", counts)
	}
	return all, counts
}

func TestChangesAreOfKeysOrOfWholeLines(t *testing.T) {
	const a1, a2, b, c = `{"id":"a","n":1}`, `{"id":"a","n":2}`, `{"id":"b"}`, `{"x":"c"}`
	lines := func(all ...string) string { return strings.Join(all, "\n") }
	for _, test := range []struct {
		title, before, after string
		key                  []string
		want                 []string
	}{
		{"the same", lines(a1, b), lines(a1, b, ""), []string{"id"}, nil},
		{"in another order", lines(a1, b), lines(b, a1), []string{"id"}, nil},
		{"with other white space", lines(`{"id": "b" }`), lines(b), []string{"id"}, nil},
		{"all new", "", lines(a1), []string{"id"}, []string{"+" + a1}},
		{"all gone", lines(a1), "\n\n", []string{"id"}, []string{"-" + a1}},
		{"a value of a key", lines(a1, b), lines(a2, b), []string{"id"}, []string{"~" + a1 + a2}},
		{"a value without a key", lines(a1, b), lines(a2, b), nil, []string{"-" + a1, "+" + a2}},
		{"another key", lines(a1), lines(b), []string{"id"}, []string{"-" + a1, "+" + b}},
		{"a line without the key", lines(c, b), lines(b, c, c), []string{"id"}, []string{"+" + c}},
		{"a key that is null", lines(`{"id":null,"n":1}`), lines(`{"id":null,"n":2}`), []string{"id"},
			[]string{`-{"id":null,"n":1}`, `+{"id":null,"n":2}`}},
		{"a key twice in a version", lines(a1), lines(a2, `{"id":"a","n":3}`), []string{"id"},
			[]string{"-" + a1, "+" + a2, `+{"id":"a","n":3}`}},
		{"a key twice, one of them the same", lines(a1, a2), lines(a1, `{"id":"a","n":3}`), []string{"id"},
			[]string{"~" + a2 + `{"id":"a","n":3}`}},
		{"one of two equal lines is gone", lines(b, b, b), lines(b), nil, []string{"-" + b, "-" + b}},
		{"a key of two fields", lines(`{"a":1,"b":2,"c":3}`, `{"a":1,"b":3,"c":3}`), lines(`{"a":1,"b":2,"c":4}`, `{"a":1,"b":3,"c":3}`),
			[]string{"a", "b"}, []string{`~{"a":1,"b":2,"c":3}{"a":1,"b":2,"c":4}`}},
		{"a key of another type", lines(`{"id":1}`), lines(`{"id":"1"}`), []string{"id"}, []string{`+{"id":"1"}`, `-{"id":1}`}},
		{"signs of the sort in a value", lines(`{"id":"x\ty","n":1}`), lines(`{"id":"x\ty","n":2}`), []string{"id"},
			[]string{`~{"id":"x\ty","n":1}{"id":"x\ty","n":2}`}},
	} {
		got, counts := compare(t, test.before, test.after, test.key...)
		if !slices.Equal(got, test.want) || counts.Same() != (len(test.want) == 0) {
			t.Errorf("%s: %q, want %q", test.title, got, test.want)
		}
	}
}

// The changes, made to the version before, give that after.
func TestChangesLeadFromOneVersionToTheOther(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 50))
	version := func() (all []string) {
		for range random.IntN(40) {
			all = append(all, fmt.Sprintf(`{"id":%d,"v":%d}`, random.IntN(20), random.IntN(3)))
		}
		return all
	}
	for range 300 {
		before, after := version(), version()
		key := [][]string{nil, {"id"}, {"v"}, {"id", "v"}, {"none"}}[random.IntN(5)]
		all, _ := compare(t, strings.Join(before, "\n"), strings.Join(after, "\n"), key...)
		is := slices.Clone(before)
		drop := func(line string) {
			at := slices.Index(is, line)
			if at < 0 {
				t.Fatalf("%s was not there", line)
			}
			is = slices.Delete(is, at, at+1)
		}
		for _, one := range all {
			switch line := one[1:]; one[0] {
			case '-':
				drop(line)
			case '+':
				is = append(is, line)
			default:
				was, now, _ := strings.Cut(line, "}{")
				drop(was + "}")
				is = append(is, "{"+now)
			}
		}
		slices.Sort(is)
		slices.Sort(after)
		if !slices.Equal(is, after) {
			t.Fatalf("by %q: %q, want %q", key, is, after)
		}
	}
}

func TestALineThatIsNoObjectIsNamed(t *testing.T) {
	for _, line := range []string{"[1]", "null", "1", `"a"`, "{", `{"a":1}{"b":2}`, "a,b", "{\"a\":\"\t\"}"} {
		after := strings.NewReader("{}\n" + line + "\n{}\n")
		_, err := changes.Compare(t.Context(), strings.NewReader("{}\n"), after, &told{}, changes.Options{})
		var bad *changes.LineError
		if !errors.As(err, &bad) || bad.Line != 2 || bad.Side != changes.After {
			t.Errorf("%s: %v", line, err)
		}
	}
}
