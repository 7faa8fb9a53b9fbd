/**
 * Who speaks, from the words first, from what was said before second, from a corpus's label last: corpora swap labels
 * over whole dialogues.
 */
import type { Role } from '../domain/taxonomy.js';
import type { DialogueInput } from '../domain/stages.js';

/** A role that words claim at least this surely stands against any label. */
const SURE = 0.75;

/** What a speaker label says: "ATCO Tower", "controller", "pilot", a callsign. */
export function roleOfLabel(label: string | undefined): Role {
  if (label === undefined || label.trim() === '') return 'unknown';
  if (/\b(atco|atc|controller|tower|ground|radar|approach|apron|delivery|departure|director|centre|center)\b/i.test(label)) return 'controller';
  if (/\b(pilot|aircraft|crew|cockpit|flight)\b/i.test(label)) return 'pilot';
  if (/\b(unk|unknown|crosstalk|noise)/i.test(label)) return 'unknown';
  return /^[A-Z]{1,3}-?[A-Z0-9]{2,6}$/i.test(label.trim()) && !/^(spk|s|a|b|spkr|speaker)[-_]?\d*$/i.test(label.trim()) ? 'pilot' : 'unknown';
}

/** Weights of a label in log odds: before and after sure words have spoken for or against the labels of the recording. */
const UNTRIED = 0.7;
const TRIED = 1.5;

/** Watches whether the labels of a recording agree with sure words, and turns them round when they do not. */
export class Labels {
  #agree = 0;
  #disagree = 0;

  /** Learns from one transmission whose words are sure. */
  learn(input: DialogueInput): void {
    const { role, role_confidence: confidence } = input.understanding;
    const label = roleOfLabel(input.speaker);
    if (label === 'unknown' || role === 'unknown' || confidence < SURE) return;
    if (label === role) this.#agree++;
    else this.#disagree++;
  }

  /**
   * What a label says about who speaks, as log odds for the pilot: little while the labels are untried, more once sure
   * words have agreed with them, turned round once sure words have contradicted them.
   */
  odds(speaker: string | undefined): number {
    const label = roleOfLabel(speaker);
    if (label === 'unknown') return 0;
    const side = label === 'pilot' ? 1 : -1;
    const tried = this.#agree + this.#disagree;
    if (tried === 0) return side * UNTRIED;
    const balance = (this.#agree - this.#disagree) / tried;
    return side * balance * (tried === 1 ? UNTRIED : TRIED);
  }
}
