package catalog

import (
	"net/url"
	"strings"
)

// bucket reads what S3 and its likes list of a bucket, page by page
// (ListObjects and ListObjectsV2).
func (r *reading) bucket() error {
	x := r.xml()
	var key, modified, etag, size, last string
	var truncated, marker, token string
	decoded := r.bucketKeys()
	return x.walk(
		func(name string, _ map[string]string) error {
			if name == "contents" {
				key, modified, etag, size = "", "", "", ""
			}
			return nil
		},
		func(name, text string) error {
			switch {
			case name == "encodingtype" && strings.EqualFold(text, "url"):
				decoded = decodedKey
			case name == "key" && x.parent() == "contents":
				key, last = decoded(text), decoded(text)
			case name == "lastmodified":
				modified = text
			case name == "etag":
				etag = text
			case name == "size":
				size = text
			case name == "istruncated":
				truncated = text
			case name == "nextmarker":
				marker = decoded(text)
			case name == "nextcontinuationtoken":
				token = text
			case name == "prefix" && x.parent() == "commonprefixes":
				r.lead(r.bucketPage("prefix", decoded(text), "marker", "continuation-token"), Bucket)
			case name == "contents":
				return r.bucketObject(key, modified, etag, size)
			case name == "listbucketresult":
				switch {
				case !strings.EqualFold(truncated, "true"):
				case token != "":
					r.next(r.bucketPage("continuation-token", token), Bucket)
				case marker != "" || last != "":
					r.next(r.bucketPage("marker", firstOf(marker, last)), Bucket)
				default:
					r.refuse("", Damaged, "there is more in the bucket, and it does not say where")
				}
			}
			return nil
		})
}

func (r *reading) bucketObject(key, modified, etag, size string) error {
	if key == "" {
		return r.refuse("", NoURI, "an object without a key")
	}
	if strings.HasSuffix(key, "/") {
		return r.refuse(key, OtherLink, "a folder")
	}
	base, err := url.Parse(r.doc.URI)
	if err != nil {
		return r.refuse(key, BadURI, err.Error())
	}
	// The key is after the bucket's own path, which ends where its query begins.
	object := url.URL{Scheme: base.Scheme, Host: base.Host, Path: strings.TrimSuffix(base.Path, "/") + "/" + key}
	// In the path of a URI S3 takes a plus for a space.
	uri := strings.ReplaceAll(object.String(), "+", "%2B")
	claims := Claims{}
	claims.setModified(modified)
	claims.setSize(size)
	claims.setChecksum("md5", etag) // that of an object in parts is none: it has a stroke in it
	return r.take(found{uri: uri, title: key, claims: claims, needsSign: true})
}

// bucketKeys says how keys are written: as they are, unless the page was asked for with
// encoding-type=url or says so itself.
func (r *reading) bucketKeys() (decoded func(string) string) {
	if u, err := url.Parse(r.doc.URI); err == nil && u.Query().Get("encoding-type") == "url" {
		return decodedKey
	}
	return func(key string) string { return key }
}

// decodedKey is a key that S3 has written for a URI, with a plus for a space.
func decodedKey(key string) string {
	if plain, err := url.QueryUnescape(key); err == nil {
		return plain
	}
	return key
}

// bucketPage is the current page with another value in its query, and without those named.
func (r *reading) bucketPage(name, value string, without ...string) string {
	u, err := url.Parse(r.doc.URI)
	if err != nil {
		return r.doc.URI
	}
	query := u.Query()
	for _, other := range without {
		query.Del(other)
	}
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}
