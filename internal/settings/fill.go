package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Variable is the name of the variable of the environment for a setting.
func Variable(name string) string {
	return "LAUNDROMAT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// whenceNote marks a flag with the place that gave its value, where that is not the command line.
const whenceNote = "whence"

// Whence says where the value of a flag comes from: "config.yaml:3", "LAUNDROMAT_TRIES", "--tries" or "default".
func Whence(f *pflag.Flag) string {
	switch {
	case len(f.Annotations[whenceNote]) > 0:
		return f.Annotations[whenceNote][0]
	case f.Changed:
		return "--" + f.Name
	}
	return "default"
}

// IsTyped says that a flag was given on the command line.
func IsTyped(f *pflag.Flag) bool { return f != nil && f.Changed && len(f.Annotations[whenceNote]) == 0 }

// Fill gives the flags of a verb the values of the environment and of a file, where the command line gives none. Then
// all values are checked. It returns all faults at once.
func Fill(flags *pflag.FlagSet, verb string, file *File, lookup func(string) (string, bool)) error {
	if !slices.Contains(verbs, verb) {
		verb = ""
	}
	var wrong []error
	flags.VisitAll(func(f *pflag.Flag) {
		s := Named(f.Name)
		if s == nil || f.Changed || verb == "" && !isCommon(s) {
			return
		}
		value, isThere := lookup(Variable(f.Name))
		if isThere && value != "" && !(s.Daemon && verb != "serve") {
			list := []string{value}
			if f.Value.Type() == "stringArray" {
				list = slices.DeleteFunc(strings.Split(value, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
			}
			if err := set(flags, f, list, false, Variable(f.Name)); err != nil {
				wrong = append(wrong, err)
			}
			return
		}
		if g, is := file.of(verb, s); is {
			if err := set(flags, f, g.values, g.isList, fmt.Sprintf("%s:%d", file.Name, g.line)); err != nil {
				wrong = append(wrong, err)
			}
		}
	})
	wrong = append(wrong, file.idle(flags, verb)...)
	if wrong == nil {
		wrong = check(flags, verb)
	}
	return errors.Join(wrong...)
}

// isCommon says that all verbs have a setting.
func isCommon(s *Setting) bool {
	return slices.Contains([]string{"data", "log-format", "quiet", "verbose", "json"}, s.Name)
}

// idle are the settings in the section of a verb that the verb does not have.
func (f *File) idle(flags *pflag.FlagSet, verb string) (wrong []error) {
	if verb == "" {
		return nil
	}
	for name, g := range f.values[verb] {
		if flags.Lookup(name) == nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %s has no setting %s", f.Name, g.line, verb, name))
		}
	}
	return wrong
}

// set gives a flag its values from a place.
func set(flags *pflag.FlagSet, f *pflag.Flag, values []string, isList bool, whence string) error {
	many := f.Value.Type() == "stringArray" || f.Value.Type() == "stringSlice"
	if isList && !many {
		return fmt.Errorf("%s: %s has one value, not a list", whence, f.Name)
	}
	if f.Value.Type() == "stringSlice" {
		values = []string{strings.Join(values, ",")}
	}
	for _, value := range values {
		if f.Value.Type() == "bool" {
			value = truth(value)
		}
		if err := flags.Set(f.Name, value); err != nil {
			return fmt.Errorf("%s: %s: %q is not %s", whence, f.Name, value, wanted(f.Value.Type(), value))
		}
	}
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[whenceNote] = []string{whence}
	return nil
}

// truth writes the words of YAML for true and false as flags take them.
func truth(value string) string {
	switch strings.ToLower(value) {
	case "yes", "on":
		return "true"
	case "no", "off":
		return "false"
	}
	return value
}

// wanted says what a value of a type looks like.
func wanted(kind, value string) string {
	switch kind {
	case "bool":
		return "true or false"
	case "duration":
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return "a time; did you mean " + value + "s, or another unit: ms, m, h?"
		}
		return "a time (examples: 500ms, 7s, 24h)"
	case "int", "int64":
		return "a whole number"
	case "SIZE":
		return "a size (examples: 512M, 2G)"
	}
	return "a value of " + kind
}

// number is the value of a flag as a number, of bytes or of nanoseconds; false where it has none.
func number(f *pflag.Flag) (float64, bool) {
	switch f.Value.Type() {
	case "int", "int64":
		n, err := strconv.ParseInt(f.Value.String(), 10, 64)
		return float64(n), err == nil
	case "duration":
		d, err := time.ParseDuration(f.Value.String())
		return float64(d), err == nil
	case "SIZE":
		return bytesOf(f.Value.String())
	}
	return 0, false
}
