package match

import (
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// chain is a selector of CSS without commas: compounds that combinators join. The library
// compiles the compounds; we join them, so that no selector takes endless time.
type chain struct {
	steps []step
	// anchored says that the first step is found from the current node by its combinator.
	// Else what is around the first step may lie outside of the current node, as for
	// querySelectorAll.
	anchored bool
}

// step is a compound selector with the combinator before it.
type step struct {
	combinator byte // ' ', '>', '+' or '~'
	text       string
	compound   cascadia.Sel // nil for the current node itself (:scope)
	tag, class string       // of a compound that is only these
	only       bool
	siblings   bool // looks at all siblings of a node
	deep       bool // looks at all that is in a node
}

// maxInner is how many blanks a selector in parentheses may have.
const maxInner = 6

// maxSelector is the longest selector, in bytes; maxSteps the most compounds in one.
const (
	maxSelector = 2000
	maxSteps    = 50
)

// parseCSS compiles a list of selectors of CSS.
func parseCSS(text string, anchored bool) ([]chain, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("a selector has at most %d bytes, this one has %d", maxSelector, len(text))
	}
	groups, err := splitTop(text, ',')
	if err != nil {
		return nil, err
	}
	var chains []chain
	for _, g := range groups {
		c, err := parseChain(g, anchored)
		if err != nil {
			return nil, err
		}
		chains = append(chains, c)
	}
	return chains, nil
}

// top goes over what is outside of brackets, parentheses and quotes, and calls f with each
// byte there. The result of f is how many bytes it took, at least 1.
func top(text string, f func(i int) int) error {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i += 2
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth < 0 {
				return fmt.Errorf("%q closes nothing in the selector %q", c, text)
			}
		case depth == 0:
			i += f(i)
			continue
		}
		i++
	}
	switch {
	case quote != 0:
		return fmt.Errorf("a quote is not closed in the selector %q", text)
	case depth > 0:
		return fmt.Errorf("a bracket is not closed in the selector %q", text)
	}
	return nil
}

// splitTop splits a text at a separator outside of brackets and quotes.
func splitTop(text string, separator byte) (parts []string, err error) {
	from := 0
	err = top(text, func(i int) int {
		if text[i] == separator {
			parts = append(parts, text[from:i])
			from = i + 1
		}
		return 1
	})
	return append(parts, text[from:]), err
}

const cssSpace = " \t\r\n\f"

func parseChain(text string, anchored bool) (chain, error) {
	c := chain{anchored: anchored}
	if strings.Trim(text, cssSpace) == "" {
		return c, fmt.Errorf("a selector is empty")
	}
	text = strings.Trim(text, cssSpace)
	combinator, from := byte(' '), 0
	var failed error
	add := func(to int) {
		if part := text[from:to]; part != "" && failed == nil {
			var s step
			if s, failed = parseCompound(part); failed == nil {
				s.combinator = combinator
				c.steps = append(c.steps, s)
			}
		}
	}
	err := top(text, func(i int) int {
		n := 0
		for i+n < len(text) && strings.IndexByte(cssSpace+">+~", text[i+n]) >= 0 {
			n++
		}
		if n == 0 {
			return 1
		}
		add(i)
		switch joint := strings.Trim(text[i:i+n], cssSpace); len(joint) {
		case 0:
			combinator = ' '
		case 1:
			combinator = joint[0]
			c.anchored = c.anchored || i == 0
		default:
			failed = fmt.Errorf("%q isn't a combinator, in the selector %q", joint, text)
		}
		from = i + n
		return n
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return c, err
	}
	if from == len(text) {
		return c, fmt.Errorf("the selector %q ends with a combinator", text)
	}
	if add(len(text)); failed != nil {
		return c, failed
	}
	if len(c.steps) > maxSteps {
		return c, fmt.Errorf("a selector has at most %d steps, this one has %d", maxSteps, len(c.steps))
	}
	for i := range c.steps {
		if c.steps[i].compound == nil && i > 0 {
			return c, fmt.Errorf(":scope comes first in a selector, or not at all: %q", text)
		}
	}
	if c.steps[0].compound == nil {
		if len(c.steps) == 1 {
			return c, fmt.Errorf(`the present node is written as "", not as :scope`)
		}
		c.steps, c.anchored = c.steps[1:], true
	}
	return c, nil
}

// parseCompound compiles a compound selector.
func parseCompound(text string) (step, error) {
	s := step{text: text}
	if text == ":scope" {
		return s, nil
	}
	library := namespaced(text)
	sel, err := cascadia.Parse(library)
	if err != nil {
		return s, fmt.Errorf("the selector %q is wrong: %w", text, err)
	}
	s.compound = sel
	if colon := strings.IndexByte(text, ':'); colon >= 0 {
		lower := strings.ToLower(text[colon:])
		s.siblings = strings.Contains(lower, "-child") || strings.Contains(lower, "-of-type")
		s.deep = strings.Contains(lower, ":has") || strings.Contains(lower, ":contains") || strings.Contains(lower, ":matches")
		if err := simpleArgument(lower); err != nil {
			return s, err
		}
	}
	if strings.Contains(text, "#=") || strings.Contains(strings.ToLower(text), ":matches") {
		if err := regexpInSelector(text); err != nil {
			return s, err
		}
	}
	if tag, class, _ := strings.Cut(text, "."); isPlain(tag) && isPlain(class) && library == text {
		s.tag, s.class, s.only = strings.ToLower(tag), class, true
	}
	return s, nil
}

// isPlain says that a part of a selector is letters, digits, hyphens and underscores alone.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; !('a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b == '-' || b == '_' || b >= 0x80) {
			return false
		}
	}
	return true
}

// namespaced writes prefix|name, which the library does not know, as an escaped prefix:name.
func namespaced(text string) string {
	bar := strings.IndexByte(text, '|')
	if bar <= 0 || !isPlain(text[:bar]) || bar+1 >= len(text) || text[bar+1] == '=' {
		return text
	}
	return text[:bar] + `\:` + text[bar+1:]
}

// simpleArgument refuses a selector in parentheses that takes endless time: the library tries
// all ways to join its compounds.
func simpleArgument(lower string) error {
	inner := lower
	for {
		i := strings.IndexByte(inner, '(')
		if i < 0 {
			return nil
		}
		name := inner[:i]
		inner = inner[i+1:]
		if strings.Contains(name[strings.LastIndexByte(name, ':')+1:], "matches") ||
			strings.Contains(name[strings.LastIndexByte(name, ':')+1:], "contains") {
			continue
		}
		if strings.Count(inner, ":has") > 0 && strings.HasSuffix(name, ":has") {
			return fmt.Errorf(":has can't occur in :has")
		}
		joined := strings.NewReplacer(", ", ",", " ,", ",").Replace(strings.Trim(inner, cssSpace))
		if joints := strings.Count(joined, " "); joints > maxInner {
			return fmt.Errorf("a selector in parentheses has at most %d blanks, this one has %d", maxInner, joints)
		}
	}
}

// regexpInSelector refuses a regular expression in a selector that is too large.
func regexpInSelector(text string) error {
	if strings.ContainsAny(text, "{") || len(text) > 200 {
		return fmt.Errorf("a regular expression in a selector has no counts in braces and at most 200 bytes: %q", text)
	}
	return nil
}

// verdict is how a chain fits a node, and if not, how far back there is no use in trying more.
type verdict uint8

const (
	fits verdict = iota
	failsHere
	failsSiblings
	fails
)

// at says whether the chain up to its i-th step fits the node. scope is the current node.
func (c *chain) at(r *run, n *html.Node, i int, scope *html.Node) verdict {
	s := &c.steps[i]
	if !r.compound(s, n) {
		return failsHere
	}
	if i == 0 {
		if !c.anchored || c.anchor(r, n, scope) {
			return fits
		}
		return failsHere
	}
	switch s.combinator {
	case '>':
		p := parentOf(n)
		if p == nil {
			return fails
		}
		if v := c.at(r, p, i-1, scope); v == fits || v == fails {
			return v
		}
		return failsSiblings
	case '+':
		p := before(n)
		if p == nil {
			return failsSiblings
		}
		return c.at(r, p, i-1, scope)
	case '~':
		for p := before(n); p != nil; p = before(p) {
			if v := c.at(r, p, i-1, scope); v != failsHere {
				return v
			}
		}
		return failsSiblings
	}
	for p := parentOf(n); p != nil; p = parentOf(p) {
		if v := c.at(r, p, i-1, scope); v == fits || v == fails {
			return v
		}
	}
	return fails
}

// anchor says that the first step is where its combinator leads to from the current node.
func (c *chain) anchor(r *run, n, scope *html.Node) bool {
	switch c.steps[0].combinator {
	case '>':
		return n.Parent == scope
	case '+':
		return before(n) == scope
	case '~':
		return n.Parent == scope.Parent && r.tree.index(n) > r.tree.index(scope)
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if r.steps--; p == scope {
			return true
		}
	}
	return false
}

// fromSiblings says that the chain leads out of the current node, to what follows it.
func (c *chain) fromSiblings() bool {
	return c.anchored && (c.steps[0].combinator == '+' || c.steps[0].combinator == '~')
}

func parentOf(n *html.Node) *html.Node {
	if n.Parent == nil || n.Parent.Type != html.ElementNode {
		return nil
	}
	return n.Parent
}

// before is the element before n among its siblings.
func before(n *html.Node) *html.Node {
	for p := n.PrevSibling; p != nil; p = p.PrevSibling {
		if p.Type == html.ElementNode {
			return p
		}
	}
	return nil
}

// compound says whether a compound selector fits a node, and counts the work.
func (r *run) compound(s *step, n *html.Node) bool {
	r.steps--
	if s.only {
		if s.tag != "" && n.Data != s.tag {
			return false
		}
		return s.class == "" || hasClass(n, s.class)
	}
	if s.siblings {
		r.steps -= int64(r.tree.children(n.Parent))
	}
	if s.deep {
		r.steps -= int64(r.tree.size(n))
	}
	return r.steps > 0 && s.compound.Match(n)
}

func hasClass(n *html.Node, class string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key != "class" {
			continue
		}
		all := n.Attr[i].Val
		for at := 0; ; {
			j := strings.Index(all[at:], class)
			if j < 0 {
				return false
			}
			j += at
			end := j + len(class)
			if (j == 0 || strings.IndexByte(cssSpace, all[j-1]) >= 0) && (end == len(all) || strings.IndexByte(cssSpace, all[end]) >= 0) {
				return true
			}
			at = j + 1
		}
	}
	return false
}
