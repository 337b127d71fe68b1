package pages

import (
	"strings"
	"testing"

	"laundromat/web"
)

// A proxy may strip the path of the site or not, so that no page may begin with it.
func TestNoPathOfAPageBeginsTheAddressOfASite(t *testing.T) {
	for _, one := range routes() {
		_, path, _ := strings.Cut(one.pattern, " /")
		first, _, _ := strings.Cut(path, "/")
		if first == "" || strings.Contains(first, "{") {
			continue
		}
		if _, err := web.ParseSite("https://data.example/" + first + "/x"); err == nil && !strings.Contains(first, ".") {
			t.Errorf("%s: a site may be at /%s", one.pattern, first)
		}
	}
}
