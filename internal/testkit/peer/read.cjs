// Reads RDF with a library of JavaScript and writes N-Quads.
//
//   node read.cjs LIBRARY convert FORMAT FILE BASE   a file, to standard output
//   node read.cjs LIBRARY serve                      one answer a request, in JSON lines
//   node read.cjs LIBRARY version
//
// LIBRARY is n3, rdfxml-streaming-parser, jsonld-streaming-parser, jsonld or oxigraph; it is
// looked for where NODE_PATH says. A request is {"format", "base", "file"}, an answer
// {"quads", "error", "lines"}: what was read until the first fault, in N-Quads; what
// the library said of it; and the lines that it named. oxigraph reads on behind faults.
'use strict';

const fs = require('fs');
const path = require('path');
const readline = require('readline');

const [library, mode, format, file, base] = process.argv.slice(2);

// parser makes a stream that takes text and gives quads.
function parser(format, base) {
  switch (library) {
    case 'n3': {
      const { StreamParser } = require('n3');
      return new StreamParser({ format, baseIRI: base });
    }
    case 'rdfxml-streaming-parser': {
      const { RdfXmlParser } = require('rdfxml-streaming-parser');
      return new RdfXmlParser({ baseIRI: base, trackPosition: true });
    }
    case 'jsonld-streaming-parser': {
      const { JsonLdParser } = require('jsonld-streaming-parser');
      return new JsonLdParser({ baseIRI: base });
    }
  }
  throw new Error('no such library: ' + library);
}

const escapes = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

function term(t) {
  switch (t.termType) {
    case 'NamedNode':
      return '<' + t.value + '>';
    case 'BlankNode':
      return '_:' + t.value.replace(/[^A-Za-z0-9]/g, (c) => 'x' + c.charCodeAt(0) + 'x');
    case 'Literal': {
      const text = '"' + t.value.replace(/["\\\n\r]/g, (c) => escapes[c]) + '"';
      if (t.language) return text + '@' + t.language;
      if (t.datatype.value === 'http://www.w3.org/2001/XMLSchema#string') return text;
      return text + '^^<' + t.datatype.value + '>';
    }
  }
  return '';
}

function line(q) {
  const graph = term(q.graph);
  return term(q.subject) + ' ' + term(q.predicate) + ' ' + term(q.object) + (graph && ' ' + graph) + ' .\n';
}

// whole has jsonld.js read a text, all at once as it does.
async function whole(text, base) {
  const jsonld = require('jsonld');
  return jsonld.toRDF(JSON.parse(text), { base, format: 'application/n-quads' });
}

const mediaTypes = {
  'N-Triples': 'application/n-triples', 'N-Quads': 'application/n-quads', Turtle: 'text/turtle',
  TriG: 'application/trig', 'RDF/XML': 'application/rdf+xml', 'JSON-LD': 'application/ld+json',
};

// mostInVain is how many faults in a row without a statement end a reading: its iterator may fail for ever.
const mostInVain = 1000;

// each gives the quads of a file to oxigraph's reader, whose iterator goes on behind what it throws.
function each({ format, base, file }, quad, fault) {
  const { parse } = require('oxigraph');
  const quads = parse([fs.readFileSync(file)], { format: mediaTypes[format], base_iri: base });
  for (let inVain = 0; inVain < mostInVain;) {
    try {
      const next = quads.next();
      if (next.done) return;
      quad(next.value);
      inVain = 0;
    } catch (error) {
      fault(error);
      inVain++;
    }
  }
}

// readOn is what oxigraph reads of a file, and all that it said.
function readOn(request) {
  const out = [], said = [], lines = [];
  each(request, (q) => out.push(line(q)), (error) => { said.push(String(error.message || error)); lines.push(...named(error)); });
  return { quads: out.join(''), error: said.join('\n'), lines };
}

function named(error) {
  const lines = [];
  if (error.context && error.context.line) lines.push(error.context.line);
  for (const m of String(error.message).matchAll(/\bline (\d+)|^(\d+):\d+/gi)) lines.push(Number(m[1] || m[2]));
  return lines;
}

// answer reads a file as far as the library does.
function answer({ format, base, file }) {
  return new Promise((resolve) => {
    const out = [];
    let done = false;
    const end = (error) => {
      if (done) return;
      done = true;
      resolve({ quads: out.join(''), error: error ? String(error.message || error) : '', lines: error ? named(error) : [] });
    };
    if (library === 'oxigraph') {
      resolve(readOn({ format, base, file }));
      return;
    }
    if (library === 'jsonld') {
      whole(fs.readFileSync(file, 'utf8'), base).then((text) => { out.push(text); end(); }, end);
      return;
    }
    try {
      const reader = parser(format, base);
      reader.on('data', (q) => { if (!done) out.push(line(q)); });
      reader.on('error', end);
      reader.on('end', () => end());
      fs.createReadStream(file).pipe(reader);
    } catch (error) {
      end(error);
    }
  });
}

async function serve() {
  let current = null;
  process.on('uncaughtException', (error) => {
    if (current) current(error);
  });
  for await (const request of readline.createInterface({ input: process.stdin })) {
    // What a library throws where nobody can catch it is its answer too.
    const thrown = new Promise((resolve) => {
      current = (error) => resolve({ quads: '', error: String(error), lines: named(error) });
    });
    process.stdout.write(JSON.stringify(await Promise.race([answer(JSON.parse(request)), thrown])) + '\n');
  }
}

async function convert() {
  if (library === 'oxigraph') {
    process.stdout.write(readOn({ format, base, file }).quads);
    return;
  }
  if (library === 'jsonld') {
    process.stdout.write(await whole(fs.readFileSync(file, 'utf8'), base));
    return;
  }
  const input = fs.createReadStream(file, { highWaterMark: 1 << 16 });
  const reader = parser(format, base);
  if (library === 'n3') {
    const { StreamWriter } = require('n3');
    input.pipe(reader).pipe(new StreamWriter({ format: 'N-Quads' })).pipe(process.stdout);
    return;
  }
  let text = '';
  input.pipe(reader);
  for await (const q of reader) {
    text += line(q);
    if (text.length > 1 << 16) {
      if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
      text = '';
    }
  }
  process.stdout.write(text);
}

function version() {
  let folder = path.dirname(require.resolve(library));
  while (!fs.existsSync(path.join(folder, 'package.json')) || !JSON.parse(fs.readFileSync(path.join(folder, 'package.json'))).version) {
    folder = path.dirname(folder);
  }
  console.log(JSON.parse(fs.readFileSync(path.join(folder, 'package.json'))).version);
}

({ serve, convert, version })[mode]();
