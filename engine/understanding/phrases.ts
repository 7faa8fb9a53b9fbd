/**
 * Action phrases of Doc 4444 §12 and FAA JO 7110.65, in instructions and in readbacks, with what each one does.
 */
import type { Action, SlotLabel } from '../domain/taxonomy.js';
import type { ValueSlot, Verb } from '../domain/understanding.js';

/**
 * How the words after a phrase are to be taken.
 * value: its value carries the verb · command: it stands by itself, with or without a value · short: only where nothing fuller stands ·
 * the others are named after the words whose meaning depends on what follows.
 */
export type PhraseKind =
  | 'value' | 'command' | 'short' | 'maintain' | 'continue' | 'fly' | 'stay' | 'keep' | 'level' | 'recleared' | 'direct' | 'proceed' | 'hold' | 'cleared' | 'startup-too' | 'push' | 'pattern' | 'cross' | 'vacate'
  | 'enter' | 'circuit' | 'land' | 'taxi' | 'stop' | 'number' | 'follow' | 'over' | 'call';

export interface Phrase {
  readonly words: readonly string[];
  readonly label: Action | SlotLabel;
  readonly verb: Verb | undefined;
  /** What a number or name right after it is about. */
  readonly hint: ValueSlot | undefined;
  readonly kind: PhraseKind;
  /** Form that reports or reads back ("climbing", "turning left"). */
  readonly progressive: boolean;
}

type Row = readonly [pattern: string, label: Action | SlotLabel, verb: Verb | undefined, hint?: ValueSlot | undefined, kind?: PhraseKind];

/** Patterns: "[x]" may be left out, "(a|b)" is a choice. */
const ROWS: readonly Row[] = [
  // altitude
  ['[continue|continuing] climb [up|and maintain|maintain|now]', 'altitude_control', 'climb', 'altitude'],
  ['further climb', 'altitude_control', 'climb', 'altitude'],
  ['[continue|continuing] climbing [up|and maintaining]', 'altitude_control', 'climb', 'altitude'],
  ['cleared [to] climb [and maintain]', 'altitude_control', 'climb', 'altitude'],
  ['[continue|continuing] (descend|descent) [down|and maintain|maintain|now]', 'altitude_control', 'descend', 'altitude'],
  ['[continue] further (descend|descent)', 'altitude_control', 'descend', 'altitude'],
  ['[continue|continuing] descending [down|and maintaining]', 'altitude_control', 'descend', 'altitude'],
  ['cleared [to] (descend|descent) [and maintain]', 'altitude_control', 'descend', 'altitude'],
  ['cleared [to] (flight) level', 'altitude_control', undefined, 'altitude', 'level'],
  ['recleared', 'altitude_control', undefined, 'altitude', 'recleared'],
  ['up', 'altitude_control', 'climb', 'altitude', 'short'],
  ['down', 'altitude_control', 'descend', 'altitude', 'short'],
  ['[increase|reduce|adjust] [your] rate of climb', 'altitude_control', 'climb', 'vertical_rate'],
  ['[increase|reduce|adjust] [your] rate of descent', 'altitude_control', 'descend', 'vertical_rate'],
  ['(stop|stopping) [your] (climb|climbing)', 'altitude_control', 'stop_climb', 'altitude'],
  ['(stop|stopping) [your] (descent|descend|descending)', 'altitude_control', 'stop_descent', 'altitude'],
  ['(stop|stopping) [your] (climb|climbing) at', 'altitude_control', 'stop_climb', 'altitude'],
  ['(stop|stopping) [your] (descent|descend|descending) at', 'altitude_control', 'stop_descent', 'altitude'],
  ['level off [at]', 'altitude_control', 'maintain', 'altitude'],
  ['leveling [off] [at]', 'altitude_control', 'maintain', 'altitude'],
  ['initial (climb|altitude|level)', 'altitude_control', 'climb', 'altitude'],
  ['maintain', 'altitude_control', 'maintain', undefined, 'maintain'],
  ['maintaining', 'altitude_control', 'maintain', undefined, 'maintain'],
  ['stay [at]', 'altitude_control', 'maintain', 'altitude', 'stay'],

  // heading
  ['[make] [a] (turn|turning) left', 'heading_control', 'turn_left', 'heading'],
  ['[make] [a] (turn|turning) right', 'heading_control', 'turn_right', 'heading'],
  ['[make] [a] left turn', 'heading_control', 'turn_left', 'heading'],
  ['[make] [a] right turn', 'heading_control', 'turn_right', 'heading'],
  ['turn', 'heading_control', 'turn', 'heading'],
  ['turning', 'heading_control', 'turn', 'heading'],
  ['left', 'heading_control', 'turn_left', 'heading', 'short'],
  ['right', 'heading_control', 'turn_right', 'heading', 'short'],
  ['fly', 'heading_control', 'fly_heading', 'heading', 'fly'],
  ['flying', 'heading_control', 'fly_heading', 'heading', 'fly'],
  ['steer', 'heading_control', 'fly_heading', 'heading'],
  ['continue [on]', 'heading_control', 'continue_heading', undefined, 'continue'],
  ['continuing [on]', 'heading_control', 'continue_heading', undefined, 'continue'],
  ['[make] [one|a|an|left|right] (orbit|orbid|orbits|three sixty|360) [left|right] [to the left|to the right]', 'heading_control', 'orbit', undefined, 'command'],
  ['make [a] (one eighty|one eighty turn|180)', 'heading_control', 'turn', undefined, 'command'],
  ['(orbit|orbid|orbiting) [to the] (left|right)', 'heading_control', 'orbit', undefined, 'command'],
  ['[to] (intercept|join|capture) [the] localizer', 'heading_control', 'intercept', undefined, 'command'],
  ['(intercept|join|capture) [the] (ils|glide|glidepath|final approach track|final approach course|final track|final)', 'heading_control', 'intercept', undefined, 'command'],
  ['(intercepting|joining|capturing) [the] localizer', 'heading_control', 'intercept', undefined, 'command'],

  // speed
  ['reduce [your] [now] [speed] [to]', 'speed_control', 'reduce_speed', 'speed'],
  ['reduce (speed|your speed|airspeed) [now]', 'speed_control', 'reduce_speed', 'speed'],
  ['reducing [your] [speed]', 'speed_control', 'reduce_speed', 'speed'],
  ['slow [down]', 'speed_control', 'reduce_speed', 'speed'],
  ['slowing [down]', 'speed_control', 'reduce_speed', 'speed'],
  ['increase [your] [speed]', 'speed_control', 'increase_speed', 'speed'],
  ['increasing [your] [speed]', 'speed_control', 'increase_speed', 'speed'],
  ['maintain [your] speed', 'speed_control', 'maintain_speed', 'speed'],
  ['maintaining speed', 'speed_control', 'maintain_speed', 'speed'],
  ['keep [your] speed', 'speed_control', 'maintain_speed', 'speed'],
  ['(keep|keeping) [up]', 'speed_control', 'maintain_speed', 'speed', 'keep'],
  ['(resume|resuming) [normal|published|own|scheduled] speed', 'speed_control', 'resume_speed', undefined, 'command'],
  ['no [atc] speed (restriction|restrictions|limit|limits|limitation)', 'speed_control', 'resume_speed', undefined, 'command'],
  ['no speed', 'speed_control', 'resume_speed', undefined, 'command'],
  ['[your] speed (is free|is yours|is your own|as convenient)', 'speed_control', 'resume_speed', undefined, 'command'],
  ['(keep|maintain) [up] [your] (high|best|maximum) speed', 'speed_control', 'maintain_speed', undefined, 'command'],
  ['(free|high|own) speed [approved]', 'speed_control', 'resume_speed', undefined, 'command'],
  ['speed (at|is) (own|your) discretion', 'speed_control', 'resume_speed', undefined, 'command'],
  ['speed', 'speed_control', 'maintain_speed', 'speed'],

  // clearances
  ['[you are|is|are] (cleared|clear) [to] land', 'clearance', 'cleared_to_land', 'runway', 'command'],
  ['land', 'clearance', 'cleared_to_land', 'runway', 'land'],
  ['[cleared] [to] (circle|circling) to land', 'clearance', 'cleared_approach', 'runway', 'command'],
  ['(cleared|clear) landing', 'clearance', 'cleared_to_land', 'runway', 'command'],
  ['(landing|land) [at|on] [own|your|my|pilots] discretion', 'clearance', 'cleared_to_land', 'runway', 'command'],
  ['(cleared|clear) [for|to] [the|an|immediate|an immediate] takeoff', 'clearance', 'cleared_takeoff', 'runway', 'command'],
  ['(departure|takeoff) [at] (own|your|my) discretion', 'clearance', 'cleared_takeoff', 'runway', 'command'],
  ['cancel takeoff [clearance]', 'clearance', 'cancel_takeoff', undefined, 'command'],
  ['cancel [approach|landing|the] clearance', 'clearance', 'cancel_clearance', undefined, 'command'],
  ['(cleared|clear) [for] [the|a] (touch and go|touch go|option|stop and go)', 'clearance', 'cleared_touch_and_go', 'runway', 'command'],
  ['(touch and go|touch go|stop and go|low approach|low pass)', 'clearance', 'cleared_touch_and_go', 'runway', 'circuit'],
  ['(cleared|clear) [for] [the|a] (low approach|low pass)', 'clearance', 'cleared_low_approach', 'runway', 'command'],
  ['go around', 'runway_instruction', 'go_around', undefined, 'command'],
  ['going around', 'runway_instruction', 'go_around', undefined, 'command'],
  ['[execute] missed approach', 'runway_instruction', 'go_around', undefined, 'command'],
  ['(continue|continuing) [for] [the|your] [straight in] approach', 'clearance', 'continue_approach', 'runway', 'command'],
  ['[proceed] direct [to]', 'clearance', 'direct', 'waypoint', 'direct'],
  ['(proceeding|going|routing) direct [to]', 'clearance', 'direct', 'waypoint', 'direct'],
  ['cleared [to] [proceed] direct [to]', 'clearance', 'direct', 'waypoint', 'direct'],
  ['(route|routing) direct [to]', 'clearance', 'direct', 'waypoint', 'direct'],
  ['(fly|navigate|set course) direct [to]', 'clearance', 'direct', 'waypoint', 'direct'],
  ['proceed', 'clearance', 'direct', 'waypoint', 'proceed'],
  ['(proceeding|routing|inbound)', 'clearance', 'direct', 'waypoint', 'proceed'],
  ['resume [own|your|normal|your own] navigation', 'clearance', 'resume_navigation', undefined, 'command'],
  ['(resuming|own) [own] navigation', 'clearance', 'resume_navigation', undefined, 'command'],
  ['hold [over|at|overhead]', 'clearance', 'hold', 'waypoint', 'hold'],
  ['holding (over|at|overhead)', 'clearance', 'hold', 'waypoint', 'hold'],
  ['[enter|join] [the] holding (over|at)', 'clearance', 'hold', 'waypoint', 'hold'],
  ['cleared [to]', 'clearance', 'cleared_route', 'waypoint', 'cleared'],
  ['clear to', 'clearance', 'cleared_route', 'waypoint', 'cleared'],
  ['[engine] startup [and pushback] [is|are] approved', 'clearance', 'startup', undefined, 'command'],
  ['pushback [is] approved', 'clearance', 'pushback', undefined, 'command'],
  ['(pushback and startup|startup and pushback) [is|are] approved', 'clearance', 'pushback', undefined, 'startup-too'],
  ['(engine start|engines start) [up] [is] approved', 'clearance', 'startup', undefined, 'command'],
  ['(cleared|clear) [for|to] (pushback|push) [and] [startup|start]', 'clearance', 'pushback', undefined, 'command'],
  ['(cleared|clear) [for|to] (startup|start)', 'clearance', 'startup', undefined, 'command'],
  ['(push|pushing|pushback) [back] [and] [startup|start]', 'clearance', 'pushback', undefined, 'push'],
  ['(startup|start)', 'clearance', 'startup', undefined, 'push'],
  ['(enter|join|leave) [the] (control zone|zone|control|ctr)', 'clearance', 'cleared_route', 'route', 'command'],
  ['[make|join|to join] [mid|the] [right|left] [hand] (downwind|base|final|crosswind|upwind|circuit|pattern|base leg)', 'clearance', 'join_pattern', 'runway', 'pattern'],
  ['(join|joining) [mid|the|wide] [right|left] [hand] (downwind|base|final|crosswind|upwind|circuit|pattern|base leg)', 'clearance', 'join_pattern', 'runway', 'command'],
  ['(make|making|fly) [right|left] [hand] [closed] traffic', 'clearance', 'join_pattern', 'runway', 'command'],
  ['[make] [a] straight in [approach]', 'clearance', 'join_pattern', 'runway', 'pattern'],
  ['(frequency change|change frequency|change of frequency|to change frequency) [is] approved', 'contact', 'approved', undefined, 'command'],
  ['[is|are] approved', 'clearance', 'approved', undefined, 'command'],
  ['[that is|that\'s] approved', 'clearance', 'approved', undefined, 'command'],

  // runway
  ['(line|lining) up [and wait] [and hold]', 'runway_instruction', 'line_up', 'runway', 'command'],
  ['(position|taxi into position) and hold', 'runway_instruction', 'line_up', 'runway', 'command'],
  ['[to] hold short [position]', 'runway_instruction', 'hold_short', 'runway', 'command'],
  ['holding short', 'runway_instruction', 'hold_short', 'runway', 'command'],
  ['(cross|crossing)', 'runway_instruction', 'cross_runway', 'runway', 'cross'],
  ['(vacate|vacating|exit|exiting|vacated) [the] [runway] [next|first|second|to the|on the|to your] (left|right)', 'runway_instruction', 'vacate', undefined, 'vacate'],
  ['(vacate|vacating|vacated)', 'runway_instruction', 'vacate', undefined, 'vacate'],
  ['(clear of|clear) [the] runway', 'runway_instruction', 'vacate', undefined, 'command'],
  ['(backtrack|backtracking)', 'runway_instruction', 'backtrack', 'runway', 'command'],
  ['(enter|entering) [and backtrack]', 'runway_instruction', 'backtrack', 'runway', 'enter'],

  // taxi
  ['(taxi|taxiing|taxied) [back]', 'taxiway_instruction', 'taxi', undefined, 'taxi'],
  ['(follow|following) [the] greens', 'taxiway_instruction', 'taxi', undefined, 'taxi'],
  ['[continue|continuing] (taxi|taxiing)', 'taxiway_instruction', 'taxi', undefined, 'taxi'],
  ['(hold|holding) [your] position', 'taxiway_instruction', 'hold_position', undefined, 'command'],
  ['[for] [a] full stop [landing]', 'clearance', undefined, 'runway', 'pattern'],
  ['(stop|stopping) [immediately|taxi]', 'taxiway_instruction', 'hold_position', undefined, 'stop'],

  // sequence
  ['[you are|you\'re|your] number (one|two|three|four|five|six|seven|eight|nine|ten)', 'sequence_control', 'number', undefined, 'number'],
  ['(follow|following)', 'sequence_control', 'follow', 'traffic', 'follow'],
  ['sequenced', 'sequence_control', 'number', 'traffic', 'command'],
  ['(give|giving) way [to]', 'sequence_control', 'give_way', 'traffic', 'follow'],
  ['pass behind', 'sequence_control', 'give_way', 'traffic', 'follow'],
  ['(extend|extending) [your] downwind', 'sequence_control', 'number', undefined, 'command'],
  ['(maintain|maintaining) [own|visual|your own] separation', 'sequence_control', 'follow', undefined, 'command'],

  // contact
  ['contact', 'contact', 'contact', 'frequency'],
  ['(you can|you may|now) contact', 'contact', 'contact', 'frequency'],
  ['connect', 'contact', 'contact', 'frequency', 'over'],
  ['contacting', 'contact', 'contact', 'frequency'],
  ['(monitor|monitoring)', 'contact', 'monitor', 'frequency'],
  ['(over|switch|switching|change|changing) to', 'contact', 'contact', 'frequency', 'over'],
  ['(switch|switching)', 'contact', 'contact', 'frequency', 'over'],
  ['call', 'contact', 'contact', 'frequency', 'call'],
  ['calling', 'contact', 'contact', 'frequency', 'call'],
  ['(standby|stand by) (for|on)', 'contact', 'standby_for', 'frequency', 'over'],
  ['(remain|stay|remaining|staying) [on] (this|my) frequency', 'contact', 'monitor', undefined, 'command'],
  ['[you can|you may] (leave|change) [the|this] frequency', 'contact', 'approved', undefined, 'command'],
  ['[you may] leave [the|this] frequency', 'contact', 'approved', undefined, 'command'],
];

function expand(pattern: string): string[][] {
  const pieces = pattern.match(/\[[^\]]*\]|\([^)]*\)|\S+/gu) ?? [];
  let all: string[][] = [[]];
  for (const piece of pieces) {
    const inside = piece.replace(/^[[(]|[\])]$/gu, '');
    const choices = inside.split('|').map((choice) => choice.split(' '));
    const options: string[][] = piece.startsWith('[') ? [[], ...choices] : choices;
    all = all.flatMap((head) => options.map((option) => [...head, ...option]));
  }
  return all.filter((words) => words.length > 0);
}

const TABLE: ReadonlyMap<string, readonly Phrase[]> = (() => {
  const table = new Map<string, Phrase[]>();
  const seen = new Set<string>();
  for (const [pattern, label, verb, hint, kind = 'value'] of ROWS) {
    for (const words of expand(pattern)) {
      const key = words.join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      const [head = ''] = words;
      const list = table.get(head) ?? [];
      list.push({ words, label, verb, hint, kind, progressive: head.endsWith('ing') });
      table.set(head, list);
    }
  }
  for (const list of table.values()) list.sort((a, b) => b.words.length - a.words.length);
  return table;
})();

/** Phrases that start with a word, longest first. */
export const phrasesAt = (word: string): readonly Phrase[] => TABLE.get(word) ?? [];

/** The longest phrase whose words stand at a position, `text` giving the word at any position. */
export const phraseIn = (text: (index: number) => string, at: number): Phrase | undefined => phrasesAt(text(at)).find((phrase) => phrase.words.every((word, offset) => text(at + offset) === word));

/** All words of the table, for checks. */
export const phraseWords = (): readonly string[] => [...new Set([...TABLE.values()].flat().flatMap((phrase) => phrase.words))].filter((word) => /^[a-z]/u.test(word));
