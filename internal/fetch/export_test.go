package fetch

import "crypto/x509"

// Trust makes a fetcher trust a server of a test.
func (f *Fetcher) Trust(c *x509.Certificate) {
	f.roots = x509.NewCertPool()
	f.roots.AddCert(c)
}
