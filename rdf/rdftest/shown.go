package rdftest

import (
	"fmt"
	"strings"
)

// Marked are the canonical lines of the quads, shortened, with ! in front of those that
// were repaired.
func (c *Collector) Marked(short *strings.Replacer) (all []string) {
	for i, line := range c.Lines() {
		mark := ""
		if c.Quads[i].Repaired {
			mark = "!"
		}
		all = append(all, mark+short.Replace(line))
	}
	return all
}

// Told are the notices as "line:column severity code lost".
func (c *Collector) Told() (all []string) {
	for _, n := range c.Notices {
		all = append(all, fmt.Sprintf("%d:%d %s %s %d", n.Line, n.Column, n.Severity, n.Code, n.Lost))
	}
	return all
}
