package settings_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"

	"laundromat/internal/settings"
)

// A flag comes before the environment, that before the file, and each value knows where it is from.
func TestAFlagComesBeforeTheEnvironmentAndThatBeforeTheFile(t *testing.T) {
	for _, row := range []struct {
		verb, file, variable string
		args                 []string
		value, whence        string
	}{
		{verb: "serve", value: "5", whence: "default"},
		{verb: "serve", file: "tries: 3\n", value: "3", whence: "c.yaml:1"},
		{verb: "serve", file: "# a\n\n\"tries\": '3'\n", value: "3", whence: "c.yaml:3"},
		{verb: "serve", file: "tries: 3\n", variable: "4", value: "4", whence: "LAUNDROMAT_TRIES"},
		{verb: "serve", file: "tries: 3\n", variable: "4", args: []string{"--tries", "2"}, value: "2", whence: "--tries"},
		{verb: "serve", file: "tries: 3\nserve:\n  tries: 6\n", value: "6", whence: "c.yaml:3"},
		{verb: "serve", file: "tries: 3\nwash:\n  tries: 6\n", value: "3", whence: "c.yaml:1"},
		{verb: "wash", file: "tries: 3\nserve:\n  tries: 6\n", value: "3", whence: "c.yaml:1"},
		{verb: "serve", file: "x: &n 7\n", variable: "4", value: "4", whence: "LAUNDROMAT_TRIES"},
		{verb: "serve", variable: "", value: "5", whence: "default"},
		{verb: "seed set", file: "tries: 3\n", value: "5", whence: "default"},
		{verb: "serve", file: "---\n# nothing\n", value: "5", whence: "default"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		if err := os.WriteFile("c.yaml", []byte(row.file), 0o600); err != nil {
			t.Fatal(err)
		}
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.Int("tries", 5, "")
		if err := flags.Parse(row.args); err != nil {
			t.Fatal(err)
		}
		file, _ := settings.Read("c.yaml")
		err := settings.Fill(flags, row.verb, file, func(name string) (string, bool) {
			return row.variable, name == "LAUNDROMAT_TRIES" && row.variable != ""
		})
		f := flags.Lookup("tries")
		if err != nil || f.Value.String() != row.value || settings.Whence(f) != row.whence {
			t.Errorf("%s, %q: %s from %s (%v), want %s from %s", row.verb, row.file, f.Value, settings.Whence(f), err, row.value,
				row.whence)
		}
	}
}

// The workers of the daemon are no workers of a wash.
func TestASettingOfTheDaemonIsNotThatOfAnotherVerb(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(name, []byte("workers: 64\ninterval: 3h\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := settings.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	for verb, want := range map[string]string{"serve": "64", "wash": "2", "check": "2", "unique": "2"} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.Int("workers", 2, "")
		if err := settings.Fill(flags, verb, file, func(string) (string, bool) { return "", false }); err != nil {
			t.Fatal(err)
		}
		if got := flags.Lookup("workers").Value.String(); got != want {
			t.Errorf("%s: %s workers, want %s", verb, got, want)
		}
	}
}

func TestTheFirstFileThatIsThereHolds(t *testing.T) {
	data := t.TempDir()
	own := filepath.Join(data, "config.yaml")
	if got := settings.Find("", data, os.LookupEnv); got != "" {
		t.Errorf("%q, want none", got)
	}
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	lookup := func(name string) (string, bool) { return "env.yaml", name == "LAUNDROMAT_CONFIG" }
	none := func(string) (string, bool) { return "", false }
	for _, row := range []struct {
		flag   string
		lookup func(string) (string, bool)
		want   string
	}{{"flag.yaml", lookup, "flag.yaml"}, {"", lookup, "env.yaml"}, {"", none, own}} {
		if got := settings.Find(row.flag, data, row.lookup); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

func TestVariablesThatArePerhapsMisspeltAreNamed(t *testing.T) {
	got := settings.Strays([]string{"LAUNDROMAT_TRIS=3", "LAUNDROMAT_PORT=tcp://10.0.0.1", "LAUNDROMAT_TRIES=3", "LAUNDROMAT_CONFIG=x",
		"PATH=/"})
	if len(got) != 1 || got[0] != "LAUNDROMAT_TRIS is not a setting; did you mean LAUNDROMAT_TRIES?" {
		t.Errorf("%q", got)
	}
}
