package report_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"

	"laundromat/report"
)

// What is written is valid by the schema of OASIS, and holds nothing that the schema
// does not name.
func TestSARIFValidatesAgainstTheSchema(t *testing.T) {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(sarifSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*report.Report{"example": example(), "empty": {}} {
		var b bytes.Buffer
		if err := report.WriteSARIF(&b, r); err != nil {
			t.Fatal(err)
		}
		result, err := schema.Validate(gojsonschema.NewBytesLoader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range result.Errors() {
			t.Errorf("%s: %s", name, e)
		}
		decoder := json.NewDecoder(bytes.NewReader(b.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(new(sarif.Report)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// The schema is at work.
		wrong := bytes.Replace(b.Bytes(), []byte(`"version": "2.1.0"`), []byte(`"version": "3"`), 1)
		if result, err := schema.Validate(gojsonschema.NewBytesLoader(wrong)); err != nil || result.Valid() {
			t.Errorf("%s: any version is valid: %v", name, err)
		}
	}
}

// sarifSchema is the schema as the library holds it, in a constant that is not exported. The
// library's own validation adds what may be absent, and then rejects that.
func sarifSchema(t *testing.T) string {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, file := range files {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if value, ok := n.(*ast.ValueSpec); ok && value.Names[0].Name == "schema" && len(value.Values) == 1 {
				if literal, ok := value.Values[0].(*ast.BasicLit); ok {
					found, _ = strconv.Unquote(literal.Value)
				}
			}
			return true
		})
	}
	if found == "" {
		t.Fatal("the library holds no schema")
	}
	return found
}
