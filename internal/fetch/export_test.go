package fetch

import "crypto/x509"

// Trust makes a fetcher trust a server of a test.
func (f *Fetcher) Trust(c *x509.Certificate) {
	f.roots = x509.NewCertPool()
	f.roots.AddCert(c)
}

// MayRefresh is what is seen of a page at a glance, and RefreshOf is what its tags say.
func MayRefresh(head []byte) bool { return mayRefresh(head) }

func RefreshOf(head []byte) string { return readPageHead(head).refresh }
