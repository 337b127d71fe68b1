package postgres

import (
	"testing"

	"laundromat/seedlist/engine"
)

func TestANoticeIsReadAsItWasWritten(t *testing.T) {
	for n := range engine.News(engine.AllNews) + 1 {
		if got := newsIn(notice(n)); got != n {
			t.Errorf("news %b is read as %b", n, got)
		}
	}
}

func TestANoticeThatCannotBeReadMayBeAnyNews(t *testing.T) {
	for _, notice := range []string{"", "x", "-1", "256"} {
		if newsIn(notice) != engine.AllNews {
			t.Errorf("%q is news %b", notice, newsIn(notice))
		}
	}
}
