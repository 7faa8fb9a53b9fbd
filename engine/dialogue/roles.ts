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

  /** The role that a label stands for, or unknown while the labels contradict themselves. */
  hint(speaker: string | undefined): Role {
    const label = roleOfLabel(speaker);
    if (label === 'unknown' || this.#agree === this.#disagree) return this.#agree === 0 ? label : 'unknown';
    if (this.#agree > this.#disagree) return label;
    return label === 'controller' ? 'pilot' : 'controller';
  }
}
