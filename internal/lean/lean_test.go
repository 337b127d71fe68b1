package lean_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// heavy are modules that a lean program must not hold, nor wait for while it is built.
var heavy = []string{"github.com/parquet-go/", "github.com/google/cel-go/", "github.com/jackc/pgx/", "github.com/minio/minio-go/",
	"modernc.org/sqlite"}

func TestALeanProgramLeavesHeavyModulesOut(t *testing.T) {
	for _, tags := range []string{"", "lean"} {
		list := exec.Command("go", "list", "-deps", "-tags", tags, "laundromat/cmd/laundromat")
		list.Stderr = os.Stderr
		packages, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range heavy {
			if found := strings.Contains(string(packages), module); found != (tags == "") {
				t.Errorf("tags %q: %s is part of the program: %v", tags, module, found)
			}
		}
	}
}

// Refusals are tried on a real lean program, since none of its packages is part of this one.
func TestALeanProgramRefusesWhatItLacks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "laundromat")
	if text, err := exec.Command("go", "build", "-tags", "lean", "-o", program, "laundromat/cmd/laundromat").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, text := range map[string]string{
		"table.csv":  "town,people\nBonn,3\n",
		"clean.nq":   "<http://x.example/a> <http://x.example/p> \"1\" .\n",
		"expr.yaml":  "map:\n  town: {expr: \"1 + 1\"}\n",
		"plain.yaml": "map:\n  town: {from: town}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		arguments, lacks string // "" where nothing is lacking
	}{
		{"wash clean.nq -o washed.nq", ""},
		{"records table.csv -o table.xlsx", ""},
		{"records table.csv --spec plain.yaml", ""},
		{"records table.csv -o table.parquet", "parquet"},
		{"records table.csv --as sqlite -o table.sqlite", "sqlite"},
		{"records table.csv --spec expr.yaml", "expressions"},
		{"parquet clean.nq -o clean.parquet", "Parquet"},
		{"serve --data data --until-idle --store postgres://x@localhost/x", "PostgreSQL"},
		{"serve --data other --until-idle --blobs s3://bucket/prefix", "buckets"},
	} {
		run := exec.Command(program, strings.Fields(c.arguments)...)
		run.Dir = dir
		text, err := run.CombinedOutput()
		switch said := strings.Contains(string(text), "built without "+c.lacks+" (tag lean); \"go build ./cmd/laundromat\""); {
		case c.lacks == "" && err != nil, c.lacks != "" && (err == nil || !said):
			t.Errorf("%s: %v\n%s", c.arguments, err, text)
		}
	}
}
