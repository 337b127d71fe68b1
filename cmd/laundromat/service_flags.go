package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"

	"laundromat/internal/logfile"
	"laundromat/states/recordtables"
	"laundromat/storage"
	"laundromat/storage/backup"
	"laundromat/web"
	"laundromat/web/metrics"
	"laundromat/web/token"
)

// serviceFlags say how the API is served over TCP.
type serviceFlags struct {
	listen          string
	listenGiven     bool // by a flag
	tlsCert, tlsKey string
	readToken       bool
	publicURL       string
	requestRate     int
	clientStreams   int
	meter           *metrics.Metrics                // of the process
	certificate     atomic.Pointer[tls.Certificate] // in force
}

func (s *serviceFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.tlsCert, "tls-cert", "", "serve the API over TLS, with the certificates of this FILE (PEM); with --tls-key")
	flags.StringVar(&s.tlsKey, "tls-key", "", "the private key of --tls-cert (PEM)")
	flags.BoolVar(&s.readToken, "read-token", false, "reading the API over TCP needs a token too (\"laundromat token add\")")
	flags.StringVar(&s.publicURL, "public-url", "", "address under which others reach the service, such as https://example.org/laundromat/: "+
		"all links lead there (default: that of each request)")
	flags.IntVar(&s.requestRate, "request-rate", 100, "requests per second of one client that is not on this machine; 0: no bound")
	flags.IntVar(&s.clientStreams, "client-streams", 20, "streams of events, and lists as JSON lines, that one such client may have "+
		"open; 0: no bound")
}

// config is that of TLS; nil without.
func (s *serviceFlags) config() (*tls.Config, error) {
	if (s.tlsCert == "") != (s.tlsKey == "") {
		return nil, usage("--tls-cert and --tls-key go together: one is the certificate, the other its private key")
	}
	if s.tlsCert == "" {
		return nil, nil
	}
	if err := s.loadCertificate(); err != nil {
		return nil, err
	}
	return &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.certificate.Load(), nil },
		MinVersion:     tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	}, nil
}

// site is where others reach the service.
func (s *serviceFlags) site() (web.Site, error) {
	if s.publicURL == "" {
		return web.Site{}, nil
	}
	site, err := web.ParseSite(s.publicURL)
	if err != nil {
		return site, usage("--public-url %s: %w", s.publicURL, err)
	}
	return site, nil
}

// loadCertificate reads the files of the certificate, also again after they were renewed.
func (s *serviceFlags) loadCertificate() error {
	if s.tlsCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(s.tlsCert, s.tlsKey)
	if err != nil {
		return fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	s.certificate.Store(&pair)
	return nil
}

// scheme is that of the API's address.
func (s *serviceFlags) scheme() string {
	if s.tlsCert != "" {
		return "https"
	}
	return "http"
}

// public are the options of the API as others reach it.
func (s *serviceFlags) public(folder *storage.Folder, dir string, log zerolog.Logger) web.Options {
	options := apiOf(folder, false)
	options.Limits = web.Limits{Rate: s.requestRate, Burst: 2 * s.requestRate, Streams: s.clientStreams}
	options.Authority = web.Authority{
		Tokens: token.Open(filepath.Join(dir, tokensFile)), ReadToken: s.readToken, Sessions: web.NewSessions(),
		Wrote: func(name string, r *http.Request, status int) {
			log.Info().Str("token", name).Str("way", string(web.WhoIn(r.Context()).Way)).Str("method", r.Method).Str("path",
				r.URL.Path).Int("status", status).
				Str("from", r.RemoteAddr).Msg("a request that writes")
		},
	}
	return options
}

// warnOf says what is unsafe about an address that others reach; nothing of one of this machine.
func warnOf(log *logfile.Log, address net.Addr, s *serviceFlags) {
	at, ok := address.(*net.TCPAddr)
	if !ok || at.IP.IsLoopback() {
		return
	}
	if !s.readToken {
		log.Warn().Msgf("whoever reaches %s may read the API and the dirty bytes, which others wrote: --listen 127.0.0.1:PORT keeps them "+
			"to this machine, --read-token to who has a token", address)
	}
	if s.tlsCert == "" {
		log.Warn().Msgf("what is sent to %s, tokens too, can be read on the way: --tls-cert and --tls-key encrypt it", address)
	}
}

// metricsOf are those of a daemon that has views.
func metricsOf(folder *storage.Folder, dir string) *metrics.Metrics {
	var into func(context.Context) recordtables.IntoStatus
	if folder.Tables != nil {
		into = folder.Tables.Status
	}
	return metrics.New(metrics.Daemon{
		RecordsInto: into,
		Disk:        folder.Files.Left, Catalogs: folder.Seeds.Catalogs, Elsewhere: folder.IsToldElsewhere,
		Saved: func() time.Time { return backup.Last(dir) },
		Unstored: func() int64 {
			if runner := folder.Runner.Load(); runner != nil {
				return runner.Progress().Unstored
			}
			return 0
		},
		Seeds: folder.Seeds, Version: version().String(), Formats: listedFormats, AsOf: folder.Views.AsOf,
		Paused: func() (parts []string) {
			all, _ := folder.Pauses()
			for _, p := range all {
				parts = append(parts, p.Part)
			}
			return parts
		},
	})
}

// lives says that the seed list answers: a daemon that hangs is to be started again.
func lives(ctx context.Context, folder *storage.Folder) bool {
	_, err := folder.Seeds.Counts(ctx)
	return err == nil
}
