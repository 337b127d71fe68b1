package extract

import (
	"bytes"
	"io"

	"go.yaml.in/yaml/v3"
	yaml4 "go.yaml.in/yaml/v4"
)

// rereadYAML reads a document that the parser of YAML 1.1 refuses by that of YAML 1.2. The latter reads a tab after a
// hyphen, ":x" within brackets and "\/" in quotation marks. The former comes first, since of a document with something
// behind its value it still gives the value. False means that both refuse it.
func rereadYAML(text []byte) (roots []*yaml.Node, ok bool) {
	in := yaml4.NewDecoder(bytes.NewReader(text))
	for {
		var root yaml4.Node
		switch err := in.Decode(&root); {
		case err == io.EOF:
			return roots, true
		case err != nil:
			return nil, false
		}
		for _, c := range root.Content {
			roots = append(roots, nodeOf(c, map[*yaml4.Node]*yaml.Node{}))
		}
	}
}

// nodeOf is a node of the one parser as the other has it. Anchors that aliases name are made once.
func nodeOf(n *yaml4.Node, made map[*yaml4.Node]*yaml.Node) *yaml.Node {
	if known := made[n]; known != nil {
		return known
	}
	to := &yaml.Node{Kind: yaml.Kind(n.Kind), Style: yaml.Style(n.Style), Tag: n.Tag, Value: n.Value, Anchor: n.Anchor, Line: n.Line,
		Column: n.Column}
	made[n] = to
	if n.Alias != nil {
		to.Alias = nodeOf(n.Alias, made)
	}
	for _, c := range n.Content {
		to.Content = append(to.Content, nodeOf(c, made))
	}
	return to
}
