package bucket

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"laundromat/internal/pattern"
)

// Address is where a store of files lies: s3://BUCKET/PREFIX?endpoint=URL&region=NAME.
type Address struct {
	Bucket string
	// Prefix is what the name of each object begins with; it ends with a slash, or is empty.
	Prefix string
	// Endpoint is the server's URL, http: or https:, without a path; by default that of Amazon S3.
	Endpoint string
	// Region is the server's, by default us-east-1; servers other than Amazon's rarely ask for it.
	Region string
}

const (
	amazon        = "https://s3.amazonaws.com"
	defaultRegion = "us-east-1"
)

// bucketName is what Amazon's rules for bucket names allow.
var bucketName = pattern.New(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// ParseAddress reads an address as a person writes it. Keys have no place in it.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Address{}, fmt.Errorf("%q isn't a URL: write s3://BUCKET/PREFIX?endpoint=https://HOST", text)
	case u.Scheme != "s3":
		return Address{}, fmt.Errorf("%q does not begin with s3: write s3://BUCKET/PREFIX?endpoint=https://HOST", u.Redacted())
	case u.User != nil:
		return Address{}, fmt.Errorf("keys have no place in the address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile " +
			"in ~/.aws/credentials")
	case !bucketName.MatchString(u.Host):
		return Address{}, fmt.Errorf("%q isn't a name of a bucket", u.Host)
	case u.Fragment != "":
		return Address{}, fmt.Errorf("an address has no fragment: %q", u.Fragment)
	}
	a := Address{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/"), Endpoint: amazon, Region: defaultRegion}
	if a.Prefix != "" {
		a.Prefix += "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Address{}, fmt.Errorf("the part after the question mark isn't a list of names and values: %w", err)
	}
	for name, values := range query {
		switch name {
		case "endpoint":
			a.Endpoint = strings.TrimSuffix(values[0], "/")
		case "region":
			a.Region = values[0]
		default:
			return Address{}, fmt.Errorf("an address has no %q: it has endpoint and region", name)
		}
	}
	end, err := url.Parse(a.Endpoint)
	if err != nil || end.Host == "" || end.Path != "" || end.Scheme != "http" && end.Scheme != "https" || end.User != nil {
		return Address{}, fmt.Errorf("endpoint=%q is not of the form https://HOST or http://HOST:PORT", a.Endpoint)
	}
	return a, nil
}

// String is the address in one form for all spellings of it, without what is there by default.
func (a Address) String() string {
	u := url.URL{Scheme: "s3", Host: a.Bucket, Path: "/" + strings.TrimSuffix(a.Prefix, "/")}
	query := url.Values{}
	if a.Endpoint != amazon {
		query.Set("endpoint", a.Endpoint)
	}
	if a.Region != defaultRegion {
		query.Set("region", a.Region)
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// tries is how often a request is made before its trouble is told.
const tries = 4

// client makes a client of the server. Its keys come from the environment, from the usual file, or
// from the machine's role where the server is Amazon's.
func (a Address) client(watched *watched) (*minio.Core, error) {
	end, err := url.Parse(a.Endpoint)
	if err != nil {
		return nil, err
	}
	from := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if a.Endpoint == amazon {
		from = append(from, &credentials.IAM{})
	}
	transport, err := minio.DefaultTransport(end.Scheme == "https")
	if err != nil {
		return nil, err
	}
	transport.DialContext, transport.ResponseHeaderTimeout = dial, mostSilent
	return minio.NewCore(end.Host, &minio.Options{
		Creds: credentials.NewChainCredentials(from), Secure: end.Scheme == "https", Region: a.Region, MaxRetries: tries,
		Transport: &watchedTransport{transport, watched},
	})
}
