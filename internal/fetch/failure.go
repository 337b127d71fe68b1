package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"laundromat/internal/fault"
)

// progress is how far a request came; it is written by the transport's goroutines.
type progress struct{ handshaking, connected, replied atomic.Bool }

// judge gives an error of the transport its kind and code.
func (a *answer) judge(err error) error {
	if stopped := a.ctx.Err(); stopped != nil {
		return fmt.Errorf("fetch: %w", stopped)
	}
	if context.Cause(a.inner) == errHostLost {
		return lostError(a.host)
	}
	if fault.CodeOf(err) == fault.TransportHostResting {
		return err // of its address
	}
	kind, code := a.classify(err)
	if !errors.As(err, new(*proxyError)) && isPerhapsOurs(code, a.host) {
		if why := a.offline.why(a.ctx); why != nil && a.ctx.Err() == nil {
			return fault.New("fetch.Get", fault.Local, fault.LocalNetwork, "%w (%w)", why, err)
		}
	}
	if code == fault.TransportForbiddenAddress {
		err = fmt.Errorf("the address is not public: %w", err)
	}
	switch cause := context.Cause(a.inner); cause {
	case errSilence, errSlow, errSlowHeaders:
		err = cause
	}
	return &fault.Error{Op: "fetch.Get", Kind: kind, Code: code, Err: err}
}

func (a *answer) classify(err error) (fault.Kind, fault.Code) {
	var dns *net.DNSError
	var timeout net.Error
	var proxy *proxyError
	switch cause := context.Cause(a.inner); {
	case cause == errSilence:
		return fault.Remote, fault.TransportSilence
	case cause == errSlow:
		return fault.Remote, fault.TransportTooSlow
	case cause == errSlowHeaders:
		return fault.Remote, a.late()
	case errors.As(err, &proxy):
		return proxy.judged()
	case isForbidden(err):
		return fault.Refused, fault.TransportForbiddenAddress
	case errors.As(err, &dns) && dns.IsNotFound:
		return fault.Refused, fault.TransportNoSuchHost
	case errors.As(err, &dns):
		return fault.Remote, fault.TransportDNS
	case isOurs(err):
		return fault.Local, fault.LocalDisk
	case errors.As(err, &timeout) && timeout.Timeout():
		return fault.Remote, a.late()
	case isCertificate(err):
		return fault.Refused, fault.TransportCertificate
	case errors.Is(err, syscall.ECONNREFUSED):
		return fault.Remote, fault.TransportConnectionRefused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return fault.Remote, fault.TransportUnreachable
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		strings.HasSuffix(err.Error(), closedIdle):
		return fault.Remote, fault.TransportConnectionReset
	case errors.Is(err, http.ErrSchemeMismatch), a.handshaking.Load() && !a.connected.Load():
		return fault.Refused, fault.TransportTLS
	case a.replied.Load():
		return fault.Remote, fault.HTTPMalformed
	}
	return fault.Remote, fault.TransportFailed
}

// closedIdle ends the text of the error of net/http for a connection that was closed before a byte
// of the reply. It is not exported, and sometimes the error is io.EOF instead.
const closedIdle = "server closed idle connection"

// late is the code of a time-out before the headers had come.
func (a *answer) late() fault.Code {
	if a.connected.Load() {
		return fault.TransportHeaderTimeout
	}
	return fault.TransportConnectTimeout
}

func isForbidden(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}

// isOurs says whether this machine has run out of something.
func isOurs(err error) bool {
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS, syscall.EADDRNOTAVAIL} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

func isCertificate(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid)
}

// statusError makes the error of a reply that is neither the document nor a redirect.
func statusError(reply *http.Response) error {
	e := fault.New("fetch.Get", fault.Refused, fault.HTTPStatus, "%s", statusText(reply))
	switch code := reply.StatusCode; {
	case code < 300, code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		e.Kind = fault.Remote
	}
	e.After = askedRest(reply, time.Now())
	return e
}

// statusText is the code and what it means; a server's own words only for codes that have no meaning.
func statusText(reply *http.Response) string {
	text := http.StatusText(reply.StatusCode)
	if text == "" {
		text = strings.TrimSpace(strings.TrimPrefix(reply.Status, strconv.Itoa(reply.StatusCode)))
		text = fault.Excerpt([]byte(text))
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", reply.StatusCode, text))
}
