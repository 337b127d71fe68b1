// Package fileurl makes URLs of files on this machine (RFC 8089).
package fileurl

import (
	"net/url"
	"path/filepath"
	"strings"
)

// Of is the URL of a file by its absolute path, without a host. The caller may add a query.
func Of(absolute string) *url.URL {
	path := filepath.ToSlash(absolute)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows (RFC 8089, appendix E.2)
	}
	return &url.URL{Scheme: "file", Path: path}
}
