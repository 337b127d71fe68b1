// Package shipped has the specs that come with the program, each with fixtures: pages, and the
// records that they give. They are examples to begin with.
package shipped

import "embed"

// Files has a folder for each spec: NAME/spec.yaml, maybe with parts in files of their own, and
// NAME/fixtures.
//
//go:embed bookmarks catalog events hcards
var Files embed.FS
