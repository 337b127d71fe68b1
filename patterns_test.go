package laundromat_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPatternsCompile: what is compiled when it is first used is held to be a regular
// expression here. None is compiled before, except for those of other programs.
func TestPatternsCompile(t *testing.T) {
	patterns := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "bench/") || strings.HasPrefix(path, "internal/testkit/") ||
			strings.HasPrefix(path, "encoding/language/train/") || strings.HasPrefix(path, "internal/pattern/") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			called, _ := call.Fun.(*ast.SelectorExpr)
			if called == nil {
				return true
			}
			place := files.Position(call.Pos())
			switch of, _ := called.X.(*ast.Ident); {
			case of == nil:
			case of.Name == "regexp" && strings.HasPrefix(called.Sel.Name, "MustCompile"):
				t.Errorf("%v: it is compiled at the start of every verb: take pattern.New", place)
			case of.Name == "pattern" && called.Sel.Name == "New":
				patterns++
				literal, ok := call.Args[0].(*ast.BasicLit)
				if !ok {
					t.Errorf("%v: it isn't a literal", place)
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if err == nil {
					_, err = regexp.Compile(text)
				}
				if err != nil {
					t.Errorf("%v: %v", place, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || patterns < 100 {
		t.Errorf("%d patterns found, %v", patterns, err)
	}
}
