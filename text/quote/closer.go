package quote

// closersOf says which marks may close what each mark opens.
func closersOf(language string) map[string][]string {
	return closers
}

var closers = map[string][]string{
	"``": {"''", `"`, "”"}, "`": {"'", "’"}, `"`: {`"`}, "'": {"'"},
	"“": {"”", "’"}, "‘": {"’"}, "„": {"“", "”", `"`}, "‚": {"‘", "’"}, "‟": {"”"}, "‛": {"’"},
	"”": {"”", "“"}, "’": {"’", "‘"},
	"«": {"»"}, "»": {"«", "»"}, "‹": {"›"}, "›": {"‹", "›"},
	"「": {"」"}, "『": {"』"}, "〝": {"〞", "〟"},
}
