package article_test

import (
	"context"
	"strings"
	"testing"

	"laundromat/text/article"
)

// TestControlsAreTold: those from U+0080 to U+009F, once for a text, at the first.
func TestControlsAreTold(t *testing.T) {
	for source, want := range map[string]string{
		"<p>a\u0080b": "1:5 text/control", "<p>a b\u009f\u0085": "1:7 text/control", "<pre>\u0091a\u0092": "1:6 text/control",
		"<p>\u00a0a\u00a9": "", "<p>&#150;a": "",
		"<p>a\u00ad": "", "<script>\u0080</script>a": "", "<p>a\n<p>é\u0096": "2:5 text/control", "<title>\u0080</title>a": "",
		"<p>a\u00c2b": "", "<p title='\u0080'>a": "",
	} {
		a, told := fromPage(t, source)
		if got := strings.TrimSuffix(strings.TrimSuffix(told.String(), "0:0 text/no-date"), ", "); got != want {
			t.Errorf("%q: %s, want %s", source, got, want)
		}
		if a == nil {
			t.Errorf("%q: empty", source)
		}
	}
	var told notices
	if article.FromText([]byte("a\nb\u0081"), article.Options{}, &told); !strings.HasPrefix(told.String(), "2:2 text/control") {
		t.Error(told)
	}
	told = nil
	if _, err := article.FromPage(context.Background(), []byte("<p>a\u0081"), article.Options{Part: true}, &told); err != nil ||
		told.String() != "1:5 text/control" {
		t.Error(err, told)
	}
}
