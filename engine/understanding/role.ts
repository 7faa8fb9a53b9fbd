/**
 * Who speaks and what for, from the words alone. Corpora and recorders swap speaker labels, so they are never asked.
 *
 * What decides (Doc 4444 §12.1, Annex 10 vol. II §5.2.1.7.3): a controller says the aircraft's callsign first and then orders; a pilot reads
 * back and says the callsign last, or calls a unit and then says the callsign.
 */
import { unitAt, type Token } from '../phraseology/index.js';
import type { Intent, Role } from '../domain/taxonomy.js';
import type { Span } from '../domain/understanding.js';
import type { Parsed } from './parse.js';

export interface RoleInput {
  /** Tokens without fillers. */
  readonly tokens: readonly Token[];
  /** Token ranges of the callsign, in order. */
  readonly callsigns: readonly Span[];
  readonly parsed: Parsed;
  /** Thanks, greeting or farewell before the first and behind the last callsign (or anywhere when there is none). */
  readonly courtesy: { readonly thanksBefore: boolean; readonly before: boolean; readonly after: boolean };
}

/** "Was that for …", "is that for us", "who was that for". */
const WHOM = / (?:was|is|were) (?:that|this|it|the last (?:one|call)) (?:for|to) | who (?:was|is) (?:that|this|it)(?: for)? /u;

export interface RoleReading {
  readonly role: Role;
  readonly confidence: number;
}

/** First guess from where the callsign stands, before the words are parsed. */
export function likelyPilot(tokens: readonly Token[], callsigns: readonly Span[]): boolean {
  const [first] = callsigns;
  const last = callsigns[callsigns.length - 1];
  if (first === undefined || last === undefined) return (unitAt(tokens, 0) !== undefined && tokens.some((token) => /^(?:passing|climbing|descending|inbound|ready|request)$/u.test(token.text))) || /^(?:passing|climbing|descending|maintaining|request|requesting|we|we're|i|ready)$/u.test(tokens[0]?.text ?? '');
  if (first[0] > 0) {
    for (let index = 0; index < first[0]; index++) {
      const end = unitAt(tokens, index);
      if (end !== undefined && end >= first[0] - 1) return true;
    }
  }
  if (last[1] >= tokens.length - 1 && first[0] > 1) return true;
  return pilotReport(tokens, first[1]);
}

/** "… passing", "… inbound", "… ready", "… request", "… established", behind a callsign at the head. */
const pilotReport = (tokens: readonly Token[], from: number): boolean => {
  for (let index = from; index < Math.min(tokens.length, from + 2); index++) {
    if (index > from && !/^(?:now|and|just|fully|with|currently|again|then|we|still|hello|the)$/u.test(tokens[index - 1]?.text ?? '')) break;
    if (/^(?:passing|climbing|descending|maintaining|request|requesting|ready|established|establish|inbound|approaching|with|leaving|holding|we|we're|we'd|final|downwind|turning|becoming|heading|level|joining|on|is|fully|looking|going|at|breaking|switching)$/u.test(tokens[index]?.text ?? '')) return true;
  }
  return false;
};

/** Evidence in logits: positive for the pilot, negative for the controller. */
export function readRole(input: RoleInput): RoleReading {
  const { tokens, callsigns, parsed } = input;
  const texts = tokens.map((token) => token.text);
  const text = ` ${texts.join(' ')} `;
  const { signs } = parsed;
  const has = (pattern: RegExp): boolean => pattern.test(text);
  let logit = 0;
  const [first] = callsigns;
  const last = callsigns[callsigns.length - 1];
  const atStart = first !== undefined && parsedOnlyTalk(parsed, tokens, 0, first[0]);
  const atEnd = last !== undefined && parsedOnlyTalk(parsed, tokens, last[1], tokens.length);
  const content = tokens.length - callsigns.reduce((sum, [from, to]) => sum + to - from, 0);

  if (first !== undefined && last !== undefined) {
    const before = tokens.slice(0, first[0]);
    const unitBefore = before.some((_, index) => unitAt(tokens, index) !== undefined && (unitAt(tokens, index) ?? 0) <= first[0] && parsed.labels[index] === 'controller');
    const unitAfter = parsed.labels[first[1]] === 'controller' && parsed.items.every((item) => item.slot !== 'controller' || item.verb === undefined || item.span[0] !== (tokens[first[1]]?.from ?? -1));
    if (unitBefore && !atStartOrder(parsed, tokens, first)) logit += 3;
    else if (unitBefore) logit += 1.2;
    if (unitAfter) logit -= 3;
    if (atStart && !atEnd && !unitBefore) logit -= 1.3;
    if (atEnd && !atStart) logit += 2.6;
    if (atEnd && atStart && !unitBefore && !unitAfter) {
      // nothing but talk around the callsign: an acknowledgement before it is a pilot's, behind it a controller's
      const acknowledged = parsed.acknowledgements.length > 0;
      if (acknowledged && first[0] > 0 && last[1] === tokens.length) logit += 1.6;
      else if (acknowledged && first[0] === 0) logit -= 1;
      else if (content === 0 && input.courtesy.thanksBefore && !input.courtesy.after) logit += 1;
      else if (content === 0 && input.courtesy.after && first[0] === 0) logit -= 0.5;
      else if (first[0] > 0 && last[1] === tokens.length) logit += 1;
    }
  }

  if (/^ (?:negative|no|correction) /u.test(text) && first !== undefined && first[0] <= 1 && last !== undefined && last[1] < tokens.length) logit -= 2.2;
  const orders = parsed.commands.filter((command) => command.modality === 'command').length + parsed.items.filter((item) => item.modality === 'command' && item.verb !== undefined).length;
  if (orders > 0 && signs.progressive === 0 && !atEnd) logit -= 0.9;
  if (first !== undefined && !atEnd && /^(?:expedite|extend|recleared|break)$/u.test(tokens[first[1]]?.text ?? '')) logit -= 1.8;
  if (first === undefined && orders > 0 && !startsWithVerb(parsed)) logit += 0.4;
  if (signs.progressive > 0) logit += 1.1;
  if (signs.request && !has(/ (?:what is your request|say request|your request) /u)) logit += 3;
  if (has(/ (?:any chance|just a question|would like|i'd like|we'd like|may we|can we|could we|shall we) /u)) logit += 2.5;
  // a callsign first and then where the aircraft is or what it does, without an order
  const after = first === undefined ? undefined : tokens[first[1]];
  if (first !== undefined && after !== undefined && atStart && !atEnd && parsed.labels[first[1]] !== 'controller') {
    if (/ing$/u.test(after.text) && !/^(?:expecting|standing|following|during|according|morning|evening)$/u.test(after.text)) logit += 1.8;
    if (orders === 0 && !signs.information && !signs.question && !signs.standby && parsed.commands.length === 0 && parsed.acknowledgements.length === 0) {
      const ordered = /_(?:control|instruction)$|^clearance$|^contact$/u.test(parsed.labels[first[1]] ?? '');
      const position = !ordered && (parsed.items.some((item) => item.slot === 'altitude' || item.slot === 'distance') || /^(?:final|downwind|base|overhead|over|abeam|inbound|holding|on|at|is|approaching|short|upwind|crosswind|left|right|runway|vacated|stand|gate)$/u.test(after.text));
      if (position && !has(/ (?:parking is|stand is|is calling|is the|is it) /u)) logit += 2.2;
    }
  }
  if (first === undefined && parsed.labels[0] === 'controller' && parsed.items.some((item) => item.slot === 'frequency') && !parsed.commands.some((command) => command.verb === 'contact')) logit += 1.5;
  if (first === undefined && /^ (?:right|left|cleared|runway|descending|climbing|direct|holding|taxi|on|at|straight) /u.test(text)) logit += /^ (?:right|left|on) /u.test(text) ? 1.8 : 1;
  if (has(/ (?:runway vacated|vacated runway|copy|copied|breaking off) /u)) logit += 1.2;
  if (signs.readbackCorrect) logit -= 4;
  if (has(/ (?:identified|radar contact|radar service|reidentified|not identified) /u)) logit -= 2.5;
  if (has(/ wind (?!check please)(?:is |at |calm|now |from |\w+ \w+ \w+ (?:degrees|at))/u) || parsed.items.some((item) => item.slot === 'wind') || / (?:\w+) knots /u.test(text) && parsed.items.every((item) => item.slot !== 'speed')) logit -= 2.2;
  if (has(/ (?:wilco|vilco|will comply) /u)) logit += 2.5;
  if (has(/ with you /u)) logit += 2.5;
  if (has(/ sorry (?:what|which|where|who|was) /u)) logit += 2.5;
  if (has(/ standing by /u)) logit += 2;
  if (first !== undefined && first[0] === 0 && tokens.length === first[1] + 1 && tokens[first[1]]?.text === 'go') logit -= 2;
  if (has(/ unable (?:to )?(?:accept|comply|climb|descend|turn|make|maintain|reduce) /u)) logit += 2.5;
  if (first !== undefined && first[0] <= 1 && has(/ do not (?:climb|descend|turn|cross|exceed|enter|land|line|taxi|go) /u)) logit -= 2;
  if (has(/ (?:mayday|pan pan) /u)) logit += 2.5;
  if (signs.disregard) logit -= 1;
  // remarks on what nobody could understand, and whom the last call was for
  if (has(/ (?:stepped on|blocked|at the same time|two at once|two (?:stations|transmissions)) /u) && !has(/ (?:runway|taxiway|taxi|road|way|gate|stand) (?:is |was )?blocked /u)) logit -= 2.5;
  if (has(WHOM) && first !== undefined && !signs.disregard) logit += 1;
  // "… confirm flight level one zero zero" with the callsign first: either side asks so
  if (signs.confirm && atStart && !atEnd && orders === 0) logit = Math.min(logit, 0.4) - 0.6;
  if (has(/ (?:please confirm|which (?:parking|stand|gate|taxiway|runway|frequency|way)) /u) && !atEnd) logit += 2;
  if (has(/ (?:we|we're|we'll|we'd|our|we've|us) /u)) logit += 1.6;
  if (has(/ (?:i'll|i|i'm|my|i've) /u)) logit += has(/ i (?:call|will call|coordinate|confirm|do confirm|guess|understood|'ll call) |i'll call|my frequency|call you back/u) ? -1.6 : 0.5;
  if (has(/ (?:ready for|fully ready|ready to|we are ready|are fully ready|ready) (?!one|two|three|four|five|six|seven|eight|nine)/u) && !has(/ (?:report|when|if|are you|once|advise|be|you are|your) ready| report [\w ]*ready /u)) logit += 2;
  if (has(/ (?:in sight|looking out|looking for|negative contact) /u) && !has(/ (?:report|is the|confirm|you have|have you|do you|keep|when|got) [\w ]*sight | report /u)) logit += 1.6;
  if (has(/ (?:your|you'll|you are|you're|you may|you can|you have|you should|do you|are you|can you|have you|did you|you want|if you|you) /u) && !has(/ (?:with you|thank you|call you|see you|are you able|can you (?:say|confirm|repeat)) /u)) logit -= 1.8;
  if (has(/ call you back | keep you advised | call you /u)) logit -= 1.6;
  if (has(/ (?:approved) /u) && !atEnd) logit -= 1.6;
  if (parsed.commands.some((command) => command.verb === 'report' && command.modality === 'command') && !atEnd) logit -= 1.5;
  if (has(/ (?:expect|vectors|vectoring|for spacing|caution|squawk ident|traffic information) /u) && !atEnd && !signs.request && !has(/ we expect /u)) logit -= 1.3;
  if (has(/ traffic (?!in sight)/u) && !has(/ (?:traffic in sight|looking|have the traffic|see the traffic|the traffic) /u) && parsed.signs.information) logit -= 1.8;
  if (has(/ (?:go ahead|pass your message|station calling|standby) /u) && !atEnd) logit -= 0.8;
  if (signs.report && !signs.readbackCorrect) logit += 1.4;
  if (parsed.items.some((item) => item.modality === 'report')) logit += 1.2;
  if (has(/ (?:established|fully established|establish) (?!on final approach track report)/u) && !has(/ (?:report|when|once|until|after|are you|be|if|confirm|airborne track) [\w ]*establish/u)) logit += 1.8;
  if (has(/ (?:inbound|overhead|abeam) /u) && first !== undefined && !orders) logit += 0.8;
  if (has(/ (?:one|two|three|five|six|seven|eight|ten|\d+) miles (?:final)? /u) && !has(/ until | maintain | traffic | report /u)) logit += 0.7;
  if (has(/ (?:squawking|reading|turning|descending|climbing|reducing|proceeding|taxiing|crossing|holding|vacating|leaving|approaching|continuing|switching|landing) /u) && signs.progressive === 0 && !parsed.signs.information) logit += 0.6;
  if (signs.sayAgain) logit += 0.4;
  if (/ (?:climbing|descending) $/u.test(text) && !signs.information && !parsed.commands.some((command) => command.verb === 'report')) logit += 1;
  // "going around" with what is flown ("… go around climbing four thousand"): nobody orders in that form
  if (has(/ go around (?:and |we are |we're )?(?:climbing|turning|heading|maintaining) /u)) logit += 1;
  if (has(/ flight starts | flight plan route | cleared to destination /u) && !atEnd) logit -= 1;
  if (/^ (?:roger|copied|affirm|okay|yes) /u.test(text) && first !== undefined && first[0] <= 2 && !atEnd) logit -= 0.5;
  if (first === undefined && parsed.items.length > 0 && /^ (?:and )?(?:zero|one|two|three|four|five|six|seven|eight|nine|\d)/u.test(text) && !parsed.items.some((item) => item.slot === 'wind')) logit += 1.8;
  if (has(/ (?:contact|monitor) (?:[a-z]+ )?(?:tower|ground|radar|approach|departure|control|center|director|arrival|delivery|apron) /u) && !atEnd) logit -= 1.2;
  if (has(/ information [a-z]+ /u) && signs.request) logit += 0.5;

  const confidence = 1 / (1 + Math.exp(-Math.abs(logit)));
  if (Math.abs(logit) < 0.25) return { role: 'unknown', confidence: 0.5 };
  return { role: logit > 0 ? 'pilot' : 'controller', confidence };
}

/** Between these tokens stand only words about the talk itself, greetings or a unit's name. */
function parsedOnlyTalk(parsed: Parsed, tokens: readonly Token[], from: number, to: number): boolean {
  for (let index = from; index < to; index++) {
    const label = parsed.labels[index];
    if (label !== 'O' && label !== 'controller' && label !== 'polarity' && label !== 'callsign') return false;
    if (label === 'O' && /^(?:request|requesting|ready|say|confirm|report|in|sight|established|you|with)$/u.test(tokens[index]?.text ?? '')) return false;
  }
  return true;
}

/** An order stands right behind the callsign. */
const atStartOrder = (parsed: Parsed, tokens: readonly Token[], callsign: Span): boolean => {
  const next = tokens[callsign[1]];
  if (next === undefined) return false;
  return parsed.commands.some((command) => command.span[0] === next.from && command.modality === 'command') && !/ing$/u.test(next.text);
};

const startsWithVerb = (parsed: Parsed): boolean => {
  const [first] = parsed.labels;
  return first !== undefined && /_(?:control|instruction)$|^clearance$|^contact$/u.test(first);
};

/** What the transmission is for. */
export function readIntent(parsed: Parsed, role: Role, callsigns: readonly Span[], tokens: readonly Token[], greeting: boolean): Intent {
  const { signs } = parsed;
  const commands = parsed.commands.filter((command) => command.modality === 'command' || command.modality === 'negated');
  const told = parsed.items.filter((item) => item.modality === 'command' && (item.slot !== 'controller' || item.verb !== undefined) && item.slot !== 'traffic');
  const orders = commands.length + told.length;
  const words = tokens.length - callsigns.reduce((sum, [from, to]) => sum + to - from, 0);
  if (signs.sayAgain && orders === 0) return 'say_again';
  if (signs.disregard) return 'disregard';
  if (orders === 0 && WHOM.test(` ${tokens.map((token) => token.text).join(' ')} `)) return 'confirm';
  if (role === 'controller') {
    const negated = parsed.acknowledgements.includes('negative') || (tokens.some((token) => token.text === 'correction') && orders > 0 && parsed.retracted.length === 0);
    if (negated && orders > 0) return 'correction';
    if (signs.readbackCorrect && orders === 0) return 'acknowledge';
    if (orders > 0) return 'instruction';
    if (signs.standby || signs.goAhead) return signs.standby ? 'standby' : 'greet';
    if (signs.confirm || signs.question) return 'confirm';
    if (parsed.items.some((item) => item.modality === 'expect' || item.modality === 'information') && parsed.items.some((item) => item.slot !== 'controller')) return 'inform';
    if (signs.information) return 'inform';
    if (parsed.acknowledgements.length > 0) return parsed.acknowledgements.includes('negative') ? 'inform' : 'acknowledge';
    if (greeting || (words > 0 && parsed.labels.every((label) => label === 'O' || label === 'callsign' || label === 'controller'))) return words > 6 ? 'inform' : 'greet';
    return 'unknown';
  }
  if (signs.request) return 'request';
  if ((signs.confirm || signs.question) && orders <= 1) return 'confirm';
  const reports = parsed.items.filter((item) => item.modality === 'report');
  if (orders > 0 && !(reports.length > 0 && told.length === 0 && commands.length === 0)) return 'readback';
  if (reports.length > 0 || signs.report) return 'report';
  if (signs.standby) return 'standby';
  if (parsed.commands.some((command) => command.verb === 'report')) return 'readback';
  if (parsed.acknowledgements.length > 0) return 'acknowledge';
  if (callsigns.length > 0 && words === 0) return greeting ? 'greet' : 'acknowledge';
  if (parsed.labels.includes('condition') || parsed.labels.includes('attribute') || parsed.labels.includes('runway')) return 'report';
  if (greeting || (callsigns.length > 0 && parsed.labels.every((label) => label === 'O' || label === 'callsign' || label === 'controller'))) return words > 4 ? 'report' : 'greet';
  return words > 3 ? 'inform' : 'unknown';
}
