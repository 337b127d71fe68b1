"""Reads RDF with rdflib and writes N-Quads.

    python3 rdflib_read.py convert FORMAT FILE BASE   a file, to standard output
    python3 rdflib_read.py serve                      one answer a request, in JSON lines
    python3 rdflib_read.py version

A request is {"format", "base", "file"}, an answer {"quads", "error", "lines"}: what
was read until the first fault, in N-Quads; what rdflib said of it; and the lines that
it named.
"""

import json
import logging
import re
import sys

import rdflib
from rdflib.term import BNode, Literal, URIRef

# Literals are to come out as they are written.
rdflib.NORMALIZE_LITERALS = False
logging.disable(logging.CRITICAL)

FORMATS = {
    "N-Triples": "nt",
    "N-Quads": "nquads",
    "Turtle": "turtle",
    "TriG": "trig",
    "RDF/XML": "xml",
    "JSON-LD": "json-ld",
}
STRING = URIRef("http://www.w3.org/2001/XMLSchema#string")


def term(t):
    if isinstance(t, BNode):
        return "_:" + re.sub(r"[^A-Za-z0-9]", lambda m: "x%dx" % ord(m[0]), t)
    if isinstance(t, Literal):
        text = str(t).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
        if t.language:
            return '"%s"@%s' % (text, t.language)
        if t.datatype and t.datatype != STRING:
            return '"%s"^^<%s>' % (text, t.datatype)
        return '"%s"' % text
    return "<%s>" % t


def quads(dataset):
    default = rdflib.graph.DATASET_DEFAULT_GRAPH_ID
    for graph in dataset.contexts():
        name = graph.identifier
        # The reader of JSON-LD names the default graph by the base.
        last = "" if name in (default, dataset.base_iri) or not dataset.named else " " + term(name)
        for s, p, o in graph:
            yield "%s %s %s%s .\n" % (term(s), term(p), term(o), last)


def read(request):
    dataset = rdflib.ConjunctiveGraph()
    dataset.default_context = dataset.get_context(rdflib.graph.DATASET_DEFAULT_GRAPH_ID)
    dataset.base_iri = URIRef(request["base"])
    dataset.named = request["format"] in ("N-Quads", "TriG", "JSON-LD")
    error = ""
    into = dataset if dataset.named else dataset.default_context
    try:
        with open(request["file"], "rb") as file:
            into.parse(file, format=FORMATS[request["format"]], publicID=request["base"])
    except RecursionError as fault:
        error = "RecursionError: %s" % fault
    except Exception as fault:  # whatever it raises is its answer
        error = "%s: %s" % (type(fault).__name__, fault)
    return dataset, error


def serve():
    for line in sys.stdin:
        dataset, error = read(json.loads(line))
        lines = [int(n) for n in re.findall(r"\bline (\d+)|:(\d+):\d+", error) for n in n if n]
        answer = {"quads": "".join(quads(dataset)), "error": error, "lines": lines}
        # What can't be written in UTF-8, half a pair, is written as rdflib has it in an escape.
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def convert(format, file, base):
    dataset, error = read({"format": format, "file": file, "base": base})
    out = open(sys.stdout.fileno(), "w", encoding="utf-8", errors="replace")
    for line in quads(dataset):
        out.write(line)
    if error:
        sys.exit(error)


if sys.argv[1] == "version":
    print(rdflib.__version__)
elif sys.argv[1] == "serve":
    serve()
else:
    convert(*sys.argv[2:])
