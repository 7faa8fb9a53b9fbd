/** A result as word, shape and colour, and the marked words that led to it. */
import { clockTime, LOOK_NAMES, lookOf, MARK_TITLES, SHAPES, type Answer, type Line, type Look, type Mark } from '../../engine/server/protocol-view.js';
import { T } from '../texts.js';

export function Shape({ look }: { readonly look: Look }) {
  // the drawings are constants of the program, no text from outside is in them
  return <svg className={`shape ${look}`} viewBox="0 0 16 16" aria-hidden="true" dangerouslySetInnerHTML={{ __html: SHAPES[look] }} />;
}

export function Badge({ look, answer, small = false }: { readonly look: Look; readonly answer?: Answer | undefined; readonly small?: boolean }) {
  return (
    <span className={`badge ${look}${small ? ' small' : ''}`}>
      <Shape look={look} />
      <span>{look === 'UNCERTAIN' && answer?.verdict === 'unreadable' ? T.results.unreadable : LOOK_NAMES[look]}</span>
    </span>
  );
}

/** A slot's name for people: "hold_short" is "hold short". */
export const slotName = (slot: string): string => slot.replaceAll('_', ' ');

/** "Wrong value · altitude"; for an uncertain one what it would be at worst. */
export function kindText(answer: Answer): string {
  if (answer.verdict === null || answer.verdict === 'unreadable') return '';
  const slot = answer.slot === null ? '' : ` · ${slotName(answer.slot)}`;
  if (answer.verdict === 'uncertain') {
    if (answer.risk === null || answer.risk === 'CORRECT') return '';
    return `${T.results.atWorst(LOOK_NAMES[lookOf({ ...answer, verdict: 'error' })].toLowerCase())}${slot}`;
  }
  if (answer.errorType === 'CORRECT') return '';
  const name = answer.errorType === null ? T.results.kindNotTold : (T.types[answer.errorType] ?? answer.errorType);
  return `${name}${slot}`;
}

export interface WordRun {
  readonly mark: Mark | undefined;
  /** Positions [from, to) in the line's words. */
  readonly from: number;
  readonly to: number;
}

/** Neighbouring words of one mark, together. */
export function runsOf(words: Line['words']): readonly WordRun[] {
  const runs: { mark: Mark | undefined; from: number; to: number }[] = [];
  words.forEach(({ mark }, at) => {
    const last = runs.at(-1);
    if (last?.mark === mark && last !== undefined) last.to = at + 1;
    else runs.push({ mark, from: at, to: at + 1 });
  });
  return runs;
}

/** Stands for words that were left out. */
const LEFT_OUT = '…';

/**
 * Words with their marks, on one line. Where there are more letters than fit, words that decide nothing make room so that the decisive
 * ones are seen.
 *
 * @param room letters that fit.
 */
export function MarkedWords({ words, room = Infinity }: { readonly words: Line['words']; readonly room?: number }) {
  const runs = runsOf(words);
  const texts = runs.map((run) => words.slice(run.from, run.to).map((word) => word.text));
  const said = texts.map((each) => each.join(' '));
  const excess = (): number => said.reduce((sum, text) => sum + text.length + 1, 0) - room;
  if (runs.some((run) => tells(run.mark))) {
    for (const shorten of [(each: readonly string[]) => (each.length > 3 ? `${each[0] ?? ''} ${LEFT_OUT} ${each.at(-1) ?? ''}` : each.join(' ')), () => LEFT_OUT]) {
      runs.forEach((run, at) => {
        if (excess() > 0 && !tells(run.mark)) said[at] = shorten(texts[at] ?? []);
      });
    }
  }
  return (
    <>
      {runs.map((run, at) => {
        const gap = run.from === 0 ? '' : ' ';
        const text = said[at] ?? '';
        if (text === LEFT_OUT && at > 0 && said[at - 1] === LEFT_OUT) return '';
        if (text === LEFT_OUT || run.mark === undefined || !(run.mark in MARK_TITLES)) return `${gap}${text}`;
        return (
          <span key={run.from}>
            {gap}
            <mark className={`m-${run.mark}`} title={MARK_TITLES[run.mark]}>
              {text}
            </mark>
          </span>
        );
      })}
    </>
  );
}

const tells = (mark: Mark | undefined): boolean => mark !== undefined && mark !== 'right' && mark !== 'not-required';

/** What a half says when there are no words to show. */
export function silentText(line: Line): string | undefined {
  if (line.text === undefined) return line.stage === 'failed' ? T.results.notRecognised : T.results.notYet;
  return line.text === '' ? T.results.speechWithoutWords : undefined;
}

/** Minutes and seconds without tenths. */
export const shortClock = (seconds: number | undefined): string => (seconds === undefined ? '' : clockTime(Math.floor(seconds)).replace(/\.0$/, ''));
