package shipped_test

import (
	"context"
	"flag"
	"path/filepath"
	"testing"

	"laundromat/records/lint"
)

var update = flag.Bool("update", false, "write the expected records of the fixtures anew")

func TestShippedSpecsGiveTheirRecords(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("*", "spec.yaml"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		report, err := lint.Spec(context.Background(), file, lint.Options{Write: *update})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, f := range report.Findings {
			t.Errorf("%s:%d:%d: %s: %s: %s", f.File, f.Line, f.Column, f.Severity, f.Code, f.Message)
		}
		if report.Fixtures == 0 || report.Right != report.Fixtures || report.Records < 3 || report.Failed() {
			t.Errorf("%s: %+v", file, report)
		}
	}
}
