package bucket

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/testkit/link"
)

// TestALostConnectionIsNotWaitedForForEver loses all connections without a word: what is put then is trouble of the
// store, and what is put later is there.
func TestALostConnectionIsNotWaitedForForEver(t *testing.T) {
	endpoint := server(t)
	way, err := link.To(strings.TrimPrefix(endpoint, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer way.Close()
	at := made(t, endpoint, "laundry")
	at.Endpoint = "http://" + way.Address()
	b := opened(t, at)
	was := mostSilent
	mostSilent = 50 * time.Millisecond
	defer func() { mostSilent = was }()
	text := bytes.Repeat([]byte("words\n"), 100_000)
	sum := md5.Sum(text)
	put := func() error {
		p, err := b.Create()
		if err != nil {
			t.Fatal(err)
		}
		defer p.Abort()
		p.Write(text)
		if err := p.Seal(hex.EncodeToString(sum[:]), files.Dirty); err != nil {
			t.Fatal(err)
		}
		return b.Commit(t.Context(), p)
	}
	way.Set(link.Lost)
	if err := put(); fault.KindOf(err) != fault.Local {
		t.Errorf("put on a lost connection: %v", err)
	}
	if _, err := b.Size(hex.EncodeToString(sum[:]), files.Dirty); fault.KindOf(err) != fault.Local {
		t.Errorf("asked on a lost connection: %v", err)
	}
	way.Set(link.Whole)
	mostSilent = was // the server may be slow
	if err := put(); err != nil {
		t.Errorf("put afterwards: %v", err)
	}
}
