package pattern

import "strings"

// Plain is a regular expression without what the flag x permits, which [regexp/syntax] lacks: white space and comments
// outside of classes, and the flag itself. Without the flag it is the text as it is.
func Plain(text string) string {
	if !strings.Contains(text, "(?") {
		return text
	}
	p := plainer{text: text}
	for p.i < len(text) {
		p.next()
	}
	return p.out.String()
}

type plainer struct {
	text    string
	i       int
	out     strings.Builder
	verbose bool
	around  []bool // whether the flag was set in the groups around
}

// next takes one part of the expression.
func (p *plainer) next() {
	rest := p.text[p.i:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, `\Q`):
		end := strings.Index(rest, `\E`)
		if end < 0 {
			end = len(rest) - 2
		}
		p.keep(end + 2)
	case c == '\\':
		p.keep(min(2, len(rest)))
	case c == '[':
		p.keep(class(rest))
	case c == '(':
		p.around = append(p.around, p.verbose)
		if !strings.HasPrefix(rest, "(?") || !p.flags(rest) {
			p.keep(1)
		}
	case c == ')':
		if n := len(p.around); n > 0 {
			p.verbose, p.around = p.around[n-1], p.around[:n-1]
		}
		p.keep(1)
	case p.verbose && strings.IndexByte(" \t\r\n\f\v", c) >= 0:
		p.i++
	case p.verbose && c == '#':
		line, _, _ := strings.Cut(rest, "\n")
		p.i += len(line)
	default:
		p.keep(1)
	}
}

func (p *plainer) keep(n int) {
	p.out.WriteString(p.text[p.i : p.i+n])
	p.i += n
}

// flags takes (?flags) or (?flags: if it is one, and leaves the flag x out.
func (p *plainer) flags(rest string) bool {
	end := strings.IndexAny(rest, ":)")
	if end < 0 || strings.Trim(rest[2:end], "imsUx-") != "" {
		return false
	}
	if !strings.Contains(rest[2:end], "x") {
		p.out.WriteString(rest[:end+1])
		p.i += end + 1
		if rest[end] == ')' {
			p.around = p.around[:len(p.around)-1]
		}
		return true
	}
	set, unset, _ := strings.Cut(rest[2:end], "-")
	switch {
	case strings.Contains(set, "x"):
		p.verbose = true
	case strings.Contains(unset, "x"):
		p.verbose = false
	}
	set, unset = strings.ReplaceAll(set, "x", ""), strings.ReplaceAll(unset, "x", "")
	if unset != "" {
		set += "-" + unset
	}
	if rest[end] == ')' {
		p.around = p.around[:len(p.around)-1] // it holds to the end of the group around
		if set != "" {
			p.out.WriteString("(?" + set + ")")
		}
	} else {
		p.out.WriteString("(?" + set + ":")
	}
	p.i += end + 1
	return true
}

// class is how long the class is that begins a text.
func class(text string) int {
	i := 1
	if strings.HasPrefix(text[i:], "^") {
		i++
	}
	if strings.HasPrefix(text[i:], "]") {
		i++
	}
	for i < len(text) {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], "[:"):
			if end := strings.Index(text[i:], ":]"); end > 0 {
				i += end + 1
			}
		case text[i] == ']':
			return i + 1
		}
		i++
	}
	return len(text)
}
