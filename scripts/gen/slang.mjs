// SPDX-License-Identifier: Apache-2.0
// SystemVerilog through slang, in the Yosys that npm carries as WebAssembly: node slang.mjs FOLDER OUT.il LIST. FOLDER is where
// `npm install @yowasp/yosys` was run. LIST has lines "file NAME PATH" (sources and what they include), "read ARGUMENTS" (of read_slang)
// and "then COMMAND".
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, out, list] = process.argv.slice(2);
const { runYosys } = await import(pathToFileURL(`${folder}/node_modules/@yowasp/yosys/gen/bundle.js`));
const files = {};
let read = 'read_slang --threads 1', then = '';
for (const line of readFileSync(list, 'utf8').split('\n')) {
  const [what, name, path] = line.split('\t');
  if (what === 'file') {
    const parts = name.split('/');
    let at = files;
    for (const part of parts.slice(0, -1)) at = at[part] ??= {};
    at[parts.at(-1)] = readFileSync(path, 'utf8');
  } else if (what === 'read') read += ' ' + name;
  else if (what === 'then') then += '; ' + name;
}
const said = [];
const keep = (bytes) => { if (bytes) said.push(Buffer.from(bytes)); };
try {
  const result = await runYosys(['-p', `${read}${then}; write_rtlil out.il`], files,
    { stdout: keep, stderr: keep, fetchProgress: () => {} });
  writeFileSync(out, result['out.il']);
} catch (problem) {
  console.error(said.length ? Buffer.concat(said).toString() : String(problem));
  process.exit(1);
}
