package fetch

import (
	"fmt"
	"net/http"
	"strings"
)

// StatusText is a status of HTTP with its name, if it has one.
func StatusText(status int) string {
	return strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status)))
}
