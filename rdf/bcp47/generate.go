//go:build ignore

// Generate writes registry.txt from the IANA language subtag registry, as the npm
// package language-subtag-registry (CC0) has it in JSON:
//
//	npm pack language-subtag-registry && tar xzf language-subtag-registry-*.tgz
//	LANGUAGE_SUBTAG_REGISTRY=$PWD/package go generate ./rdf/bcp47
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

type record struct {
	Type, Subtag, Tag, Deprecated string
	Preferred                     *string `json:"Preferred-Value"`
	Suppress                      string  `json:"Suppress-Script"`
	Prefix, Description           []string
}

// bibliographic are the codes of ISO 639-2/B that differ from the terminological ones.
const bibliographic = "alb:sq arm:hy baq:eu bur:my chi:zh cze:cs dut:nl fre:fr geo:ka ger:de gre:el ice:is mac:mk mao:mi may:ms per:fa " +
	"rum:ro slo:sk tib:bo wel:cy"

func main() {
	from := flag.String("package", "", "the unpacked `folder` of language-subtag-registry")
	flag.Parse()
	var meta struct {
		Date string `json:"File-Date"`
	}
	var records []record
	read(*from, "meta.json", &meta)
	read(*from, "registry.json", &records)

	lists := map[string][]string{}       // by width: subtags
	deprecated := map[string]string{}    // subtag of a type, or a tag → what takes its place
	prefixes := map[string]string{}      // extlang, variant → where it may be
	suppressed := map[string]string{}    // language → script that need not be said
	names := map[string]string{}         // English name, ISO 639-2 code → language
	grandfathered := map[string]string{} // tag → what takes its place; itself if it is not deprecated
	for _, r := range records {
		subtag, instead := strings.ToLower(r.Subtag), ""
		if r.Preferred != nil {
			instead = strings.ToLower(*r.Preferred)
		}
		if strings.Contains(subtag, "..") { // private use; see the code
			continue
		}
		switch r.Type {
		case "grandfathered":
			if r.Deprecated == "" {
				instead = strings.ToLower(r.Tag)
			}
			grandfathered[strings.ToLower(r.Tag)] = instead
			continue
		case "redundant":
			if r.Deprecated != "" {
				deprecated[strings.ToLower(r.Tag)] = instead
			}
			continue
		case "variant":
			lists["variants"] = append(lists["variants"], subtag)
		default:
			name := fmt.Sprintf("%ss%d", r.Type, len(subtag))
			lists[name] = append(lists[name], subtag)
		}
		if r.Deprecated != "" {
			if instead == subtag { // an extlang, which is deprecated as a language too
				instead = ""
			}
			deprecated[r.Type+" "+subtag] = instead
		}
		if len(r.Prefix) > 0 {
			prefixes[r.Type+" "+subtag] = strings.ToLower(strings.Join(r.Prefix, " "))
		}
		if r.Suppress != "" {
			suppressed[subtag] = strings.ToLower(r.Suppress)
		}
		if r.Type == "language" && len(subtag) == 2 && r.Deprecated == "" {
			for _, name := range r.Description {
				name = strings.ToLower(name)
				if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
					names[name] = subtag
				}
			}
			if base, err := language.ParseBase(subtag); err == nil {
				names[strings.ToLower(base.ISO3())] = subtag
			}
		}
	}
	for _, pair := range strings.Fields(bibliographic) {
		names[pair[:3]] = pair[4:]
	}

	var out bytes.Buffer
	fmt.Fprintf(&out, "# Written by generate.go from the IANA language subtag registry; do not edit.\nFile-Date: %s\n", meta.Date)
	for _, name := range sorted(lists) {
		if name != "variants" {
			writeList(&out, name, lists[name])
		}
	}
	slices.Sort(lists["variants"])
	fmt.Fprintf(&out, "\n[variants]\n%s\n", strings.Join(lists["variants"], "\n"))
	for _, m := range []struct {
		name  string
		pairs map[string]string
	}{
		{"deprecated", deprecated}, {"grandfathered", grandfathered}, {"prefixes", prefixes},
		{"suppressed", suppressed}, {"names", names},
	} {
		fmt.Fprintf(&out, "\n[%s]\n", m.name)
		for _, key := range sorted(m.pairs) {
			fmt.Fprintln(&out, strings.TrimSuffix(key+"\t"+m.pairs[key], "\t"))
		}
	}
	if err := os.WriteFile("registry.txt", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// writeList writes the subtags of one length, in lines of at most 100 columns.
func writeList(out *bytes.Buffer, name string, subtags []string) {
	slices.Sort(subtags)
	fmt.Fprintf(out, "\n[%s]\n", name)
	line := ""
	for _, subtag := range subtags {
		if len(line)+len(subtag)+1 > 100 {
			fmt.Fprintln(out, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += subtag
	}
	fmt.Fprintln(out, line)
}

func read(folder, name string, into any) {
	raw, err := os.ReadFile(filepath.Join(folder, "data", "json", name))
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func sorted[T any](m map[string]T) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
