package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"laundromat/internal/spelling"
)

// File is a file of settings.
type File struct {
	Name string
	// values are those outside and inside sections: by verb ("" for all), then by the name of a setting.
	values map[string]map[string]given
}

// given are the values of a setting and the line that gives them.
type given struct {
	values []string
	isList bool
	line   int
}

// system is the file for all users of the machine.
const system = "/etc/laundromat/config.yaml"

// Find names the file that holds: that of --config, else that of $LAUNDROMAT_CONFIG, else config.yaml in the data
// folder, else /etc/laundromat/config.yaml. "": there is none.
func Find(flag, data string, lookup func(string) (string, bool)) string {
	if flag != "" {
		return flag
	}
	if name, _ := lookup(Variable("config")); name != "" {
		return name
	}
	for _, name := range []string{filepath.Join(data, "config.yaml"), system} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
	return ""
}

// Read reads a file; it returns all faults of the file at once. The name "" is an empty file.
func Read(name string) (*File, error) {
	f := &File{Name: name, values: map[string]map[string]given{}}
	if name == "" {
		return f, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return f, nil // empty, or comments alone
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:%d: a second document in the file; one holds all settings", name, more.Line)
	}
	root := document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return f, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d: a file of settings holds lines such as \"host-delay: 7s\"", name, root.Line)
	}
	return f, f.section("", root)
}

// section reads the settings of a verb, or with "" those of all verbs.
func (f *File) section(verb string, node *yaml.Node) error {
	var wrong []error
	refuse := func(at *yaml.Node, format string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%s:%d: %s", f.Name, at.Line, fmt.Sprintf(format, args...)))
	}
	into := map[string]given{}
	f.values[verb] = into
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		name := key.Value
		if verb == "" && slices.Contains(verbs, name) && value.Kind == yaml.MappingNode {
			if _, twice := f.values[name]; twice {
				refuse(key, "%s is here a second time", name)
			} else if err := f.section(name, value); err != nil {
				wrong = append(wrong, err)
			}
			continue
		}
		before, twice := into[name]
		switch {
		case Named(name) == nil:
			refuse(key, "there is no setting %q%s", name, meant(name))
		case twice:
			refuse(key, "%s is given a second time; line %d gives it too", name, before.line)
		default:
			values, err := valuesOf(value)
			if err != nil {
				refuse(key, "%s: %v", name, err)
				continue
			}
			into[name] = given{values, value.Kind == yaml.SequenceNode, key.Line}
		}
	}
	return errors.Join(wrong...)
}

// valuesOf are the values of a node: one, or those of a list.
func valuesOf(node *yaml.Node) (all []string, err error) {
	scalar := func(n *yaml.Node) error {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		switch {
		case n.Kind != yaml.ScalarNode:
			return errors.New("the value is one word, or a list of such")
		case n.Tag == "!!null" && n.Style == 0:
			return errors.New("the value is missing; leave the line out, or write \"\"")
		}
		all = append(all, n.Value)
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return all, scalar(node)
	}
	for _, item := range node.Content {
		if err := scalar(item); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// meant says which setting an unknown name was perhaps meant for.
func meant(name string) string {
	plain := strings.ReplaceAll(strings.ToLower(strings.TrimLeft(name, "-")), "_", "-")
	near, most := "", max(2, len(plain)/2)
	for _, known := range Names() {
		if apart := spelling.Apart(plain, known); apart <= most {
			near, most = known, apart-1
		}
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// of is what the file gives for a setting of a verb.
func (f *File) of(verb string, s *Setting) (given, bool) {
	if g, is := f.values[verb][s.Name]; is && verb != "" {
		return g, true
	}
	if s.Daemon && verb != "serve" {
		return given{}, false
	}
	g, is := f.values[""][s.Name]
	return g, is
}

// Without refuses a setting that makes no sense in this file.
func (f *File) Without(name, why string) error {
	for _, section := range f.values {
		if g, is := section[name]; is {
			return fmt.Errorf("%s:%d: %s can't be set here: %s", f.Name, g.line, name, why)
		}
	}
	return nil
}
