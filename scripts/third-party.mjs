/**
 * Writes the table of npm packages that the product needs at run time into THIRD_PARTY.md.
 *
 *     node scripts/third-party.mjs [--check]
 *
 * --check writes nothing and exits with 1 when the table is out of date or a package has no licence. The list comes from
 * package-lock.json, so that it is the same on every platform; the licences of the installed packages are compared with it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const BEGIN = '<!-- npm packages: begin (node scripts/third-party.mjs) -->';
const END = '<!-- npm packages: end -->';

const direct = new Set(Object.keys(JSON.parse(read('package.json')).dependencies));
const packages = [];
let wrong = 0;
for (const [path, entry] of Object.entries(JSON.parse(read('package-lock.json')).packages)) {
  if (path === '' || entry.dev || entry.devOptional || entry.link) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  let licence = entry.license;
  if (existsSync(new URL(`${path}/package.json`, root))) {
    const said = JSON.parse(read(`${path}/package.json`));
    const installed = typeof said.license === 'string' ? said.license : (said.license?.type ?? said.licenses?.map((item) => item.type).join(' OR '));
    if (licence === undefined) licence = installed;
    else if (said.version === entry.version && installed !== undefined && installed !== licence) {
      console.error(`${name}: package-lock.json says ${licence}, the package itself ${installed}.`);
      wrong++;
    }
  }
  if (licence === undefined) {
    console.error(`${name} ${entry.version} names no licence.`);
    wrong++;
  }
  packages.push({ name, version: entry.version, licence: licence ?? 'not named', optional: entry.optional === true, direct: direct.has(name) && path === `node_modules/${name}` });
}
const order = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version.localeCompare(b.version));
packages.sort(order);

const row = (item) => `| ${item.direct ? `**${item.name}**` : item.name} | ${item.version} | ${item.licence} |`;
const lines = [
  BEGIN,
  '',
  'Bold: asked for by Hearback itself; the others come with them.',
  '',
  '| package | version | licence |',
  '|---|---|---|',
  ...packages.filter((item) => !item.optional).map(row),
  '',
  'Only on some platforms (npm picks what fits):',
  '',
];
const byLicence = new Map();
for (const item of packages.filter((candidate) => candidate.optional)) byLicence.set(item.licence, [...(byLicence.get(item.licence) ?? []), `${item.name} ${item.version}`]);
for (const [licence, names] of [...byLicence].sort(([a], [b]) => (a < b ? -1 : 1))) lines.push(`- ${licence}: ${names.join(', ')}`);
lines.push('', END);

const file = new URL('THIRD_PARTY.md', root);
const text = readFileSync(file, 'utf8');
const from = text.indexOf(BEGIN);
const to = text.indexOf(END);
if (from < 0 || to < from) {
  console.error('THIRD_PARTY.md has lost the marks between which the table stands.');
  process.exit(1);
}
const next = text.slice(0, from) + lines.join('\n') + text.slice(to + END.length);
if (next !== text) {
  if (process.argv.includes('--check')) {
    console.error('THIRD_PARTY.md is out of date. Run: node scripts/third-party.mjs');
    wrong++;
  } else {
    writeFileSync(file, next);
  }
}
console.log(`${packages.length} packages, ${packages.filter((item) => item.direct).length} of them asked for by Hearback itself.`);
process.exit(wrong === 0 ? 0 : 1);
