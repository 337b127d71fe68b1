package spec

import _ "embed"

// Schema is the JSON Schema (2020-12) of specs. A spec that the program takes is valid by it.
// What only a compiler can know, as the syntax of selectors, it does not check.
//
//go:embed spec.schema.json
var Schema []byte
