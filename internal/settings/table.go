// Package settings knows how the program is configured: the table of all settings, files and variables of the
// environment that give them values, and the checks that hold before anything starts.
//
// A setting is a flag that may also be given in a file or in the environment. A flag on the command line comes
// before the environment, and that comes before the file:
//
//	file, err := settings.Read("config.yaml")
//	err = settings.Fill(flags, "serve", file, os.LookupEnv)
//	settings.Whence(flags.Lookup("tries")) // "config.yaml:3"
package settings

import "slices"

// Group is the question that a setting answers.
type Group string

// The groups, in the order in which they are shown.
const (
	What   Group = "What is washed, and how"
	Polite Group = "How polite"
	Much   Group = "How much"
	Where  Group = "Where"
	Who    Group = "Who may"
)

// Groups are all groups in order.
func Groups() []Group { return []Group{What, Polite, Much, Where, Who} }

// Setting is a row of the table. Its type, default and explanation are those of the flag of its name.
type Setting struct {
	Name  string
	Group Group
	// Live says that a running daemon takes it on at SIGHUP.
	Live bool
	// Secret keeps its value out of the log.
	Secret bool
	// Least is the least number or time that makes sense; "": 0.
	Least string
	// Daemon keeps a value that files and the environment give outside a section to serve. Other verbs have a flag of
	// the name that means another thing.
	Daemon bool
}

// Table holds all settings.
var Table = []Setting{
	{Name: "seeds", Group: What, Daemon: true},
	{Name: "recipe", Group: What},
	{Name: "records-into", Group: What, Secret: true},
	{Name: "catalog", Group: What},
	{Name: "catalog-interval", Group: What},
	{Name: "follow", Group: What},
	{Name: "products", Group: What},
	{Name: "follow-depth", Group: What, Least: "1"},
	{Name: "until-idle", Group: What},
	{Name: "demo", Group: What},
	{Name: "interval", Group: What, Daemon: true},
	{Name: "interval-min", Group: What},
	{Name: "interval-max", Group: What},
	{Name: "keep-versions", Group: What, Daemon: true},
	{Name: "keep-versions-for", Group: What, Live: true, Daemon: true},
	{Name: "keep-dirty", Group: What, Live: true, Daemon: true},
	{Name: "keep-notices", Group: What, Live: true, Daemon: true},
	{Name: "keep-attempts", Group: What, Live: true, Daemon: true},
	{Name: "search-labels", Group: What},
	{Name: "search-property", Group: What},
	{Name: "genid", Group: What},
	{Name: "context", Group: What},
	{Name: "fetch-contexts", Group: What},
	{Name: "expand-context", Group: What},
	{Name: "json-ld-mode", Group: What},
	{Name: "rdf-direction", Group: What},
	{Name: "blank-nodes", Group: What},
	{Name: "literals", Group: What},
	{Name: "strict", Group: What},
	{Name: "fix-mojibake", Group: What},

	{Name: "contact", Group: Polite},
	{Name: "host-connections", Group: Polite, Least: "1", Live: true},
	{Name: "host-delay", Group: Polite, Live: true},
	{Name: "address-connections", Group: Polite},
	{Name: "bandwidth", Group: Polite, Live: true},
	{Name: "ignore-robots", Group: Polite},
	{Name: "table-metadata", Group: Polite},
	{Name: "robots-retry", Group: Polite, Least: "1ms"},
	{Name: "crawl-delay-max", Group: Polite, Least: "1ms"},
	{Name: "host-file", Group: Polite, Live: true},
	{Name: "tries", Group: Polite, Least: "1", Live: true},
	{Name: "retry-delay", Group: Polite, Least: "1ms", Live: true},

	{Name: "memory", Group: Much},
	{Name: "workers", Group: Much, Least: "1", Daemon: true},
	{Name: "workers-downloading", Group: Much, Least: "1"},
	{Name: "workers-unarchiving", Group: Much, Least: "1"},
	{Name: "workers-guessing", Group: Much, Least: "1"},
	{Name: "workers-parsing", Group: Much, Least: "1"},
	{Name: "connect-timeout", Group: Much, Least: "1ms"},
	{Name: "header-timeout", Group: Much, Least: "1ms"},
	{Name: "silence-timeout", Group: Much, Least: "1ms"},
	{Name: "least-speed", Group: Much},
	{Name: "max-download", Group: Much, Least: "1"},
	{Name: "max-bytes", Group: Much},
	{Name: "max-depth", Group: Much, Least: "1"},
	{Name: "max-entries", Group: Much, Least: "1"},
	{Name: "max-ratio", Group: Much, Least: "1"},
	{Name: "max-literal", Group: Much},
	{Name: "notices-max", Group: Much, Least: "1"},
	{Name: "catalog-pages", Group: Much, Least: "1"},
	{Name: "catalog-page", Group: Much, Least: "1"},
	{Name: "level", Group: Much, Least: "1"},
	{Name: "product-level", Group: Much, Least: "1"},
	{Name: "keep-free", Group: Much, Live: true},

	{Name: "data", Group: Where},
	{Name: "store", Group: Where},
	{Name: "blobs", Group: Where},
	{Name: "temp", Group: Where},
	{Name: "proxy", Group: Where, Live: true},
	{Name: "listen", Group: Where},
	{Name: "public-url", Group: Where},
	{Name: "role", Group: Where},
	{Name: "on", Group: Where, Live: true, Secret: true},
	{Name: "on-timeout", Group: Where, Live: true, Least: "1ms"},
	{Name: "log-file", Group: Where},
	{Name: "log-size", Group: Where},
	{Name: "log-keep", Group: Where},
	{Name: "log-format", Group: Where},
	{Name: "log-events", Group: Where},
	{Name: "quiet", Group: Where},
	{Name: "verbose", Group: Where},
	{Name: "json", Group: Where},

	{Name: "allow-private", Group: Who},
	{Name: "allow-file", Group: Who},
	{Name: "ca-file", Group: Who, Live: true},
	{Name: "insecure-host", Group: Who, Live: true},
	{Name: "tls-cert", Group: Who, Live: true},
	{Name: "tls-key", Group: Who, Live: true},
	{Name: "read-token", Group: Who},
	{Name: "request-rate", Group: Who},
	{Name: "client-streams", Group: Who},
	{Name: "pprof", Group: Who},
}

// Named is the setting of a name; nil if there is none.
func Named(name string) *Setting {
	if i := slices.IndexFunc(Table, func(s Setting) bool { return s.Name == name }); i >= 0 {
		return &Table[i]
	}
	return nil
}

// Names are those of all settings.
func Names() (names []string) {
	for _, s := range Table {
		names = append(names, s.Name)
	}
	return names
}

// verbs have settings; a section of a file holds those of one verb.
var verbs = []string{"serve", "wash", "check", "records", "text", "diff", "unique", "pages", "catalog harvest"}

// Verbs are the verbs that may have a section in a file.
func Verbs() []string { return slices.Clone(verbs) }
