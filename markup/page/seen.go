package page

import "strings"

// Hides says that a reader of a page doesn't see an element with this value of style. Style sheets aren't looked at.
func Hides(style string) bool {
	hides := map[string]bool{}
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(strings.ToLower(value), "!")
		switch name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value); {
		case value == "":
		case name == "display":
			hides[name] = value == "none"
		case name == "visibility":
			hides[name] = value == "hidden" || value == "collapse"
		}
	}
	return hides["display"] || hides["visibility"]
}

// apart are the elements that begin a line of their own, or a cell.
var apart = set("address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "dialog", "div", "dl", "dt",
	"fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "li", "main",
	"menu",
	"nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
	"ul")

// Apart says that what stands in an element of HTML is no part of the words beside it. So <br> is.
func Apart(name string) bool { return apart[name] }
