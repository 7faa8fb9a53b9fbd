/**
 * Writes size and sha256 of every file of the embedded models into models/catalogue.json.
 *
 *     node scripts/update-catalogue.mjs [--check] [ID…]
 *
 * --check writes nothing and exits with 1 when the catalogue does not fit the folders. What stands beside the weights for
 * people (origin, licence, scripts) is no part of a model.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../models/', import.meta.url));
const file = `${folder}catalogue.json`;
const check = process.argv.includes('--check');
const ids = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const isPart = (name) => /^[^.].*\.(?:onnx|data|json|bin|gguf|safetensors|txt)$/u.test(name);

async function describe(path) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return { size: statSync(path).size, sha256: hash.digest('hex') };
}

const catalogue = JSON.parse(readFileSync(file, 'utf8'));
const unknown = ids.filter((id) => !catalogue.models.some((model) => model.id === id && model.embedded));
if (unknown.length > 0) {
  console.error(`No embedded model of the catalogue is called ${unknown.join(', ')}.`);
  process.exit(2);
}
let wrong = 0;
for (const model of catalogue.models) {
  if (!model.embedded || (ids.length > 0 && !ids.includes(model.id))) continue;
  const home = `${folder}${model.id}`;
  if (!existsSync(home)) {
    console.error(`${model.id}: models/${model.id}/ is not there.`);
    wrong++;
    continue;
  }
  const names = readdirSync(home, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => isPart(name.split('/').at(-1)) && statSync(`${home}/${name}`).isFile())
    .sort();
  const files = [];
  for (const path of names) files.push({ path, ...(await describe(`${home}/${path}`)) });
  const same = JSON.stringify(files) === JSON.stringify(model.files);
  if (!same && check) {
    console.error(`${model.id}: the catalogue does not fit models/${model.id}/. Run: node scripts/update-catalogue.mjs`);
    wrong++;
  }
  console.log(`${model.id}: ${files.length} files, ${files.reduce((sum, item) => sum + item.size, 0)} bytes${same ? '' : ' (changed)'}`);
  model.files = files;
}
if (!check) writeFileSync(file, `${JSON.stringify(catalogue, undefined, 2)}\n`);
process.exit(wrong === 0 ? 0 : 1);
