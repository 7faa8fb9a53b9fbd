/**
 * Results as JSON and as Markdown tables. Both are made from the same object.
 */
import type { Share } from '../language/metrics.js';
import type { Accuracy, Invention, Inventions, Latency } from './measure.js';
import { SLOT_NAMES } from './score.js';

export interface SystemResult {
  readonly id: string;
  readonly kind: 'product' | 'peer';
  readonly about: string;
  readonly bytes: number;
  readonly sha256: string;
  /** By ratio of speech to noise: "clean", "20" … */
  readonly accuracy: Readonly<Record<string, Accuracy>>;
  readonly latency: readonly Latency[];
  readonly invention?: Inventions;
}

export interface AsrResults {
  readonly format: 1;
  readonly date: string;
  readonly commandLine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryGB: number; readonly system: string; readonly threads: number; readonly loadAtStart: number };
  readonly set: { readonly clips: number; readonly seconds: number; readonly sha256: string; readonly seed: number; readonly normaliser: number };
  /** What the texts themselves give: the most that a recogniser can reach with this understanding. */
  readonly reference: Accuracy;
  /** In the order in which they were asked for. */
  readonly ratios: readonly string[];
  readonly systems: readonly SystemResult[];
  readonly minutesWithoutSpeech: number;
}

const rate = (value: number | null, digits = 3): string => (value === null || Number.isNaN(value) ? '–' : value.toFixed(digits).replace(/^(-?)0\./u, '$1.'));
const shareText = ({ rate: value, right, of }: Share): string => (value === null ? '–' : `${rate(value)} (${right}/${of})`);
const mega = (bytes: number): string => (bytes / 1e6).toFixed(0);
const ms = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(0));
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
const quoted = (text: string): string => `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`.replaceAll('|', '\\|').replaceAll('`', "'");
const title = (name: string): string => (name === 'clean' ? 'clean' : `${name} dB`);

/** The report, for docs/results/asr.md. */
export function asrReport(results: AsrResults): string {
  const { systems, set, machine } = results;
  // not from the keys of an object: those that look like numbers come first there
  const levels = results.ratios;
  const partNames = Object.keys(results.reference.werBy);
  const cell = (get: (accuracy: Accuracy) => string): string[][] => systems.map((system) => [system.id, ...levels.map((name) => (system.accuracy[name] === undefined ? '–' : get(system.accuracy[name])))]);
  const parts: string[] = [
    '# Recogniser: results',
    `${set.clips} transmissions (${(set.seconds / 60).toFixed(1)} minutes of speech) by voices and with texts that were never trained on, over a simulated radio channel at a measured ratio of speech to noise: fixtures/asr-held-out/. Made by \`npm run bench:asr\`; how it measures is in its README.md. This is synthetic speech: real radio is harder, see the model cards in models/.`,
    table(['', ''], [
      ['date', results.date],
      ['command', `\`${results.commandLine}\``],
      ['machine', `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.system}; load ${machine.loadAtStart.toFixed(1)} at the start`],
      ['threads', `${machine.threads} for everyone`],
      ['versions', Object.entries(results.versions).map(([name, version]) => `${name} ${version}`).join(', ')],
      ['set', `seed ${set.seed}, sha256 ${set.sha256.slice(0, 16)}, normaliser ${set.normaliser}`],
    ]),
    '## What is compared',
    table(['recogniser', 'what', 'size, MB', 'sha256'], systems.map((s) => [s.id, s.about, mega(s.bytes), s.sha256.slice(0, 16)])),
    '## Word error rate',
    'With the 95 % interval of a bootstrap over clips. Figures and spelling are made alike on both sides first.',
    table(['recogniser', ...levels.map(title)], cell(({ wer }) => `${rate(wer.rate)} (${rate(wer.low)}–${rate(wer.high)})`)),
    `Words counted at each ratio: ${systems[0]?.accuracy[levels[0] ?? '']?.wer.of ?? 0}. By part of the set: exchanges in the words of the book, everything in words of its own (plain English among it), and by engine of the voice:`,
    table(
      ['recogniser', 'at', ...partNames.map((name) => ({ standard: "the book's words", own: 'own words' })[name] ?? name)],
      systems.flatMap((s) => levels.filter((name) => s.accuracy[name] !== undefined).map((name) => [s.id, title(name), ...partNames.map((part) => rate(s.accuracy[name]?.werBy[part]?.rate ?? null))])),
    ),
    '## Callsigns',
    'Read from the text by the product\'s understanding, equal to the one that was said. No traffic list.',
    table(['recogniser', ...levels.map(title)], [['the text itself', ...levels.map(() => shareText(results.reference.callsign))], ...cell((a) => shareText(a.callsign))]),
    "By what the callsign is made of: the name of an operator that training text has often; of one that it has no oftener than any of the product's 950 (SELDOM of training/held_out/script.py); letters and digits alone.",
    table(
      ['recogniser', 'of', ...levels.map(title)],
      systems.flatMap((s) => (['busy', 'seldom', 'registration'] as const).map((kind) => [s.id, { busy: 'busy operators', seldom: 'seldom operators', registration: 'letters and digits' }[kind], ...levels.map((name) => (s.accuracy[name] === undefined ? '–' : shareText(s.accuracy[name].callsignBy[kind])))])),
    ),
    '## Values',
    'Of all headings, levels, frequencies, runways, speeds, pressures and codes that are said, those that the understanding reads from the recognised text; behind it, values that it reads and nobody said.',
    table(['recogniser', ...levels.map(title)], [['the text itself', ...levels.map(() => `${shareText(results.reference.values.found)}, ${results.reference.values.invented} more`)], ...cell((a) => `${shareText(a.values.found)}, ${a.values.invented} more`)]),
  ];
  for (const name of levels.filter((each) => ['clean', '10', '0'].includes(each))) {
    parts.push(
      `By kind, ${title(name)}:`,
      table(['recogniser', ...SLOT_NAMES], [['the text itself', ...SLOT_NAMES.map((slot) => shareText(results.reference.slots[slot].found))], ...systems.map((s) => [s.id, ...SLOT_NAMES.map((slot) => (s.accuracy[name] === undefined ? '–' : shareText(s.accuracy[name].slots[slot].found)))])]),
    );
  }
  parts.push(
    '## Wrong readbacks',
    'Readbacks in which one value is another than the one instructed: heard as it was said / as it had been instructed (which would hide the error) / as something else or not at all.',
    table(['recogniser', ...levels.map(title)], cell(({ wrongReadbacks: w }) => `${w.asSaid} / ${w.asInstructed} / ${w.neither} of ${w.of}`)),
    '## Speed',
    'Milliseconds as the caller waits, for audio of exactly that length at 10 dB, all in turns in one run, warmed up: median, 95th percentile. RTF: time over length, all clips of the set.',
    table(
      ['recogniser', ...(systems[0]?.latency ?? []).map(({ seconds }) => `${seconds} s`), 'RTF'],
      systems.map((s) => {
        const all = Object.values(s.accuracy);
        return [s.id, ...s.latency.map((l) => `${ms(l.median)}, ${ms(l.p95)}`), rate(all.reduce((sum, a) => sum + a.realTimeFactor, 0) / Math.max(1, all.length))];
      }),
    ),
  );
  const own = systems.flatMap((s) => (s.invention === undefined ? [] : [{ id: s.id, invention: s.invention }]));
  if (own.length > 0) {
    const kinds = ['noise', 'music', 'speech'] as const;
    const names = { noise: 'noise', music: 'music', speech: 'other languages' };
    const figures = (i: Invention): string[] => [shareText(i.nothing), shareText(i.nothingTrusted), i.charactersAnHour.toFixed(0), i.trustedAnHour.toFixed(0)];
    parts.push(
      '## Invented text',
      `${results.minutesWithoutSpeech} minutes each of noise (ten kinds), synthesised music and speech in other languages. Alone: clips of 1 to 6 s straight to the recogniser. Product: the sound through the segmenter, what it lets through to the recogniser. "Nothing": pieces without any text; "or guarded": or with a guard that tells the product not to trust it. Characters an hour of sound.`,
      table(['recogniser', 'path', 'sound', 'pieces: nothing', 'or guarded', 'characters an hour', 'unguarded'], own.flatMap(({ id, invention }) => (['recogniser', 'product'] as const).flatMap((path) => kinds.map((kind) => [id, path === 'recogniser' ? 'alone' : 'product', names[kind], ...figures(invention[path][kind])])))),
      ...own.map(({ id, invention }) => `Longest texts of ${id}: ${kinds.flatMap((kind) => invention.product[kind].examples.slice(0, 2)).map(quoted).join(', ') || 'none'}.`),
    );
  }
  return `${parts.join('\n\n')}\n`;
}
