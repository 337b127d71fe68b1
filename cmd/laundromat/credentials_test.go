package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoVerbShowsCredentials adds a URI with a password, lets it fail, and reads
// what every verb says of it.
func TestNoVerbShowsCredentials(t *testing.T) {
	folder := t.TempDir()
	data, list := filepath.Join(folder, "data"), filepath.Join(folder, "list")
	const uri = "http://me:secret@127.0.0.1:9/x"
	if err := os.WriteFile(list, []byte(uri+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		// the address is not public
		{"serve", "--until-idle", "--seeds", list, "--listen", "127.0.0.1:0", "--host-delay", "0"},
		{"seed", "add", "--init", uri}, {"seed", "list"}, {"seed", "list", "--json"}, {"show", uri}, {"why", uri}, {"why", "--json", uri},
		{"notices", uri}, {"stats"}, {"datasets", "--state", "failed"}, {"verify"},
	} {
		out := output(t, append(args, "--data", data)...)
		if strings.Contains(out, "secret") {
			t.Errorf("%s: %s", strings.Join(args, " "), out)
		}
		if args[0] == "seed" && !strings.Contains(out, "***@127.0.0.1:9/x") {
			t.Errorf("%s: %s", strings.Join(args, " "), out)
		}
	}
}
