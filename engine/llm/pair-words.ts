/**
 * From two texts to what the embedded network reads: words in one normal form, and for each whether it stands in the other half as well.
 * training/judge/words.py does the same; training/judge/fixtures.json holds both to it.
 */

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const TEENS = new Map('ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ').map((word, i) => [word, ['one', DIGITS[i] ?? '']]));
const TENS = new Map('twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, i) => [word, DIGITS[i + 2] ?? '']));
const SAME = new Map(Object.entries({ niner: 'nine', tree: 'three', fife: 'five', alfa: 'alpha', juliett: 'juliet', 'x-ray': 'xray', centre: 'center', dayseemal: 'decimal', point: 'decimal' }));
const SIDES = new Map([
  ['l', 'left'],
  ['r', 'right'],
  ['c', 'center'],
]);
const ONE_TO_NINE = new Set(DIGITS.slice(1));
const NUMBER = new Set([...DIGITS, 'decimal', 'thousand', 'hundred']);
/** Figures behind these are never hundreds or thousands. */
const SINGLY = new Set(['qnh', 'altimeter', 'squawk', 'squawking']);
const PUNCTUATION = /^[,.;:?!"'()]+|[,.;:?!"'()]+$/gu;

/** How a word was written. */
const PLAIN = 0;
const FIGURES = 1;
const GROUPS = 2;
type Form = 0 | 1 | 2;
const FORMS = 3;
const NUMBER_STATES = 3;

interface NormalWord {
  readonly word: string;
  readonly form: Form;
  /** The word of the text that it comes from, as split at white space. */
  readonly source: number;
}

const singly = (figures: string): string[] => Array.from(figures, (digit) => DIGITS[Number(digit)] ?? digit);

function figures(digits: string, before: string): string[] {
  if ((digits.length === 4 || digits.length === 5) && digits.endsWith('00') && !SINGLY.has(before)) {
    const thousands = digits.slice(0, -3);
    const hundreds = digits.at(-3) ?? '0';
    if (/[1-9]/u.test(thousands)) return [...singly(thousands), 'thousand', ...(hundreds === '0' ? [] : [...singly(hundreds), 'hundred'])];
  }
  return singly(digits);
}

/** Lower case; figures as digits said singly; "forty five" as "four five"; spellings of one word as one. */
export function normalWords(text: string): NormalWord[] {
  const raw = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .flatMap((each, source) => {
      const word = each.replaceAll(PUNCTUATION, '');
      return (word === 'x-ray' ? [word] : word.split('-')).filter((piece) => piece !== '').map((piece) => ({ word: SAME.get(piece) ?? piece, source }));
    });
  const out: NormalWord[] = [];
  raw.forEach(({ word, source }, i) => {
    const put = (words: readonly string[], form: Form): void => {
      for (const each of words) out.push({ word: each, form, source });
    };
    const before = out.at(-1)?.word ?? '';
    const following = raw[i + 1]?.word ?? '';
    const level = /^fl(\d+)?$/u.exec(word);
    const number = /^(\d+)(?:\.(\d+))?([lrc])?$/u.exec(word);
    if (level !== null) put(['flight', 'level', ...singly(level[1] ?? '')], FIGURES);
    else if (number !== null) {
      const side = SIDES.get(number[3] ?? '');
      put([...figures(number[1] ?? '', before), ...(number[2] === undefined ? [] : ['decimal', ...singly(number[2])]), ...(side === undefined ? [] : [side])], FIGURES);
    } else if (TEENS.has(word)) put(TEENS.get(word) ?? [], GROUPS);
    else if (TENS.has(word)) put([TENS.get(word) ?? '', ...(ONE_TO_NINE.has(following) ? [] : ['zero'])], GROUPS);
    else if (ONE_TO_NINE.has(word) && TENS.has(raw[i - 1]?.word ?? '')) put([word], GROUPS);
    else if (word === 'hundred' && NUMBER.has(before)) hundred(out, following, source);
    else put([word], PLAIN);
  });
  return out;
}

/** "two hundred" as digits, "forty five hundred" as thousands; behind "thousand" and before "feet" it stays. */
function hundred(out: NormalWord[], following: string, source: number): void {
  let start = out.length;
  while (start > 0 && NUMBER.has(out[start - 1]?.word ?? '')) start--;
  const run = out.slice(start);
  const [last, beforeLast] = [out.at(-1), out.at(-2)];
  if (run.some(({ word }) => word === 'thousand')) out.push({ word: 'hundred', form: PLAIN, source });
  else if (run.length >= 2 && last?.form === GROUPS && beforeLast?.form === GROUPS) {
    out.pop();
    out.push({ word: 'thousand', form: GROUPS, source });
    if (last.word !== 'zero') out.push({ word: last.word, form: GROUPS, source }, { word: 'hundred', form: GROUPS, source });
  } else if (following === 'feet' || following === 'thousand') out.push({ word: 'hundred', form: PLAIN, source });
  else out.push({ word: 'zero', form: GROUPS, source }, { word: 'zero', form: GROUPS, source });
}

/** For every word the length of the longest stretch around it that stands in the other half word for word, at most `longest`. */
function matches(own: readonly string[], other: readonly string[], longest: number): number[] {
  const best = own.map(() => 0);
  let ending = new Array<number>(other.length + 1).fill(0);
  own.forEach((word, i) => {
    const now = new Array<number>(other.length + 1).fill(0);
    other.forEach((there, j) => {
      if (word !== there) return;
      const length = (ending[j] ?? 0) + 1;
      now[j + 1] = length;
      for (let k = i - length + 1; k <= i; k++) best[k] = Math.max(best[k] ?? 0, length);
    });
    ending = now;
  });
  return best.map((length) => Math.min(length, longest));
}

/** [from, to) of every longest stretch of number words, with the side behind it. */
function numberRuns(words: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  let at = 0;
  while (at < words.length) {
    let end = at;
    while (NUMBER.has(words[end] ?? '')) end++;
    if (end === at) {
      at++;
      continue;
    }
    if (['left', 'right', 'center'].includes(words[end] ?? '')) end++;
    found.push([at, end]);
    at = end;
  }
  return found;
}

/** 0: no number; 1: a number that the other half does not have; 2: one that it has. */
function numberStates(own: readonly string[], other: readonly string[]): number[] {
  const there = new Set(numberRuns(other).map(([from, to]) => other.slice(from, to).join(' ')));
  const states = own.map(() => 0);
  for (const [from, to] of numberRuns(own)) states.fill(there.has(own.slice(from, to).join(' ')) ? 2 : 1, from, to);
  return states;
}

export interface PairWord {
  readonly word: string;
  readonly source: number;
  /** One number out of match, number and form. */
  readonly feature: number;
}

/** Both halves as the network wants them. */
export function pairWords(instruction: string, readback: string, longest: number): { readonly instruction: readonly PairWord[]; readonly readback: readonly PairWord[] } {
  const [said, back] = [normalWords(instruction), normalWords(readback)];
  const half = (own: readonly NormalWord[], other: readonly NormalWord[]): PairWord[] => {
    const [words, others] = [own.map(({ word }) => word), other.map(({ word }) => word)];
    const match = matches(words, others, longest);
    const number = numberStates(words, others);
    return own.map(({ word, source, form }, i) => ({ word, source, feature: ((match[i] ?? 0) * NUMBER_STATES + (number[i] ?? 0)) * FORMS + form }));
  };
  return { instruction: half(said, back), readback: half(back, said) };
}
