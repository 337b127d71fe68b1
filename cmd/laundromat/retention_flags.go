package main

import (
	"github.com/spf13/pflag"

	"laundromat/storage"
	"laundromat/web"
)

// addKept adds the flags that say what is kept of what is not needed to serve the last good washes.
func addKept(flags *pflag.FlagSet, kept *web.KeepRequest) {
	flags.StringVar(&kept.Dirty, "keep-dirty", "all", "which bytes are kept as they came: all, failed (those of documents that failed), "+
		"none, an age (30d) or a size (200G: the last that came); those of a last good wash that is not the last always stay")
	flags.StringVar(&kept.Notices, "keep-notices", "all", "how long the full list of notices of a document is kept (30d); the counts stay")
	flags.StringVar(&kept.Attempts, "keep-attempts", "all", "how long attempts stay in the log (90d); the last of each seed does in any case")
	flags.StringVar(&kept.Versions, "keep-versions-for", "all", "how long files of older versions are kept after their bytes were last seen "+
		"(1y), of those that --keep-versions keeps")
}

// checkKept checks these flags.
func checkKept(kept web.KeepRequest) error {
	if _, err := storage.RetentionOf(kept); err != nil {
		return usage("%w", err)
	}
	return nil
}
