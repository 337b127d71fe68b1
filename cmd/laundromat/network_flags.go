package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/net/http/httpproxy"

	"laundromat/internal/fetch"
	"laundromat/internal/settings"
	"laundromat/storage"
)

// networkFlags say by which way hosts are reached.
type networkFlags struct {
	proxy     string
	caFile    string
	insecure  []string
	hostFiles []string
	flags     *pflag.FlagSet // all of the verb
}

func (n *networkFlags) add(flags *pflag.FlagSet) {
	n.flags = flags
	flags.StringVar(&n.proxy, "proxy", "", "URL of the proxy for HTTP and HTTPS, but for hosts in $NO_PROXY; direct: none (default $HTTP_PROXY "+
		"and $HTTPS_PROXY)")
	flags.StringVar(&n.caFile, "ca-file", "", "FILE of certificates (PEM) of further authorities, besides those of the system")
	flags.StringArrayVar(&n.insecure, "insecure-host", nil, "do not check the certificate of this host")
	flags.StringArrayVar(&n.hostFiles, "host-file", nil, "FILE of mode 0600 with headers, tokens, client certificates, pace and proxies by host "+
		"(beside hosts.yaml in the data folder)")
}

// network is the way to hosts that the flags, the environment and files describe; nil: nothing of it is set.
func (n *networkFlags) network() (*fetch.Network, error) {
	dir := "laundromat-data"
	if data := n.flags.Lookup("data"); data != nil && data.Value.String() != "" {
		dir = data.Value.String()
	}
	made := &fetch.Network{Insecure: n.insecure, Hosts: map[string]*fetch.Access{}}
	proxy, err := n.proxyFunc()
	if err != nil {
		return nil, err
	}
	made.Proxy = proxy
	if n.caFile != "" {
		if made.Roots, err = authorities(n.caFile); err != nil {
			return nil, usage("--ca-file: %w", err)
		}
	}
	names := slices.Clone(n.hostFiles)
	if own := filepath.Join(dir, storage.HostsFile); !slices.Contains(names, own) {
		if _, err := os.Stat(own); !errors.Is(err, fs.ErrNotExist) {
			names = append([]string{own}, names...)
		}
	}
	for _, name := range names {
		if err := addHosts(made.Hosts, name); err != nil {
			return nil, usage("--host-file: %w", err)
		}
	}
	if made.Proxy == nil && made.Roots == nil && len(made.Insecure)+len(made.Hosts) == 0 {
		return nil, nil
	}
	return made, nil
}

// proxyFunc says which proxy a URL has; nil: none has one.
func (n *networkFlags) proxyFunc() (func(*url.URL) (*url.URL, error), error) {
	config := httpproxy.FromEnvironment()
	switch n.proxy {
	case "direct":
		return nil, nil
	case "":
	default:
		if _, err := proxyURL(n.proxy); err != nil {
			return nil, usage("--proxy: %w", err)
		}
		config.HTTPProxy, config.HTTPSProxy = n.proxy, n.proxy
	}
	if config.HTTPProxy == "" && config.HTTPSProxy == "" {
		return nil, nil
	}
	return config.ProxyFunc(), nil
}

// proxyURL reads the URL of a proxy; the error does not show its password.
func proxyURL(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, errors.New("not the URL of a proxy (example: http://proxy.example:3128; schemes: http, https, socks5, socks5h)")
	}
	return u, nil
}

// authorities are those of the system and of a file.
func authorities(name string) (*x509.CertPool, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", name)
	}
	return roots, nil
}

// addHosts adds the accesses in a file. What an earlier file says of a host holds no more.
func addHosts(into map[string]*fetch.Access, name string) error {
	hosts, err := settings.ReadHosts(name)
	if err != nil {
		return err
	}
	for host, h := range hosts {
		access := &fetch.Access{Header: http.Header{}, Delay: h.Delay, Connections: h.Connections, Direct: h.Proxy == "direct"}
		for header, value := range h.Headers {
			access.Header.Set(header, value)
		}
		if h.Bearer != "" {
			access.Header.Set("Authorization", "Bearer "+h.Bearer)
		}
		if h.Proxy != "" && !access.Direct {
			if access.Proxy, err = proxyURL(h.Proxy); err != nil {
				return fmt.Errorf("%s: %s: proxy: %w", name, host, err)
			}
		}
		if h.ClientCert != "" {
			at := func(file string) string {
				if filepath.IsAbs(file) {
					return file
				}
				return filepath.Join(filepath.Dir(name), file)
			}
			pair, err := tls.LoadX509KeyPair(at(h.ClientCert), at(h.ClientKey))
			if err != nil {
				return fmt.Errorf("%s: %s: client-cert: %w", name, host, err)
			}
			access.Certificate = &pair
		}
		into[strings.TrimSuffix(strings.ToLower(host), "/")] = access
	}
	return nil
}
