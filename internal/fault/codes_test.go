package fault_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

var kebab = regexp.MustCompile(
	`^(transport|host|http|robots|catalog|claim|archive|encoding|format|syntax|iri|literal|language|blank-node|limit|local|bug|table|record|map|schema|duplicate|text|csvw)/[a-z0-9]+(-[a-z0-9]+)*$`)

func TestEveryCodeIsExplainedOnce(t *testing.T) {
	seen := map[fault.Code]bool{}
	for _, info := range fault.Codes() {
		if seen[info.Code] {
			t.Errorf("%s occurs twice in the table", info.Code)
		}
		seen[info.Code] = true
		if !kebab.MatchString(string(info.Code)) {
			t.Errorf("%s is not group/name of a known group in kebab case", info.Code)
		}
		if info.Title == "" || strings.HasSuffix(info.Title, ".") || strings.Contains(info.Title, "\n") {
			t.Errorf("%s: title %q", info.Code, info.Title)
		}
		for _, text := range []string{info.Explain, info.Mend} {
			if len(text) < 10 || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ")") || strings.TrimSpace(text) != text {
				t.Errorf("%s: %q is not a sentence", info.Code, text)
			}
		}
		if got, ok := fault.Explain(info.Code); !ok || got != info {
			t.Errorf("%s is not found", info.Code)
		}
	}
	if _, ok := fault.Explain("iri/no-such-code"); ok {
		t.Error("an unknown code is explained")
	}
	codes := fault.Codes()
	if !slices.IsSortedFunc(codes, func(a, b fault.Info) int { return strings.Compare(string(a.Code), string(b.Code)) }) {
		t.Error("the codes are not sorted")
	}
}

// Every constant has a row, every row has a constant, and some code outside this
// package and its tests gives it out.
func TestEveryCodeIsGivenOut(t *testing.T) {
	constants := codeConstants(t)
	rows := map[string]bool{}
	for _, info := range fault.Codes() {
		rows[string(info.Code)] = true
	}
	used := namesUsed(t, filepath.Join("..", ".."))
	for name, code := range constants {
		if !rows[code] {
			t.Errorf("%s (%s) has no row", code, name)
		}
		if !used[name] {
			t.Errorf("%s (%s) is never given out", code, name)
		}
		delete(rows, code)
	}
	for code := range rows {
		t.Errorf("%s has a row and no constant", code)
	}
}

// codeConstants reads the constants of type Code from the source of this package.
func codeConstants(t *testing.T) map[string]string {
	files, err := filepath.Glob("codes*.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Code" {
				if value, ok := spec.Values[0].(*ast.BasicLit); ok {
					constants[spec.Names[0].Name], _ = strconv.Unquote(value.Value)
				}
			}
			return true
		})
	}
	if len(constants) == 0 {
		t.Fatal("no constants found")
	}
	return constants
}

// namesUsed collects X of every fault.X in the module's code.
func namesUsed(t *testing.T, root string) map[string]bool {
	use := regexp.MustCompile(`\bfault\.([A-Z]\w*)`)
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range use.FindAllSubmatch(source, -1) {
			used[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}
