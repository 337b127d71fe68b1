package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestFilesOfOthersAreAsTheyCame holds the files against the sums that the documentation has.
func TestFilesOfOthersAreAsTheyCame(t *testing.T) {
	docs, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range staticByName() {
		sum := sha256.Sum256(file.body)
		isOthers := strings.Contains(name, ".min.")
		if isOthers && !strings.Contains(string(docs), "`"+name+"` | `"+hex.EncodeToString(sum[:])+"`") {
			t.Errorf("%s has the SHA-256 %x, which docs/dependencies.md does not say", name, sum)
		}
	}
	for _, licence := range []string{"htmx.LICENSE.txt", "uplot.LICENSE.txt"} {
		if len(staticByName()[licence].body) == 0 {
			t.Error("there is no", licence)
		}
	}
}
