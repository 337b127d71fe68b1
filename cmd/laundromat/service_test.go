package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/demo"
	"laundromat/web"
)

// certificate writes one for 127.0.0.1 and its key, and returns their names and who trusts it.
func certificate(t *testing.T) (cert, key string, trust *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	trust = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trust.AddCert(parsed)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, trust
}

// TestAServiceOverTLSTakesWritesByToken adds a seed over TLS, and watches it become clean.
func TestAServiceOverTLSTakesWritesByToken(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	secret := strings.TrimSpace(output(t, "token", "add", "alice", "--init", "--data", data))
	cert, key, trust := certificate(t)
	base := "https://" + startDaemon(t, data, "--demo", "--tls-cert", cert, "--tls-key", key, "--read-token")
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trust}}}
	defer client.CloseIdleConnections()
	ask := func(method, path, body, token string) *http.Response {
		t.Helper()
		request, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		reply, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { reply.Body.Close() })
		return reply
	}
	const body = `{"seeds":[{"uri":"http://` + demo.Host + `/clean.nt?again"}]}`
	if reply := ask("GET", "/api/v1/stats", "", ""); reply.StatusCode != 401 {
		t.Errorf("reading without a token: %s", reply.Status)
	}
	events := ask("GET", "/api/v1/events?after=0", "", secret)
	if reply := ask("POST", "/api/v1/seeds", body, secret); reply.StatusCode != 200 {
		text, _ := io.ReadAll(reply.Body)
		t.Fatalf("%s %s", reply.Status, text)
	}
	if reply := ask("POST", "/api/v1/seeds", body, secret+"x"); reply.StatusCode != 401 {
		t.Errorf("writing with a foreign token: %s", reply.Status)
	}
	output(t, "token", "revoke", "alice", "--data", data)
	if reply := ask("POST", "/api/v1/seeds", body, secret); reply.StatusCode != 401 {
		t.Errorf("writing with a revoked token: %s", reply.Status)
	}
	lines := json.NewDecoder(onlyData(events.Body))
	for {
		var changes web.Changes
		if err := lines.Decode(&changes); err != nil {
			t.Fatal(err)
		}
		for _, c := range changes.Changes {
			if strings.HasSuffix(c.URI, "?again") && (c.To == "parsed" || c.To == "failed") {
				return
			}
		}
	}
}

// onlyData are the data of a stream of events.
func onlyData(stream io.Reader) io.Reader {
	out, in := io.Pipe()
	go func() {
		in.CloseWithError(eachLine(stream, func(line string) error {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				_, err := io.WriteString(in, data+"\n")
				return err
			}
			return nil
		}))
	}()
	return out
}

func eachLine(stream io.Reader, do func(string) error) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if err := do(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}
