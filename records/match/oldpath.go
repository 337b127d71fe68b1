package match

import (
	"fmt"
	"slices"
	"strings"
)

// isOldPath says that a selector is written in the old manner of Hpricot, with slashes, @, or of a page elements in
// brackets.
func isOldPath(text string, isXML bool) bool {
	old := strings.Contains(text, "[@") || !isXML && holdsElement(text)
	if top(text, func(i int) int {
		old = old || text[i] == '/'
		return 1
	}) != nil {
		return false
	}
	return old
}

// elementNames are names of elements that are hardly those of attributes.
var elementNames = strings.Fields(`a article aside b blockquote br dd div dl dt em fieldset figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe
	img li nav ol p strong table tbody td textarea tfoot th thead tr u ul`)

func isElementName(s string) bool { return slices.Contains(elementNames, strings.ToLower(s)) }

// holdsElement says that a selector has an element in brackets, as in tr[td]: one that holds such an element.
func holdsElement(text string) bool {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "[")
		if !found {
			return false
		}
		inner, _, _ := strings.Cut(after, "]")
		if isElementName(strings.TrimSpace(inner)) {
			return true
		}
		rest = after
	}
}

// rewriteOldPath writes an old path in CSS: / is a child, // a descendant, [@a] an attribute.
// Its first step is a descendant of the current node, unless it begins with ./ or /.
func rewriteOldPath(text string) (string, error) {
	groups, err := splitTop(text, ',')
	if err != nil {
		return "", err
	}
	var rewritten []string
	for _, g := range groups {
		css, err := rewriteGroup(strings.TrimSpace(g))
		if err != nil {
			return "", fmt.Errorf("the path %q can't be read: %w", text, err)
		}
		rewritten = append(rewritten, css)
	}
	return strings.Join(rewritten, ", "), nil
}

func rewriteGroup(path string) (string, error) {
	joint, rest := " ", path
	switch {
	case strings.HasPrefix(path, ".//"):
		rest = path[3:]
	case strings.HasPrefix(path, "//"):
		rest = path[2:]
	case strings.HasPrefix(path, "./"):
		joint, rest = ":scope > ", path[2:]
	case strings.HasPrefix(path, "/"):
		joint, rest = "/", path[1:]
	}
	parts, err := splitTop(rest, '/')
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case part == "" && (i == 0 || i == len(parts)-1 || strings.TrimSpace(parts[i-1]) == ""):
			return "", fmt.Errorf("a step of it is empty")
		case part == "":
			joint = " "
			continue
		case part == "..":
			return "", fmt.Errorf("the parent is none of the steps of CSS; write it as an XPath, after xpath: in front")
		case strings.HasPrefix(part, "@"):
			return "", fmt.Errorf("a value of an attribute is written {attr: [selector, %s]}", part[1:])
		case part == "text()":
			return "", fmt.Errorf("the text of an element needs no step of its own")
		}
		step, err := rewriteStep(part)
		if err != nil {
			return "", err
		}
		switch joint {
		case "/":
			step += ":root"
		case " ":
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
		default:
			b.WriteString(joint)
		}
		b.WriteString(step)
		joint = " > "
	}
	return b.String(), nil
}

// rewriteStep writes the conditions of a step in CSS: [@a='b'] and [2].
func rewriteStep(part string) (string, error) {
	var b strings.Builder
	for {
		open := strings.IndexByte(part, '[')
		if open < 0 {
			b.WriteString(part)
			return b.String(), nil
		}
		end := open
		quote := byte(0)
		for end < len(part) && (quote != 0 || part[end] != ']') {
			switch c := part[end]; {
			case quote != 0 && c == quote:
				quote = 0
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			}
			end++
		}
		if end == len(part) {
			return "", fmt.Errorf("a bracket is not closed")
		}
		b.WriteString(part[:open])
		condition := strings.TrimSpace(part[open+1 : end])
		switch {
		case condition != "" && strings.Trim(condition, "0123456789") == "":
			b.WriteString(":nth-of-type(" + condition + ")")
		case strings.HasPrefix(condition, "@"):
			b.WriteString("[" + condition[1:] + "]")
		case strings.ContainsAny(condition, "()"):
			return "", fmt.Errorf("the condition [%s] is none of CSS; write it as an XPath, after xpath: in front", condition)
		case isElementName(condition):
			b.WriteString(":haschild(" + condition + ")")
		default:
			b.WriteString("[" + condition + "]")
		}
		part = part[end+1:]
	}
}
