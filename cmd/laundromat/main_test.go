package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"laundromat/web/socket"
)

// TestMain lets the test binary be the program, so that scripts and tests start it
// as a user would, in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		os.Exit(run(os.Args[1:]))
	}
	// Daemons that tests kill leave sockets in the folder for temporary files of all: those of an earlier run would be
	// counted by scripts.
	for _, folder := range socket.Strays("", time.Now()) {
		socket.RemoveStray(folder)
	}
	testscript.Main(m, map[string]func(){
		"laundromat": func() { os.Exit(run(os.Args[1:])) },
	})
}

// beProgram is the variable that makes the test binary the program.
const beProgram = "LAUNDROMAT_TEST_BE_PROGRAM"

// TestScripts runs the program as the scripts of testdata/script say. Each is
// named after the law that it holds.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("..", "..", "testdata", "script"),
		RequireUniqueNames: true,
		Cmds:               scriptCommands,
		Setup: func(env *testscript.Env) error {
			// What is left here, a script can see with "empty".
			temp := filepath.Join(env.WorkDir, "temp")
			env.Setenv("TMPDIR", temp)
			env.Setenv("NO_COLOR", "1")
			return os.Mkdir(temp, 0o700)
		},
	})
}

// takesLong skips a test that plays many kills or outages, unless LAUNDROMAT_LONG is set, as .ci/run sets it: the
// tests of
// the program stay below the ten minutes that go test allows by itself.
func takesLong(t *testing.T) {
	t.Helper()
	if os.Getenv("LAUNDROMAT_LONG") == "" {
		t.Skip("takes long: LAUNDROMAT_LONG=1 runs it, as .ci/run does")
	}
}
