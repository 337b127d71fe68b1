package block

import (
	"strings"

	"laundromat/markup/page"
)

// maxBeside is how many elements beside a formula are looked at, and how deeply.
const maxBeside, maxDeep = 8, 6

// isSource says that an element holds a formula once more, as its source or in another notation. MathML shows the first
// child of semantics alone.
func isSource(e, around *page.Element) bool {
	if e.Name != "annotation" && e.Name != "annotation-xml" || around.Name != "semantics" {
		return false
	}
	for i := range around.Children {
		if first := around.Children[i].Element; first != nil {
			return first != e
		}
	}
	return false
}

// isCopy says that an element draws a formula that stands beside it in MathML, as KaTeX and MathJax do. So does what
// stands there until it is drawn.
func isCopy(e, around *page.Element) bool {
	class, _ := e.Get("class")
	outer, _ := around.Get("class")
	isPreview := hasClass(class, "MathJax_Preview")
	if !isPreview && !hasClass(class, "katex-html") {
		if hidden, _ := e.Get("aria-hidden"); !strings.EqualFold(strings.TrimSpace(hidden), "true") {
			return false
		}
		if !strings.HasPrefix(around.Name, "mjx-") && !strings.HasPrefix(outer, "MathJax") && !strings.HasPrefix(outer, "mjx-") &&
			!strings.HasPrefix(outer, "mjpage") && !hasClass(outer, "katex") {
			return false
		}
	}
	at := -1
	for i := range around.Children {
		if around.Children[i].Element == e {
			at = i
			break
		}
		if i >= 64*maxBeside {
			return false
		}
	}
	seen := 0
	for i := max(0, at-maxBeside); at >= 0 && i < len(around.Children) && seen < 2*maxBeside; i++ {
		beside := around.Children[i].Element
		if beside == nil || beside == e {
			continue
		}
		seen++
		if hasMath(beside, maxDeep) {
			return true
		}
	}
	return false
}

func hasClass(list, class string) bool {
	for at := strings.Index(list, class); at >= 0; {
		end := at + len(class)
		if (at == 0 || list[at-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		next := strings.Index(list[end:], class)
		if next < 0 {
			return false
		}
		at = end + next
	}
	return false
}

// hasMath says that there is a formula in MathML in an element.
func hasMath(e *page.Element, deep int) bool {
	if e.Name == "math" {
		return true
	}
	for i := 0; i < len(e.Children) && i < maxBeside && deep > 0; i++ {
		if c := e.Children[i].Element; c != nil && hasMath(c, deep-1) {
			return true
		}
	}
	return false
}
