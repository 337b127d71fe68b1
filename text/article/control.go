package article

import (
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/text"
)

// tellControls tells of the controls from U+0080 to U+009F that a text holds. In UTF-8, all of them begin with the same
// byte.
func tellControls(a *text.Article, source []byte, to Listener) {
	const lead = 0xC2
	count, first := 0, 0
	for at := 0; ; at += 2 {
		n := strings.IndexByte(a.Text[min(at, len(a.Text)):], lead)
		if n < 0 {
			break
		}
		at += n
		if at+1 < len(a.Text) && a.Text[at+1] < 0xA0 {
			if count == 0 {
				first = at
			}
			count++
		}
	}
	if count == 0 {
		return
	}
	offset := a.Places.Source(text.Span{Start: first, End: first + 2}).Start
	to.Notice(fault.Notice{Code: fault.TextControl, Severity: fault.Warning, Pos: position(source, offset),
		Excerpt: fault.Excerpt([]byte(a.Text[first:])),
		Message: fmt.Sprintf("the text holds controls from U+0080 to U+009F, in all %d", count)})
}
