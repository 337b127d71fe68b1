package clean

import (
	"strings"
	"sync"
)

//go:generate go run generate.go -package $URL_SANITIZER -date $URI_SCHEMES_DATE

// isRegistered says that IANA knows the scheme, which is in small letters: as
// permanent, provisional or historical (RFC 7595).
func isRegistered(scheme []byte) bool {
	return registered()[string(scheme)] || strings.HasPrefix(string(scheme), "ms-settings-")
}

var registered = sync.OnceValue(func() map[string]bool {
	names := strings.Fields(schemes)
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	return known
})
