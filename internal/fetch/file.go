package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
)

// IsFile says that a URI is one of a file of this machine.
func IsFile(uri string) bool {
	return len(uri) >= len("file:") && strings.EqualFold(uri[:len("file:")], "file:")
}

// FilePath is the name of the file that a file: URI means on this machine (RFC 8089).
func FilePath(uri string) (string, error) {
	u, err := url.Parse(encodeStray(uri))
	if err != nil || !IsFile(uri) {
		return "", badURI("it is not well-formed")
	}
	path := u.Path
	switch {
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"), u.User != nil:
		return "", badURI("it names another machine")
	case !strings.HasPrefix(path, "/"):
		return "", badURI("its path does not begin at the root")
	case strings.ContainsRune(path, 0):
		return "", badURI("its path holds a zero byte")
	}
	if os.PathSeparator == '\\' {
		path = strings.TrimPrefix(path, "/") // before the letter of a drive
	}
	return filepath.FromSlash(path), nil
}

// file reads a file of this machine, as Do does a document of another. The exchange has
// no status, and as headers "last-modified", "content-length" and an "etag" of both.
func (f *Fetcher) file(ctx context.Context, request Request, to io.Writer) (*Result, error) {
	result := &Result{}
	if !f.options.AllowFile {
		return result, fault.New("fetch.Get", fault.Refused, fault.TransportUnsupportedScheme, "files of this machine are not read "+
			"unless that is allowed (--allow-file)")
	}
	name, err := FilePath(request.URI)
	if err != nil {
		return result, err
	}
	result.FinalURI, _, _ = strings.Cut(encodeStray(request.URI), "#")
	e := Exchange{URI: result.FinalURI, Time: time.Now().UTC(), Headers: map[string][]string{}}
	start := time.Now()
	file, info, err := openFile(name)
	if err == nil {
		defer file.Close()
		tag := fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())
		e.Headers["last-modified"] = []string{info.ModTime().UTC().Format(http.TimeFormat)}
		e.Headers["content-length"] = []string{strconv.FormatInt(info.Size(), 10)}
		e.Headers["etag"] = []string{tag}
		if known := request.Known; known != nil && known.URI == result.FinalURI && known.ETag == tag {
			e.Conditions = map[string]string{"if-none-match": tag}
			result.NotModified = true
		} else {
			err = f.copyFile(ctx, file, &request, to, result)
		}
	}
	e.Walltime = time.Since(start).Seconds()
	if err != nil {
		e.Error = err.Error()
	}
	result.Exchanges = append(result.Exchanges, e)
	return result, err
}

// openFile opens a regular file; what is no such is refused.
func openFile(name string) (*os.File, fs.FileInfo, error) {
	// It is looked at before it is opened: to open a pipe would wait for who writes to it.
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, nil, notAFile(info)
	}
	if err != nil {
		return nil, nil, fileError(err)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, fileError(err)
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, nil, fileError(err)
	}
	if !info.Mode().IsRegular() {
		file.Close()
		return nil, nil, notAFile(info)
	}
	return file, info, nil
}

// copyFile writes the text of a file to to, and counts its bytes in result.
func (f *Fetcher) copyFile(ctx context.Context, file *os.File, request *Request, to io.Writer, result *Result) error {
	if request.Part != nil && request.Restart != nil {
		if err := request.Restart(); err != nil {
			return local(err)
		}
	}
	buffer := bodies.Get().(*[64 << 10]byte)
	defer bodies.Put(buffer)
	for {
		if ctx.Err() != nil {
			return fmt.Errorf("fetch: %w", ctx.Err())
		}
		n, err := file.Read(buffer[:])
		if result.Bytes+int64(n) > f.options.MaxBytes {
			return tooLong(f.options.MaxBytes)
		}
		written, writeErr := to.Write(buffer[:n])
		result.Bytes += int64(written)
		switch {
		case writeErr == nil && written < n:
			writeErr = io.ErrShortWrite
			fallthrough
		case writeErr != nil:
			return fault.New("fetch.Get", fault.Local, fault.LocalDisk, "write what came: %w", writeErr)
		case err == io.EOF:
			return nil
		case err != nil:
			return fileError(err)
		}
	}
}

func notAFile(info fs.FileInfo) error {
	what := "a device, a pipe or a socket"
	if info.IsDir() {
		what = "a folder"
	}
	return fault.New("fetch.Get", fault.Refused, fault.LocalFile, "it is %s, and no file", what)
}

// fileError says what is wrong with a file. It is the file's fault and not this machine's
// as long as it is not the disk's: that may pass.
func fileError(err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err // the path is in the record
	}
	if isOurs(err) {
		return fault.New("fetch.Get", fault.Local, fault.LocalDisk, "open the file: %w", err)
	}
	kind := fault.Remote
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrInvalid) {
		kind = fault.Refused
	}
	return fault.New("fetch.Get", kind, fault.LocalFile, "the file can't be read: %w", err)
}
