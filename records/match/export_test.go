package match

// CheckJSONPath compiles a JSONPath as it is, blanks and all.
func CheckJSONPath(text string) (any, error) { return parseQuery(text) }
