package token_test

import (
	"strings"
	"testing"
	"time"

	"laundromat/text/token"
)

// TestTimeGrowsWithTheLength holds for shapes in which a search could begin again at each of many places. A text of a
// quarter of a megabyte would take minutes if it did.
func TestTimeGrowsWithTheLength(t *testing.T) {
	for _, unit := range []string{"a", "a@", "a@.", "a.", "a-", "a/", "a,", "a!", "a'", "a_", "a&", "1.", "1,", "123 ", "12-", "'", "`",
		"\"",
		"<a ", `<a b="c `, `<a b='"`, "<!-- ", "<!a ", "<?a ", "<a-", "http://", "www.a.", "U.S. ", "a.com/", "\u00ad", "é.", "&lt;a",
		"&eacute;",
		". ", "n't", "(1", "+1", ":-", "👍", "👨‍👩‍", "\u0301", "a\u00a0@"} {
		text := strings.Repeat(unit, 1<<18/len(unit))
		start := time.Now()
		token.Append(nil, text, token.Options{})
		token.Append(nil, text, token.Options{Repaired: true})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q again and again took %v", unit, took)
		} else if testing.Verbose() {
			t.Logf("%q %v", unit, took)
		}
	}
}
