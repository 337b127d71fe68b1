package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const (
	sound  = "<http://example.org/s> <http://example.org/p> \"sound\" .\n"
	broken = "<http://example.org/s> <http://example.org/p> \"broken .\n"
	spaced = "<http://example.org/s> <http://example.org/p> <http://example.org/a b> .\n"
)

// laundry is a folder with files, and an executable laundromat in a folder of its own.
func laundry(t *testing.T, files map[string]string) (dir, bin string) {
	dir, bin = t.TempDir(), t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "laundromat"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir, bin
}

func ended(t *testing.T, c *exec.Cmd) (code int, stdout string) {
	var out bytes.Buffer
	c.Stdout = &out
	err := c.Run()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String()
}

func yamlOf(t *testing.T, name string, into any) {
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// What pre-commit runs fails a commit with a broken file and lets a sound one pass. The strict hook
// fails one that could be repaired too.
func TestPreCommitHooksFailWhatTheySay(t *testing.T) {
	var hooks []struct{ ID, Entry, Files string }
	yamlOf(t, ".pre-commit-hooks.yaml", &hooks)
	dir, bin := laundry(t, map[string]string{"sound.nt": sound, "broken.nt": broken, "spaced.nt": spaced})
	want := map[string]map[string]int{
		"laundromat":        {"sound.nt": 0, "broken.nt": 3, "spaced.nt": 0},
		"laundromat-strict": {"sound.nt": 0, "broken.nt": 3, "spaced.nt": 3},
	}
	if len(hooks) != len(want) {
		t.Fatalf("%d hooks", len(hooks))
	}
	for _, hook := range hooks {
		files := regexp.MustCompile(hook.Files)
		for name, matches := range map[string]bool{"a/b.ttl": true, "x.NT": true, "x.nq.gz": true, "x.jsonld": true, "x.txt": false,
			"ttl": false, "x.json": false} {
			if files.MatchString(name) != matches {
				t.Errorf("%s: %s matches: %v", hook.ID, name, !matches)
			}
		}
		for name, code := range want[hook.ID] {
			entry := strings.Fields(hook.Entry)
			c := exec.Command(filepath.Join(bin, entry[0]), append(entry[1:], name)...)
			c.Dir = dir
			if got, out := ended(t, c); got != code {
				t.Errorf("%s %s: exit %d, want %d\n%s", hook.Entry, name, got, code, out)
			}
		}
	}
}

// The last step of the action annotates the lines and fails as check does.
func TestActionAnnotatesAndFailsAsCheckDoes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []struct{ Run string } }
	}
	yamlOf(t, "action.yml", &action)
	steps := action.Runs.Steps
	script := steps[len(steps)-1].Run
	dir, bin := laundry(t, map[string]string{"sound.nt": sound, "deep/er/broken.nt": broken, "spaced.nt": spaced})
	for _, test := range []struct {
		files, flags string
		code         int
		says         string
	}{
		{"sound.nt", "", 0, ""},
		{"**/*.nt", "", 3, "::error file=deep/er/broken.nt,line=1,col="},
		{"spaced.nt sound.nt", "", 0, "::warning file=spaced.nt,line=1"},
		{"spaced.nt", "--strict", 3, "::error file=spaced.nt,line=1"},
		{"*.ttl", "", 2, "::error::no file matches *.ttl"},
	} {
		log := filepath.Join(t.TempDir(), "log.sarif")
		c := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
		c.Dir = dir
		c.Env = append(os.Environ(), "RUNNER_TEMP="+bin, "FILES="+test.files, "FLAGS="+test.flags, "SARIF="+log)
		code, out := ended(t, c)
		if code != test.code || !strings.Contains(out, test.says) {
			t.Errorf("%s %s: exit %d, want %d and %q:\n%s", test.files, test.flags, code, test.code, test.says, out)
		}
		if code == 2 {
			continue
		}
		text, err := os.ReadFile(log)
		if err != nil || !json.Valid(text) {
			t.Errorf("%s: SARIF: %v", test.files, err)
		}
	}
}
