package laundromat_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link        = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	quoted      = regexp.MustCompile("`([^`\n]+)`")
	goFile      = regexp.MustCompile(`^[\w./-]+\.go$`)
	goCommand   = regexp.MustCompile(`go (?:test|run)[^\n|#&` + "`" + `]*`)
	testName    = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w*)\(`)
)

// TestDocsNameWhatIsThere follows the links of the documents, looks for the files that they
// name, and for the packages, tests and benchmarks of their commands.
func TestDocsNameWhatIsThere(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no documents", err)
	}
	for _, page := range append(pages, "README.md") {
		text := string(read(t, page))
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(m[1], "://") {
				continue
			}
			if target = filepath.Join(filepath.Dir(page), target); strings.HasPrefix(m[1], "#") {
				target = page
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if anchor != "" && !slices.Contains(anchors(string(read(t, target))), anchor) {
				t.Errorf("%s links to %s: there is no such heading", page, m[1])
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			folder, _, in := strings.Cut(m[1], "/")
			if _, err := os.Stat(folder); !in || !goFile.MatchString(m[1]) || err != nil {
				continue
			}
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
		for _, command := range goCommand.FindAllString(text, -1) {
			checkCommand(t, page, command)
		}
	}
}

// checkCommand looks for what a command of go names.
func checkCommand(t *testing.T, page, command string) {
	t.Helper()
	words := strings.Fields(command)
	var names []string // of tests and benchmarks in the packages of the command
	found := false
	for i, word := range words {
		if !strings.HasPrefix(word, "./") || words[1] == "run" && found || strings.HasPrefix(words[i-1], "-") && words[1] == "run" {
			continue
		}
		found = true
		folder := strings.TrimSuffix(word, "/...")
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			t.Errorf("%s: %s: %s is not there", page, command, word)
			continue
		}
		names = append(names, testsBelow(t, folder, folder != word)...)
	}
	for i, flag := range words[:len(words)-1] {
		pattern := strings.Trim(words[i+1], `'"`)
		if flag != "-run" && flag != "-bench" || pattern == "none" || pattern == "-" || pattern == "^$" || !found || words[1] != "test" {
			continue
		}
		pattern, _, _ = strings.Cut(pattern, "/")
		expression, err := regexp.Compile(pattern)
		if err != nil || !slices.ContainsFunc(names, expression.MatchString) {
			t.Errorf("%s: %s: no test is called so", page, command)
		}
	}
}

// testsBelow names the tests of a package, or of all below its folder.
func testsBelow(t *testing.T, folder string, all bool) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && !all:
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			for _, m := range testName.FindAllStringSubmatch(string(read(t, path)), -1) {
				names = append(names, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return names
}

// anchors are the names by which a page's headings are linked to.
func anchors(page string) (names []string) {
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		names = append(names, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return names
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// moduleLine is a line of go.mod that requires a module.
var moduleLine = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)( // indirect)?$`)

// TestPageOfDependenciesIsThatOfTheModule holds the rows of docs/dependencies.md against both go.mod files. Each module
// that is named as direct has a row with its version. No row has a module or a version that is not there.
func TestPageOfDependenciesIsThatOfTheModule(t *testing.T) {
	required, direct := map[string]string{}, []string{}
	for _, file := range []string{"go.mod", "bench/go.mod"} {
		for _, m := range moduleLine.FindAllStringSubmatch(string(read(t, file)), -1) {
			if m[1] == "laundromat" {
				continue
			}
			if known := required[m[1]]; known != "" && known != m[2] {
				t.Errorf("go.mod has %s %s, %s has %s", m[1], known, file, m[2])
			}
			required[m[1]] = m[2]
			if m[3] == "" {
				direct = append(direct, m[1])
			}
		}
	}
	told := map[string]string{}
	for line := range strings.Lines(string(read(t, "docs/dependencies.md"))) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		versions := strings.Split(cells[2], ",")
		for i, module := range strings.Split(cells[1], ",") {
			module = strings.TrimSpace(module)
			host, _, inside := strings.Cut(module, "/")
			if !inside || !strings.Contains(host, ".") || strings.Contains(module, " ") || i >= len(versions) {
				continue
			}
			version, _, _ := strings.Cut(strings.TrimSpace(versions[i]), " ")
			told[module] = version
		}
	}
	if len(direct) == 0 || len(told) == 0 {
		t.Fatalf("%d modules are required directly, %d have a row", len(direct), len(told))
	}
	for _, module := range direct {
		if told[module] == "" {
			t.Errorf("docs/dependencies.md has no row of %s %s", module, required[module])
		}
	}
	for module, version := range told {
		if required[module] != version {
			t.Errorf("docs/dependencies.md has %s %s; go.mod has %q", module, version, required[module])
		}
	}
}
