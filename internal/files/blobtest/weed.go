package blobtest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/testkit/freeport"
)

// identity is who may use the store, as SeaweedFS reads it from a file.
const identity = `{"identities": [{
	"name": "laundromat",
	"credentials": [{"accessKey": %q, "secretKey": %q}],
	"actions": ["Admin", "Read", "Write", "List", "Tagging"]
}]}
`

// weed is SeaweedFS: its four servers in one process.
func weed(program, dir string) (*Gateway, error) {
	data, config := filepath.Join(dir, "weed"), filepath.Join(dir, "s3.json")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, identity, AccessKey, SecretKey), 0o600); err != nil {
		return nil, err
	}
	serve := []string{program, "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir=" + data, "-s3", "-s3.config=" + config,
		"-volume.max=200"}
	addresses := map[string]string{}
	for _, part := range []string{"master", "volume", "filer", "s3"} {
		addresses[part] = freeport.Address()
		serve = append(serve, "-"+part+".port="+portOf(addresses[part]), "-"+part+".port.grpc="+portOf(freeport.Address()))
	}
	filer := "http://" + addresses["filer"]
	return &Gateway{
		Endpoint: "http://" + addresses["s3"], serve: serve,
		// A folder of the filer beneath /buckets is a bucket.
		Make: func(name string) error { return sent(http.MethodPost, filer+"/buckets/"+name+"/", "") },
		// The store listens before it has a volume to write to.
		ready: func() error {
			c, err := net.Dial("tcp", addresses["s3"])
			if err != nil {
				return err
			}
			c.Close()
			return sent(http.MethodPut, filer+"/ready", "yes")
		},
	}, nil
}

func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// sent sends a request, and says if it was refused.
func sent(method, url, body string) error {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(reply.Body, 1000))
		return fmt.Errorf("%s %s: %s: %s", method, url, reply.Status, text)
	}
	return nil
}
