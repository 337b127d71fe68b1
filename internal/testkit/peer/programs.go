package peer

import (
	"archive/zip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed read.cjs
var readCJS string

//go:embed rdflib_read.py
var rdflibRead string

//go:embed RiotRead.java
var riotRead string

// drivers are the files that Find writes.
var drivers = map[string]string{"read.cjs": readCJS, "rdflib_read.py": rdflibRead, "RiotRead.java": riotRead}

func serdi(ctx context.Context, _ string) (*Peer, error) {
	path, err := exec.LookPath("serdi")
	if err != nil {
		return nil, err
	}
	v, err := version(ctx, path, "-v")
	return &Peer{
		Version: v,
		formats: map[string]string{"N-Triples": "ntriples", "N-Quads": "nquads", "Turtle": "turtle", "TriG": "trig"},
		lax:     []string{"-l"},
		convert: func(format, file, base string) []string {
			return []string{path, "-i", format, "-o", "nquads", file, base}
		},
	}, err
}

func rapper(ctx context.Context, _ string) (*Peer, error) {
	path, err := exec.LookPath("rapper")
	if err != nil {
		return nil, err
	}
	v, err := version(ctx, path, "--version")
	return &Peer{
		Version: v,
		formats: map[string]string{"N-Triples": "ntriples", "N-Quads": "nquads", "Turtle": "turtle", "TriG": "trig", "RDF/XML": "rdfxml"},
		convert: func(format, file, base string) []string {
			if format == "" {
				format = "guess"
			}
			return []string{path, "-i", format, "-o", "nquads", file, base}
		},
	}, err
}

// library is a library of JavaScript.
func library(name string, formats ...string) func(context.Context, string) (*Peer, error) {
	return func(ctx context.Context, folder string) (*Peer, error) {
		node, err := exec.LookPath("node")
		if err != nil {
			return nil, err
		}
		script := filepath.Join(folder, "read.cjs")
		v, err := version(ctx, node, script, name, "version")
		if err != nil {
			return nil, fmt.Errorf("node finds no library %s (NODE_PATH names the folder)", name)
		}
		return &Peer{
			Version: v, formats: own(formats...),
			serve: []string{node, script, name, "serve"},
			convert: func(format, file, base string) []string {
				return []string{node, script, name, "convert", format, file, base}
			},
		}, nil
	}
}

func rdflib(ctx context.Context, folder string) (*Peer, error) {
	script := filepath.Join(folder, "rdflib_read.py")
	var problem error
	for _, python := range []string{os.Getenv("LAUNDROMAT_PYTHON"), "/usr/bin/python3", "python3"} {
		path, err := exec.LookPath(python)
		if err != nil {
			continue
		}
		v, err := version(ctx, path, script, "version")
		if err != nil {
			problem = errors.New(python + " has no rdflib")
			continue
		}
		return &Peer{
			Version: v, formats: own(Formats...),
			serve: []string{path, script, "serve"},
			convert: func(format, file, base string) []string {
				return []string{path, script, "convert", format, file, base}
			},
		}, nil
	}
	if problem == nil {
		problem = errors.New("no python3")
	}
	return nil, problem
}

// jars are those that riot needs of the folder in which Debian has the jars of all programs.
var jars = strings.Fields(`jena-arq jena-base jena-cmds jena-core jena-dboe-base jena-dboe-index jena-dboe-storage
	jena-dboe-trans-data jena-dboe-transaction jena-iri jena-rdfconnection jena-shacl jena-shex jena-tdb jena-tdb2
	commons-cli commons-codec commons-compress commons-csv commons-io commons-lang3 commons-logging dexx.collection
	gson guava httpclient httpclient-cache httpcore jackson-core jackson-annotations jackson-databind jsonld-java
	jakarta.json-api protobuf slf4j-api slf4j-nop thrift titanium-json-ld`)

// riot is that of Apache Jena.
func riot(ctx context.Context, folder string) (*Peer, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, err
	}
	javac, err := exec.LookPath("javac")
	if err != nil {
		return nil, err
	}
	classes := filepath.Join(folder, "classes")
	path := classes + string(filepath.ListSeparator)
	jsonLD := "jsonld"
	if jena := os.Getenv("LAUNDROMAT_JENA"); jena != "" {
		path += filepath.Join(jena, "*")
	} else {
		const java = "/usr/share/java"
		if _, err := os.Stat(filepath.Join(java, "jena-arq.jar")); err != nil {
			return nil, errors.New("no jars of Apache Jena (LAUNDROMAT_JENA names their folder)")
		}
		if err := messages(filepath.Join(java, "jena-core.jar"), classes); err != nil {
			return nil, err
		}
		var all []string
		for _, jar := range jars {
			all = append(all, filepath.Join(java, jar+".jar"))
		}
		path += strings.Join(all, string(filepath.ListSeparator))
		jsonLD = "jsonld10" // for 1.1, the package lacks an implementation of the Java API for JSON
	}
	if out, err := exec.CommandContext(ctx, javac, "-cp", path, "-d", classes,
		filepath.Join(folder, "RiotRead.java")).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("javac: %w: %s", err, out)
	}
	v, err := version(ctx, java, "-cp", path, "riotcmd.riot", "--version")
	syntax := map[string]string{"TriX": "trix", "RDF/JSON": "rdfjson", "N-Triples": "ntriples", "N-Quads": "nquads", "Turtle": "turtle",
		"TriG": "trig", "RDF/XML": "rdfxml", "JSON-LD": jsonLD}
	return &Peer{
		Version: v, formats: own(append(slices.Clone(Formats), "TriX", "RDF/JSON")...),
		serve: []string{java, "-cp", path, "RiotRead", jsonLD},
		convert: func(format, file, base string) []string {
			return []string{java, "-cp", path, "riotcmd.riot", "--syntax=" + syntax[format], "--base=" + base, "--output=nquads", file}
		},
	}, err
}

// messages writes the texts of Xerces to where its code looks for them. In jena-core of Debian they
// are in another folder.
func messages(jar, folder string) error {
	const from, to = "org/apache/jena/ext/xerces/", "xerces/"
	archive, err := zip.OpenReader(jar)
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, entry := range archive.File {
		name, ok := strings.CutPrefix(entry.Name, from)
		if !ok || !strings.HasSuffix(name, ".properties") {
			continue
		}
		path, err := filepath.Localize(to + name)
		if err != nil {
			return err
		}
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		content, err := entry.Open()
		if err != nil {
			return err
		}
		text, err := io.ReadAll(io.LimitReader(content, 1<<20))
		content.Close()
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
