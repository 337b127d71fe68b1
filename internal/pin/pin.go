//go:build pin

package pin

import (
	_ "code.dny.dev/ssrf"
	_ "github.com/bodgit/sevenzip"
	_ "github.com/danielgtaylor/huma/v2"
	_ "github.com/danielgtaylor/huma/v2/adapters/humago"
	_ "github.com/docker/go-units"
	_ "github.com/klauspost/compress/gzip"
	_ "github.com/klauspost/compress/s2"
	_ "github.com/knakk/rdf"
	_ "github.com/mattn/go-isatty"
	_ "github.com/mholt/archives"
	_ "github.com/pierrec/lz4/v4"
	_ "github.com/piprate/json-gold/ld"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/rs/zerolog"
	_ "github.com/saintfish/chardet"
	_ "github.com/spf13/cobra"
	_ "github.com/temoto/robotstxt"
	_ "github.com/ulikunitz/xz"
	_ "github.com/vbauerster/mpb/v8"
	_ "go.etcd.io/bbolt"
	_ "golang.org/x/net/html"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/text/encoding/htmlindex"
	_ "golang.org/x/time/rate"
)
