package main

import (
	"strings"

	"github.com/spf13/pflag"

	"laundromat/archive"
	"laundromat/internal/rfc3986"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/states"
)

// settingsFlags are the flags of how documents are washed, which wash, check and serve share.
type settingsFlags struct {
	genid       string
	contexts    []string
	jsonLD      jsonLDFlags
	blankNodes  string
	literals    string
	strict      bool
	fixMojibake bool
	maxLiteral  int64
	limits      archive.Limits
}

func (f *settingsFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.genid, "genid", clean.Genid, "what the IRIs of blank nodes begin with")
	flags.StringArrayVar(&f.contexts, "context", nil, "IRI=FILE: a JSON-LD context; an IRI that ends in / maps to a folder")
	f.jsonLD.add(flags)
	flags.StringVar(&f.blankNodes, "blank-nodes", "skolem", "skolem: write IRIs; keep: keep labels")
	flags.StringVar(&f.literals, "literals", "canonical", "canonical: write canonical forms; keep: leave literals as they are")
	flags.BoolVar(&f.fixMojibake, "fix-mojibake", false, "read back text that is UTF-8 and was read in a wrong encoding, where that "+
		"is likely")
	flags.BoolVar(&f.strict, "strict", false, "drop what would be repaired, and literals that RDF does not know")
	flags.Var(sizeValue{&f.maxLiteral}, "max-literal", "longest literal, term or line that is read, at most a quarter of --memory "+
		"(default a twelfth)")
	addLimits(flags, &f.limits)
}

// settings checks the flags and makes the settings of them; memory is that of the process, in bytes.
// A loader is asked for contexts that are not at hand; nil: no one is.
func (f *settingsFlags) settings(memory int64, loader format.ContextLoader) (s states.Settings, err error) {
	if err := oneOf("blank-nodes", f.blankNodes, "skolem", "keep"); err != nil {
		return s, err
	}
	if err := oneOf("literals", f.literals, "canonical", "keep"); err != nil {
		return s, err
	}
	if memory < minMemory {
		return s, usage("--memory is %v or more, not %v", sizeValue{ptr(int64(minMemory))}, sizeValue{&memory})
	}
	if l := f.limits; l.Depth < 1 || l.Entries < 1 || l.Ratio < 1 {
		return s, usage("--max-depth, --max-entries and --max-ratio are 1 or more")
	}
	if !rfc3986.IsAbsolute([]byte(f.genid)) {
		return s, usage("--genid: %q isn't an absolute IRI", f.genid)
	}
	longest := states.LongestTerm(memory)
	if f.maxLiteral > 0 {
		longest = int(f.maxLiteral)
	}
	if int64(longest) > memory/4 {
		return s, usage("--max-literal is at most a quarter of --memory, which is %v, and not %v", sizeValue{&memory},
			sizeValue{&f.maxLiteral})
	}
	limits := f.limits
	limits.Memory = windowMemory(memory)
	contexts, err := contextFiles(f.contexts)
	if err != nil {
		return s, err
	}
	processing, err := f.jsonLD.processing(contexts, loader)
	return states.Settings{
		Settings: format.Settings{Contexts: contexts, ContextLoader: loader, JSONLD: processing, MaxMemory: memory * 3 / 4,
			MaxToken: longest},
		Clean: clean.Options{
			Genid:          strings.TrimSuffix(f.genid, "/"),
			KeepBlankNodes: f.blankNodes == "keep",
			KeepLiterals:   f.literals == "keep",
			Strict:         f.strict,
			FixMojibake:    f.fixMojibake,
		},
		Limits: limits,
	}, err
}

// checkLevel checks a flag that is a level of compression.
func checkLevel(flag string, level int) error {
	if level < 1 || level > 9 {
		return usage("--%s is 1 to 9, not %d", flag, level)
	}
	return nil
}
