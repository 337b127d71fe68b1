package main

import (
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/freeport"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/statistics"
)

// loadPage is the page of the documentation whose commands are run here.
const loadPage = "../../docs/load.md"

// loadBlocks are the blocks of a language in the page, with the folder that they name replaced by another.
func loadBlocks(t *testing.T, language, folder string) (blocks []string) {
	t.Helper()
	for part := range strings.SplitSeq(string(readFile(t, loadPage)), "```"+language+"\n") {
		block, _, _ := strings.Cut(part, "```\n")
		blocks = append(blocks, strings.ReplaceAll(block, "/srv/washed", folder))
	}
	return blocks[1:]
}

// Stores hold what clean files say, graph by graph, when they are loaded as the documentation says.
func TestStoresHoldWhatCleanFilesSay(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "washed")
	exported := filepath.Join(folder, "demo")
	output(t, "export", "--what", "clean", "--copy", "--data", washedDemo(t), exported)
	washReal(t, filepath.Join(folder, "real"))
	commands := loadBlocks(t, "sh", folder)
	if len(commands) != 2 {
		t.Fatalf("the page has %d commands", len(commands))
	}
	want := countGraphs(t, commands[0])
	compareWithStatistics(t, exported, countGraphs(t, loadBlocks(t, "sh", exported)[0]))
	t.Run("oxigraph", func(t *testing.T) { compareGraphs(t, want, loadOxigraph(t, folder)) })
	t.Run("virtuoso", func(t *testing.T) {
		shell(t, commands[1])
		want := countGraphs(t, commands[0])
		got := loadVirtuoso(t, folder)
		for _, own := range []string{"http://www.openlinksw.com/schemas/virtrdf#", "http://localuriqaserver/sparql"} {
			delete(got, own)
		}
		const shared = "http://www.w3.org/ns/ldp#" // three statements of its own are there
		if got[shared] -= 3; got[shared] == 0 {
			delete(got, shared)
		}
		got[""] = got["urn:default"]
		delete(got, "urn:default")
		compareGraphs(t, want, got)
	})
}

// mostLoaded is the size in bytes of the largest real file that is loaded, so that the test is short.
const mostLoaded = 256 << 10

// washReal washes the real files, if they are there.
func washReal(t *testing.T, folder string) {
	t.Helper()
	real, _ := rdftest.FindShared(t, "real")
	files, err := filepath.Glob(filepath.Join(real, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool {
		info, err := os.Stat(file)
		return err != nil || info.Size() > mostLoaded
	})
	if len(files) == 0 {
		t.Log("the real files are not there: the demo alone is loaded")
		return
	}
	wash := process(t, t.TempDir(), append([]string{"wash", "-q", "--to", "nq.gz", "-o", folder + "/"}, files...)...)
	if err := wash.Run(); exitCodeOf(t, err) > 3 { // some have statements that are lost
		t.Fatal(err)
	}
}

// shell runs a command of the page, and returns what it writes.
func shell(t *testing.T, command string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", command).Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return string(out)
}

// countGraphs are the statements of each graph, "" the default graph, by the command of the page.
func countGraphs(t *testing.T, command string) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for line := range strings.Lines(shell(t, command)) {
		number, graph, _ := strings.Cut(strings.TrimSpace(line), " ")
		counts[graph] = parsedCount(t, number)
	}
	return counts
}

func parsedCount(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// compareWithStatistics holds the command against the statistics of the files, no two of which share a statement.
func compareWithStatistics(t *testing.T, folder string, counts map[string]int64) {
	t.Helper()
	var all, unnamed, named int64
	for _, file := range strings.Fields(shell(t, "find '"+folder+"' -name '*.nq.gz'")) {
		s := decodeLines[statistics.Statistics](t, output(t, "wash", "-q", "-o", os.DevNull, "--to", "nq", "--statistics", "-", file))[0]
		all, unnamed = all+s.Statements, unnamed+s.InDefaultGraph
	}
	for graph, n := range counts {
		if graph != "" {
			named += n
		}
	}
	if counts[""] != unnamed || named != all-unnamed || named == 0 {
		t.Errorf("the files have %d statements, %d without a graph; the command says %v", all, unnamed, counts)
	}
}

func compareGraphs(t *testing.T, want, got map[string]int64) {
	t.Helper()
	if maps.Equal(want, got) {
		return
	}
	for graph := range want {
		if want[graph] != got[graph] {
			t.Errorf("%d statements are in <%s>, not %d", got[graph], graph, want[graph])
		}
	}
	for graph, n := range got {
		if _, ok := want[graph]; !ok {
			t.Errorf("%d statements are in <%s>, which the files do not have", n, graph)
		}
	}
}

// loadOxigraph loads the files of a folder, and counts what is in each graph.
func loadOxigraph(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	library := ""
	for _, modules := range filepath.SplitList(os.Getenv("NODE_PATH")) {
		if _, err := os.Stat(filepath.Join(modules, "oxigraph")); err == nil {
			library = modules
		}
	}
	node, err := exec.LookPath("node")
	if library == "" || err != nil {
		t.Skip("Oxigraph is not there: npm install oxigraph@0.5.11, and NODE_PATH leads to it")
	}
	script := filepath.Join(t.TempDir(), "load.cjs")
	if err := os.WriteFile(script, []byte(loadBlocks(t, "js", folder)[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, script, folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	counts, sum := map[string]int64{}, int64(0)
	for line := range strings.Lines(string(out)) {
		number, graph, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch n := parsedCount(t, number); graph {
		case "statements":
			if n != sum {
				t.Errorf("%d statements, and %d by graph", n, sum)
			}
		case "in the default graph":
			counts[""], sum = n, sum+n
		default:
			counts[graph], sum = n, sum+n
		}
	}
	return counts
}

// loadVirtuoso starts a server, loads the files of a folder, and counts what is in each graph.
func loadVirtuoso(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	server, err := exec.LookPath("virtuoso-t")
	if err != nil {
		t.Skip("Virtuoso is not there: the Debian package virtuoso-opensource-7-bin has it")
	}
	dir := t.TempDir()
	port := strconv.Itoa(freeport.Find())
	address := net.JoinHostPort(freeport.Host, port)
	settings := strings.Replace(loadBlocks(t, "ini", folder)[0], "= 1111", "= "+port, 1)
	for name, text := range map[string]string{"virtuoso.ini": settings, "load.sql": loadBlocks(t, "sql", folder)[0]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	daemon := exec.Command(server, "+foreground", "+configfile", "virtuoso.ini")
	daemon.Dir = dir
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		daemon.Process.Kill()
		daemon.Wait()
	})
	ask := func(arguments ...string) (string, error) {
		out, err := exec.Command("isql-vt", append([]string{address, "dba", "dba"}, arguments...)...).CombinedOutput()
		return string(out), err
	}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		said, err := ask("exec=select 1;")
		if err == nil && !strings.Contains(said, "Error") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("Virtuoso does not answer: %v: %s", err, said)
		}
	}
	said, err := ask("VERBOSE=OFF", filepath.Join(dir, "load.sql"))
	if err != nil || strings.Contains(said, "Error") {
		t.Fatalf("%v: %s", err, said)
	}
	counts := map[string]int64{}
	for _, m := range regexp.MustCompile(`(?m)^(\S+:\S*) +([0-9]+)$`).FindAllStringSubmatch(said, -1) {
		counts[m[1]] = parsedCount(t, m[2])
	}
	if strings.Contains(said, ".nq.gz") {
		t.Errorf("files were not read to their end: %s", said)
	}
	return counts
}
