package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"runtime"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Host is the access to one host, as a file gives it. It holds secrets.
type Host struct {
	Headers     map[string]string `yaml:"headers"`
	Bearer      string            `yaml:"bearer"`
	ClientCert  string            `yaml:"client-cert"` // the name of a file, as ClientKey
	ClientKey   string            `yaml:"client-key"`
	Proxy       string            `yaml:"proxy"` // a URL, or "direct"
	Delay       time.Duration     `yaml:"delay"`
	Connections int               `yaml:"connections"`
}

// forbiddenHeaders are those that belong to the connection or to the request itself.
var forbiddenHeaders = []string{"Host", "Connection", "Content-Length", "Transfer-Encoding", "Proxy-Authorization", "Range", "If-Range",
	"If-None-Match", "If-Modified-Since", "Accept-Encoding"}

// ReadHosts reads a file of accesses by host. Only its owner may read it.
func ReadHosts(name string) (map[string]Host, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("%s has the mode %04o: a file of secrets is for its owner alone (chmod 600 %[1]s)", name, mode)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	hosts := map[string]Host{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&hosts); err != nil && !errors.Is(err, io.EOF) {
		// The error of the library may quote the value, which may be a secret.
		return nil, fmt.Errorf("%s: %s", name, withoutValues(err))
	}
	for host, h := range hosts {
		if err := h.check(); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, host, err)
		}
	}
	return hosts, nil
}

// withoutValues is where a file of secrets is wrong, without a word of it.
func withoutValues(err error) string {
	var types *yaml.TypeError
	if !errors.As(err, &types) {
		return "it isn't YAML"
	}
	var places []string
	for _, one := range types.Errors {
		place, _, _ := strings.Cut(one, ":")
		places = append(places, place)
	}
	return "an unknown key or a value of the wrong kind in " + strings.Join(places, ", ") +
		" (known: headers, bearer, client-cert, client-key, proxy, delay, connections)"
}

func (h *Host) check() error {
	switch {
	case (h.ClientCert == "") != (h.ClientKey == ""):
		return errors.New("client-cert and client-key go together")
	case h.Delay < 0 || h.Connections < 0:
		return errors.New("delay and connections are 0 or more")
	case strings.ContainsAny(h.Bearer, " \r\n\t"):
		return errors.New("the bearer token has a space or a line end in it")
	}
	for name, value := range h.Headers {
		if name == "" || strings.ContainsAny(name, " :\r\n\t") || strings.ContainsAny(value, "\r\n\x00") {
			return errors.New("a header has a name or a value that can't be sent")
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		for _, one := range forbiddenHeaders {
			if name == one {
				return fmt.Errorf("the header %s can't be set", name)
			}
		}
		if name == "Authorization" && h.Bearer != "" {
			return errors.New("the bearer token and the header Authorization contradict each other")
		}
	}
	return nil
}
