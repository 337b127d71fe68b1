package demo

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"time"

	"github.com/klauspost/compress/gzip"
)

// packed is the time of every entry, so that the archives are the same in every run.
var packed = time.Date(1998, time.June, 1, 12, 0, 0, 0, time.UTC)

// nestedArchive is a tar.gz that holds a readme, a document, and a zip of two more.
func nestedArchive() []byte {
	var buffer bytes.Buffer
	compressor := gzip.NewWriter(&buffer)
	archive := tar.NewWriter(compressor)
	for _, entry := range []struct {
		name string
		body []byte
	}{
		{"survey/readme.txt", nestedFile("readme.txt")},
		{"survey/index.nq", nestedFile("index.nq")},
		{"survey/seasons.zip", seasonsZip()},
	} {
		must(archive.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: entry.name, Size: int64(len(entry.body)), Mode: 0o644, ModTime: packed,
		}))
		_, err := archive.Write(entry.body)
		must(err)
	}
	must(archive.Close())
	must(compressor.Close())
	return buffer.Bytes()
}

func seasonsZip() []byte {
	var buffer bytes.Buffer
	archive := zip.NewWriter(&buffer)
	for _, name := range []string{"spring.ttl", "autumn.nt"} {
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packed})
		must(err)
		_, err = entry.Write(nestedFile(name))
		must(err)
	}
	must(archive.Close())
	return buffer.Bytes()
}

// cutGzip is a gzip file of 2,000 statements of which only the first three
// quarters arrived.
func cutGzip() []byte {
	var buffer bytes.Buffer
	compressor := gzip.NewWriter(&buffer)
	for i := range 2000 {
		_, err := fmt.Fprintf(compressor,
			"<http://example.org/c%04d> <http://example.org/square> \"%d\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", i, i*i)
		must(err)
	}
	must(compressor.Close())
	return buffer.Bytes()[:buffer.Len()*3/4]
}

func nestedFile(name string) []byte {
	body, err := files.ReadFile("files/nested/" + name)
	must(err)
	return body
}

// must checks that writing to memory and reading what is embedded can't fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
