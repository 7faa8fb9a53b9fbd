/**
 * Action phrases: which one is meant where the words after it decide.
 */
import { unitAt } from '../phraseology/index.js';
import type { Action } from '../domain/taxonomy.js';
import { bareLevel, fixAt, headingAhead, levelAt, looksLikeFrequency, namedTrafficAt, runwayAt, trafficAt, trafficKey } from './names.js';
import { phrasesAt, type Phrase } from './phrases.js';
import { type Scanner, clamp } from './scanner.js';
import { APPROACH_TYPES } from './terms.js';

/** "cleared [for] [the] ils zulu approach", "cleared visual", "cleared to <place> via <procedure>". */
export function clearedPhrase(s: Scanner, i: number): boolean {
  if (!s.oneOf(i, /^(?:cleared|clear|recleared|request|requesting|for)$/u)) return false;
  const verbWord = s.text(i);
  if (verbWord === 'for' && s.pendingRequest === undefined) return false;
  let at = i + 1;
  while (s.oneOf(at, /^(?:for|the|to|a|an|straight|in|full|short|circling)$/u)) at++;
  const type = APPROACH_TYPES.get(s.text(at));
  const bare = s.is(at, 'approach');
  if (type === undefined && !bare) return false;
  if (s.text(at) === 'visual' && s.oneOf(at + 1, /^(?:departure|separation|climb)$/u)) return false;
  if (s.text(at) === 'vfr' || (s.text(at) === 'contact' && !s.is(at + 1, 'approach'))) return false;
  let to = at + 1;
  let variant = '';
  if (type !== undefined) {
    const letter = s.letter(to);
    if (letter !== undefined && /^[P-Z]$/u.test(letter)) {
      variant = letter;
      to++;
    }
    if (s.is(to, 'dme')) to++;
    if (s.is(to, 'approach')) to++;
  }
  s.dropFalseStart(i);
  s.closeVerb();
  const from = s.pendingRequest === i - 1 ? i - 1 : i;
  s.mark(from, to, 'clearance');
  s.verb = 'cleared_approach';
  s.action = 'clearance';
  if (s.modality === 'expect' || s.modality === 'information') s.modality = 'command';
  if (verbWord.startsWith('request')) s.modality = 'request';
  const items: number[] = [];
  if (type !== undefined) items.push(s.addItem('approach', { value: type + variant, sure: 1 }, at, to, { verb: 'cleared_approach', action: 'clearance' }));
  s.addCommand('cleared_approach', 'clearance', from, to, items);
  s.openVerb = undefined;
  s.hint = 'runway';
  s.expectFix = false;
  s.path = false;
  s.at = to;
  return true;
}

export function actionPhrase(s: Scanner, i: number): boolean {
  for (const phrase of phrasesAt(s.text(i))) {
    if (!phrase.words.every((word, offset) => s.text(i + offset) === word)) continue;
    if (takePhrase(s, phrase, i)) return true;
  }
  return false;
}

export function takePhrase(s: Scanner, phrase: Phrase, start: number): boolean {
  let i = start;
  const to = i + phrase.words.length;
  const request = s.pendingRequest;
  if (request !== undefined && request >= i - 2 && s.t.slice(request + 1, i).every((token) => /^(?:to|a|the|for|engine|further|an)$/u.test(token.text))) i = request;
  const begin = (p: Pick<Phrase, 'verb' | 'label' | 'hint'> = phrase): true => {
    s.noteForm(phrase);
    s.begin(p, i, to);
    return true;
  };
  const command = (p: Pick<Phrase, 'verb' | 'label' | 'hint'> = phrase): true => {
    s.noteForm(phrase);
    s.beginCommand(p, i, to);
    return true;
  };
  const next = s.text(to);
  switch (phrase.kind) {
    case 'value':
      if (phrase.words[0] === 'speed' && phrase.words.length === 1) return speedWord(s, start);
      if (phrase.verb === 'turn_left' || phrase.verb === 'turn_right' || phrase.verb === 'turn') {
        // on the ground a turn is part of the taxi route
        if (s.ground && !headingAhead(s, to)) {
          if (phrase.verb === 'turn' && /^(?:base|final|downwind|in|out|around)$/u.test(next)) return command({ verb: 'join_pattern', label: 'clearance', hint: undefined });
          const begun = begin({ verb: phrase.verb, label: 'taxiway_instruction', hint: undefined });
          s.path = true;
          return begun;
        }
        if (/^(?:base|final|downwind|crosswind|out|upwind)$/u.test(next)) {
          s.noteForm(phrase);
          s.beginCommand({ verb: 'join_pattern', label: 'clearance', hint: 'runway' }, i, to + 1);
          return true;
        }
      }
      if ((phrase.verb === 'climb' || phrase.verb === 'descend') && s.is(start - 1, 'for') && s.oneOf(start - 2, /^(?:standby|ready|request|clearance|cleared|higher|lower)$/u)) return false;
      // nobody climbs up a runway: "lining up", misheard
      if (phrase.verb === 'climb' && phrase.words.at(-1) === 'up' && next === 'runway') return command({ verb: 'line_up', label: 'runway_instruction', hint: 'runway' });
      if (phrase.verb === 'contact' && s.is(start, 'contact') && (s.oneOf(start - 1, /^(?:radar|in|visual|lost)$/u))) return false;
      return begin();
    case 'command':
      if (phrase.verb === 'hold_short' && phrase.words[0] === 'holding') s.signs.report ||= s.likelyPilot;
      if (phrase.verb === 'approved') return approved(s, phrase, i, to);
      if (phrase.verb === 'number' && phrase.words[0] === 'sequenced') return command();
            if (phrase.verb === 'intercept' && phrase.words[0] === 'to') return false;
      return command();
    case 'short': {
      const side = s.text(start);
      if (side === 'left' || side === 'right') {
        if (s.oneOf(start - 1, /^(?:the|to|on|your|hand|from|next)$/u) && !s.is(start - 1, 'to', side) ) return false;
        if (s.oneOf(start - 1, /^(?:from|the|your)$/u)) return false;
        if (s.oneOf(to, /^(?:hand|downwind|base|final|circuit|side|crosswind|pattern)$/u)) return false;
        if (s.is(to, 'to', 'right') || s.is(to, 'to', 'left') || s.is(start - 1, 'to')) return false;
        if (headingAhead(s, to) || (s.text(to) === 'by' && s.number(to + 1) !== undefined) || (s.is(to, 'to') && s.number(to + 1) !== undefined)) return begin();
        if (s.oneOf(to, /^(?:direct|immediately|now)$/u) || s.is(to, 'to') && fixAt(s, to + 1) !== undefined) return begin();
        if (s.ground && (s.oneOf(to, /^(?:on|via|onto|into|taxiway)$/u) || s.letter(to) !== undefined)) {
          const begun = begin({ verb: side === 'left' ? 'turn_left' : 'turn_right', label: 'taxiway_instruction', hint: undefined });
          s.path = true;
          return begun;
        }
        return false;
      }
      if (s.oneOf(to, /^(?:to)$/u) ? levelAt(s, to + 1, true) !== undefined || bareLevel(s, to + 1) !== undefined : levelAt(s, to, true) !== undefined || bareLevel(s, to) !== undefined) return begin();
      return false;
    }
    case 'maintain': {
      const what = maintained(s, to);
      s.noteForm(phrase);
      if (what === 'separation') return false;
      const label: Action = what === 'speed' ? 'speed_control' : what === 'heading' ? 'heading_control' : 'altitude_control';
      if (phrase.progressive) s.signs.report ||= true;
      s.begin({ verb: what === 'speed' ? 'maintain_speed' : what === 'heading' ? 'continue_heading' : 'maintain', label, hint: what ?? 'altitude' }, i, to);
      return true;
    }
    case 'continue': {
      if (s.oneOf(to, /^(?:present|heading|runway|on)$/u) || headingAhead(s, to)) return begin({ verb: 'continue_heading', label: 'heading_control', hint: 'heading' });
      // "continue to KILNU"
      if (!s.ground && s.is(to, 'to') && s.letter(to + 1) === undefined && fixAt(s, to + 1) !== undefined) {
        const begun = begin({ verb: 'direct', label: 'clearance', hint: 'waypoint' });
        s.expectFix = true;
        return begun;
      }
      const on = s.text(to);
      if (/^(?:inbound|visual|straight|final)$/u.test(on)) return command({ verb: 'continue_approach', label: 'clearance', hint: 'runway' });
      if (s.ground || s.letter(to) !== undefined || s.oneOf(to, /^(?:via|taxiway|ahead|behind)$/u)) {
        s.ground = true;
        const begun = begin({ verb: 'taxi', label: 'taxiway_instruction', hint: undefined });
        s.path = true;
        return begun;
      }
      if (s.t[to] === undefined || s.masked[to] === true) return command({ verb: 'continue_approach', label: 'clearance', hint: undefined });
      return false;
    }
    case 'fly':
      if (s.oneOf(to, /^(?:heading|runway|present)$/u) || headingAhead(s, to)) return begin();
      if (s.oneOf(to, /^(?:the|via)$/u)) return begin({ verb: 'cleared_route', label: 'clearance', hint: undefined });
      return false;
    case 'stay':
    case 'keep':
      if (phrase.kind === 'stay' && levelAt(s, to, false) !== undefined) return begin();
      if (phrase.kind === 'keep' && (s.number(to) !== undefined || s.oneOf(to, /^(?:speed|high)$/u))) return begin();
      return false;
    case 'level': {
      // "cleared flight level 80": the level keeps its carrier
      const carrier = phrase.words.length - (phrase.words.includes('flight') ? 2 : 1);
      s.noteForm(phrase);
      s.begin({ verb: undefined, label: 'altitude_control', hint: 'altitude' }, i, start + Math.max(1, carrier));
      return true;
    }
    case 'recleared':
      if (levelAt(s, to, true) !== undefined || (s.is(to, 'to') && levelAt(s, to + 1, true) !== undefined)) return begin({ verb: undefined, label: 'altitude_control', hint: 'altitude' });
      if (s.is(to, 'direct')) { s.noteForm(phrase); s.begin({ verb: 'direct', label: 'clearance', hint: 'waypoint' }, i, to + 1); return true; }
      return begin({ verb: 'cleared_route', label: 'clearance', hint: 'waypoint' });
    case 'direct':
      s.noteForm(phrase);
      s.begin(phrase, i, to);
      s.expectFix = true;
      s.path = false;
      return true;
    case 'proceed':
      if (s.oneOf(to, /^(?:to|direct|inbound|via|towards|on|direction|visual)$/u) || fixAt(s, to) !== undefined || phrase.words[0] === 'proceed') {
        const begun = begin();
        s.expectFix = true;
        return begun;
      }
      return false;
    case 'hold': {
      if (s.oneOf(to, /^(?:position|short|point)$/u)) return false;
      if (s.ground && s.oneOf(to - 1, /^(?:at)$/u)) return command({ verb: 'hold_position', label: 'taxiway_instruction', hint: undefined });
      const fixFrom = phrase.words.length > 1 ? to : to;
      const target = fixAt(s, fixFrom);
      if (target === undefined && phrase.words.length === 1) return s.ground ? command({ verb: 'hold_position', label: 'taxiway_instruction', hint: undefined }) : false;
      s.noteForm(phrase);
      s.begin(phrase, i, start + 1);
      if (phrase.words.length > 1) {
        s.mark(start + 1, to, 'relation');
        s.at = to;
      }
      s.expectFix = true;
      return true;
    }
    case 'cleared': {
      s.noteForm(phrase);
      s.begin({ verb: 'cleared_route', label: 'clearance', hint: 'waypoint' }, i, start + 1);
      if (phrase.words.length > 1) {
        s.mark(start + 1, to, 'relation');
        s.at = to;
      }
      s.expectFix = true;
      return true;
    }
    case 'startup-too':
      command();
      s.addCommand('startup', 'clearance', i, to);
      return true;
    case 'push':
      if (s.is(start - 1, 'for') && s.oneOf(start - 2, /^(?:ready|report|call|standby)$/u)) return false;
      if (phrase.words[0] === 'start' || phrase.words[0] === 'startup') {
        if (s.modality !== 'request' && !(s.t[to] === undefined || s.masked[to] === true)) return false;
      }
      return command();
    case 'pattern': {
      const [head] = phrase.words;
      if (head === 'make' || head === 'join') return command();
      if (phrase.words.includes('stop')) {
        if (s.verb === 'cleared_to_land' || s.verb === 'cleared_route' || s.oneOf(i - 1, /^(?:cleared|recleared|make)$/u)) {
          s.mark(i, to, 'clearance');
          s.at = to;
          return true;
        }
      }
      // "final two five", "left downwind": a position report, unless an instruction joins it
      s.closeVerb();
      s.reset();
      s.mark(i, to, 'attribute');
      s.hint = 'runway';
      s.position = true;
      s.at = to;
      return true;
    }
    case 'cross': {
      // "onto north cross one" names a taxiway
      if (s.oneOf(start - 1, /^(?:north|south|east|west)$/u)) return false;
      if (s.oneOf(to, /^(?:runway|the|at)$/u) || runwayAt(s, to) !== undefined) {
        if (s.is(to, 'the') && !s.is(to + 1, 'runway') && runwayAt(s, to + 1) === undefined) return false;
        // "crossing runway access two": a place beside the runway
        if (s.is(to, 'runway') && s.oneOf(to + 1, /^(?:access|entry|exit|strip|end|edge|lights?|vicinity|track|heading)$/u)) return false;
        return command();
      }
      // "cross delta three": on the ground a letter is a taxiway
      if (s.ground && s.letter(to) !== undefined && s.t[to]?.number === undefined) {
        const begun = command();
        s.path = true;
        return begun;
      }
      const fix = fixAt(s, to);
      if (fix !== undefined) {
        if (phrase.progressive) return false;
        s.noteForm(phrase);
        s.begin({ verb: 'cross_waypoint', label: 'altitude_control', hint: 'altitude' }, i, to);
        s.mark(to, fix.to, 'waypoint');
        s.addItem('waypoint', { value: fix.value, sure: fix.sure }, to, fix.to, { verb: 'cross_waypoint' });
        s.verb = 'cross_waypoint';
        s.hint = 'altitude';
        s.expectFix = false;
        s.at = fix.to;
        return true;
      }
      if (s.ground && !phrase.progressive) return command();
      return false;
    }
    case 'vacate': {
      const begun = command();
      s.path = true;
      const done = s.commands.at(-1);
      // "… vacated" tells what was done, unless it is what is waited for
      if (phrase.words[0] === 'vacated' && !s.oneOf(start - 1, /^(?:when|once|after|if|report|until)$/u) && !s.oneOf(to, /^(?:own|your|as|at)$/u) && done !== undefined) {
        done.modality = 'report';
        s.signs.report = true;
      }
      return begun;
    }
    case 'enter':
      if (s.is(to, 'runway') || phrase.words.includes('backtrack')) return command({ verb: phrase.words.includes('backtrack') ? 'backtrack' : 'line_up', label: 'runway_instruction', hint: 'runway' });
      return false;
    case 'land':
      return next === 'after' || (next === 'runway' && (s.masked[start - 1] === true || start === 0)) ? command() : false;
    case 'circuit':
      // "touch and go runway two five" reads the clearance back; "for touch and go", "one touch and go" say what is wanted
      if (s.oneOf(start - 1, /^(?:for|after|only|one|another|last|a|the|no|next|then|and)$/u)) return false;
      return command(phrase.words[0] === 'low' ? { verb: 'cleared_low_approach', label: 'clearance', hint: 'runway' } : phrase);
    case 'taxi': {
      if (s.is(start - 1, 'for') && s.oneOf(start - 2, /^(?:ready|report|call|standby)$/u)) return false;
      s.ground = true;
      const begun = command({ verb: 'taxi', label: 'taxiway_instruction', hint: undefined });
      s.path = true;
      return begun;
    }
    case 'stop':
      if (phrase.words.length === 1 && s.oneOf(to, /^(?:climb|descent|at|and|over)$/u)) return false;
      return command();
    case 'number': {
      // "number two" is an ordinal of the sequence, not of a runway; "your" is no part of it
      const from = phrase.words.indexOf('number');
      const command2 = ((): true => {
        s.noteForm(phrase);
        if (from > 0) s.mark(start, start + from, 'O');
        s.beginCommand(phrase, start + from, to);
        return true;
      })();
      const last = s.commands[s.commands.length - 1];
      if (last !== undefined) {
        // which number it is matters: kept as a traffic position
        const reading = s.number(to - 1);
        if (reading !== undefined) {
          s.items.push({ slot: 'traffic', value: `NUMBER${reading.whole.slice(0, 1)}`, modality: 'information', span: s.span(start + from, to), confidence: clamp(s.sureness(start + from, to)), verb: 'number', action: 'sequence_control' });
          last.items.push(s.items.length - 1);
        }
      }
      return command2;
    }
    case 'follow': {
      const traffic = trafficAt(s, to) ?? namedTrafficAt(s, to);
      if (phrase.words[0] === 'following' && traffic === undefined) return false;
      command();
      const last = s.commands[s.commands.length - 1];
      if (traffic !== undefined && last !== undefined) {
        s.mark(to, traffic, 'traffic');
        last.items.push(s.addItem('traffic', { value: trafficKey(s, to, traffic), sure: 0.9 }, to, traffic));
        s.at = traffic;
      }
      return true;
    }
    case 'over': {
      if (unitAt(s.t, to) === undefined && s.number(to) === undefined && !s.is(to, 'tower')) return false;
      if (phrase.words[0] === 'switching' || phrase.words[0] === 'changing') s.signs.progressive++;
      return begin();
    }
    case 'call':
      if (s.oneOf(start - 1, /^(?:will|i|i'll|to|station|stations|we|we'll|phone)$/u) && !(unitAt(s.t, to) !== undefined)) return false;
      if (unitAt(s.t, to) === undefined && !(s.number(to) !== undefined && looksLikeFrequency(s, to)) && !(s.is(to, 'you') )) return false;
      if (s.is(to, 'you')) return false;
      return begin();
  }
}

/** "approved" with what stands before it ("crossing approved", "frequency change approved"). */
export function approved(s: Scanner, phrase: Phrase, i: number, to: number): boolean {
  s.closeVerb();
  // taxi, startup and the like before it are approved, not ordered: their command stands already
  const last = s.commands[s.commands.length - 1];
  const near = last !== undefined && last.span[1] >= (s.t[i]?.from ?? 0) - 2;
  if (near && (last.verb === 'taxi' || last.verb === 'pushback' || last.verb === 'startup' || last.verb === 'orbit' || last.verb === 'join_pattern' || last.verb === 'climb' || last.verb === 'cross_runway')) {
    if (last.modality !== 'request') last.modality = s.modality === 'request' ? 'request' : 'command';
    s.mark(i, to, phrase.label === 'contact' ? 'contact' : last.action);
    s.signs.imperative++;
    s.at = to;
    return true;
  }
  s.beginCommand({ verb: 'approved', label: phrase.label, hint: undefined }, i, to);
  s.signs.imperative++;
  return true;
}

/** What "maintain" is about: the unit or carrier word that follows decides. */
export function maintained(s: Scanner, i: number): 'speed' | 'heading' | 'altitude' | 'separation' | undefined {
  let at = i;
  while (s.oneOf(at, /^(?:your|a|an|the|now|own|present|current|until|at|to)$/u)) {
    if (s.is(at, 'present', 'heading') || s.is(at, 'current', 'heading')) return 'heading';
    if (s.is(at, 'present', 'speed') || s.is(at, 'current', 'speed')) return 'speed';
    at++;
  }
  if (s.oneOf(at, /^(?:heading)$/u) || s.is(at, 'runway', 'heading')) return 'heading';
  if (s.oneOf(at, /^(?:speed|mach|minimum|maximum|high|best)$/u)) return 'speed';
  if (s.oneOf(at, /^(?:separation|visual|vmc)$/u)) return 'separation';
  const reading = s.number(at);
  if (reading !== undefined) {
    if (s.is(reading.to, 'knots') || s.is(reading.to, 'or')) return s.is(reading.to, 'or') && s.oneOf(reading.to + 1, /^(?:above|below)$/u) ? 'altitude' : 'speed';
    if (s.is(reading.to, 'degrees')) return 'heading';
    if (!reading.scaled && reading.whole.length === 3 && (s.oneOf(reading.to, /^(?:until|to)$/u) && (s.oneOf(reading.to + 1, /^(?:dme)$/u) || s.number(reading.to + 1) !== undefined))) return 'speed';
    return 'altitude';
  }
  return undefined;
}

/** "speed": action word in "speed one eight zero", label of the value in "reduce speed …" (handled there). */
export function speedWord(s: Scanner, i: number): boolean {
  const at = s.oneOf(i + 1, /^(?:is|to|now|of|your)$/u) ? i + 2 : i + 1;
  if (s.number(at) === undefined && !s.oneOf(at, /^(?:maximum|minimum|mach|approved|not|or|own|at)$/u)) {
    s.mark(i, i + 1, 'speed_control');
    s.hint = 'speed';
    if (s.verb === undefined || s.action !== 'speed_control') s.verb = 'maintain_speed';
    s.action = 'speed_control';
    s.at = i + 1;
    return true;
  }
  s.begin({ verb: 'maintain_speed', label: 'speed_control', hint: 'speed' }, i, i + 1);
  return true;
}
