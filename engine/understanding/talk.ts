/**
 * Words about the talk itself: acknowledgements, questions, "say again", "correction".
 */
import { acknowledgementOf, unitAt } from '../phraseology/index.js';
import type { Scanner } from './scanner.js';

/** Acknowledgements, questions, corrections: words about the talk itself. */
export function talk(s: Scanner, i: number): boolean {
  const take = (count: number): true => {
    s.fill(i, i + count);
    s.at = i + count;
    return true;
  };
  const text = s.text(i);
  switch (text) {
    case 'say':
      if (s.is(i, 'say', 'again')) {
        s.signs.sayAgain = true;
        return take(2);
      }
      if (s.oneOf(i + 1, /^(?:your|speed|altitude|heading|level|position|intentions|mach|number|type|callsign|again|qnh|request|alt)$/u)) {
        s.signs.question = true;
        s.modality = 'question';
        return take(1);
      }
      return false;
    case 'reading':
    case 'read':
    case 'readability':
    case 'loud':
    case 'five': {
      const count = readability(s, i);
      return count > 0 ? take(count) : false;
    }
    case 'repeat':
      s.signs.sayAgain = true;
      return take(1);
    case 'confirm':
    case 'confirming':
      s.signs.confirm = true;
      // "I confirm cleared to land" gives it again; "confirm cleared to land" asks
      if (i + 1 < s.t.length && s.masked[i + 1] !== true && !s.is(i - 1, 'i')) s.modality = 'question';
      return take(1);
    case 'verify':
      s.signs.confirm = true;
      s.modality = 'question';
      return take(1);
    case 'disregard': {
      // "turn left heading disregard turn right heading …": taken back in the same breath
      const begun = s.labels.slice(0, i).some((label) => label !== undefined && label !== 'O' && label !== 'callsign' && label !== 'controller');
      if (begun && s.phraseAt(i + 1) !== undefined) {
        s.signs.correction = true;
        s.retractBefore(i);
        return take(1);
      }
      s.signs.disregard = true;
      return take(1);
    }
    case 'standby':
      if (s.oneOf(i + 1, /^(?:for|on|one)$/u) && s.t[i + 2] !== undefined && (s.number(i + 2) !== undefined || unitAt(s.t, i + 2) !== undefined)) return false;
      s.signs.standby = true;
      return take(1);
    case 'standing':
      if (!s.is(i, 'standing', 'by')) return false;
      // "standing by for flight level eight zero": what is waited for is not taken yet
      s.signs.standby = true;
      if (s.is(i + 2, 'for') && unitAt(s.t, i + 3) === undefined) s.modality = 'expect';
      return take(2);
    case 'go':
      if (s.is(i, 'go', 'ahead')) {
        s.signs.goAhead = true;
        return take(2);
      }
      return false;
    case 'pass':
      if (s.is(i, 'pass', 'your', 'message') || s.is(i, 'pass', 'message')) {
        s.signs.goAhead = true;
        return take(s.is(i, 'pass', 'your') ? 3 : 2);
      }
      return false;
    case 'ready': {
      // "ready for departure": a report of the crew, also when it was told to report so
      let to = i + 1;
      if (s.is(to, 'for') || s.is(to, 'to')) to++;
      while (to > i + 1 && s.oneOf(to, /^(?:taxi|departure|takeoff|startup|pushback|start|push|and|descent|approach|climb|ifr|vfr|copy|clearance|the|line|up|immediate|engine)$/u)) to++;
      if (s.oneOf(to - 1, /^(?:for|to|and|the)$/u)) to = i + 1;
      if (s.likelyPilot) s.signs.report = true;
      return take(to - i);
    }
    case 'looking':
    case 'searching':
      s.signs.report = true;
      return take(1);
    case 'mayday':
    case 'pan':
      s.signs.report = true;
      return take(1);
    case 'established':
    case 'establish': {
      s.signs.report = true;
      s.mark(i, i + 1, 'condition');
      s.closeVerb();
      s.reset();
      s.hint = 'runway';
      s.position = true;
      s.at = i + 1;
      return true;
    }
    case 'correct':
      // recognised for "correction": directly between a heading, a level … and another one with its carrier
      if (!correctsValue(s, i)) return false;
      s.retractBefore(i);
      return take(1);
    case 'correction':
      s.signs.correction = true;
      if (correctedSide(s, i)) return true;
      s.retractBefore(i);
      return take(1);
    case 'break':
      s.reset();
      return take(1);
    case 'readback':
      if (s.oneOf(i + 1, /^(?:correct|is)$/u)) {
        s.acknowledgements.push('readback_correct');
        s.signs.readbackCorrect = true;
        return take(s.text(i + 1) === 'is' ? 3 : 2);
      }
      return take(1);
    case 'negative':
      s.acknowledgements.push('negative');
      s.mark(i, i + 1, 'polarity');
      s.at = i + 1;
      return true;
    case 'roger':
    case 'rodger':
    case 'wilco':
    case 'vilco':
    case 'affirm':
    case 'affirmative':
    case 'affirmation':
    case 'affirmatif':
    case 'copied':
    case 'copy':
    case 'okay':
    case 'ok':
    case 'yes':
    case 'yeah':
    case 'understood': {
      s.acknowledgements.push(acknowledgementOf(text) ?? text);
      return take(1);
    }
    case 'will':
      if (s.is(i, 'will', 'comply')) {
        s.acknowledgements.push('wilco');
        return take(2);
      }
      return false;
    case 'request':
    case 'requesting':
    case 'requests':
    case 'like':
      if (text === 'like' && !s.oneOf(i - 1, /^(?:would|i'd|we'd|you)$/u)) return false;
      s.signs.request = true;
      s.modality = 'request';
      s.mark(i, i + 1, 'O');
      // the request word joins the action that it asks for
      s.at = i + 1;
      s.pendingRequest = i;
      return true;
    case 'are':
    case 'do':
    case 'can':
    case 'did':
    case 'could':
    case 'would':
    case 'may':
    case 'is':
    case 'what':
    case 'which':
    case 'how':
    case 'when':
    case 'where':
      return question(s, i);
    default:
      return false;
  }
}

/** "reading you five", "readability four", "five by five", "loud and clear": how well one is heard (Doc 4444 §12.3.1.12). Number of words, or 0. */
function readability(s: Scanner, i: number): number {
  const scale = (at: number): boolean => s.t[at]?.number?.kind === 'digits' && /^[1-5]$/u.test(s.number(at)?.whole.slice(0, 1) ?? '');
  if (s.is(i, 'loud', 'and', 'clear')) return 3;
  let at = i;
  if (s.is(at, 'readability')) at++;
  else if (s.oneOf(at, /^(?:read|reading)$/u)) {
    if (!s.is(at + 1, 'you')) return 0;
    at += 2;
    if (s.is(at, 'loud', 'and', 'clear')) return at + 3 - i;
    if (s.oneOf(at, /^(?:strength|readability)$/u)) at++;
    if (!scale(at)) return 2;
  }
  const pair = (s.oneOf(at + 1, /^(?:by|on|over)$/u) && scale(at + 2)) ? 3 : s.is(at + 1, 'out', 'of') && scale(at + 3) ? 4 : 0;
  if (at === i) return pair > 0 && s.is(i, 'five') && s.is(i + 2, 'five') && s.number(i - 1) === undefined ? pair : 0;
  return scale(at) ? at + Math.max(pair, 1) - i : 0;
}

export function question(s: Scanner, i: number): boolean {
  const head = i === 0 || s.masked[i - 1] === true || s.labels[i - 1] === 'O' || s.labels[i - 1] === 'controller';
  const asks =
    s.is(i, 'are', 'you') ? !s.oneOf(i + 2, /^(?:cleared|identified|number|recleared|clear|still|now)$/u)
    : s.oneOf(i, /^(?:do|did|can|could|would|are)$/u) ? s.oneOf(i + 1, /^(?:you|we|i|the)$/u) && !(s.is(i, 'you', 'can') || s.is(i - 1, 'you'))
    : s.oneOf(i, /^(?:what|which|how|where)$/u) ? head
    : s.is(i, 'when') ? s.oneOf(i + 1, /^(?:did|do|can|will)$/u)
    : s.is(i, 'is') ? head && s.oneOf(i + 1, /^(?:the|it|this|that|there)$/u) && !s.is(i - 1, 'that')
    : false;
  if (!asks) return false;
  s.signs.question = true;
  if (!s.is(i, 'can', 'we') && !s.is(i, 'can', 'i')) s.modality = 'question';
  else {
    s.signs.request = true;
    s.modality = 'request';
  }
  const to = s.oneOf(i + 1, /^(?:you|we|i)$/u) ? i + 2 : i + 1;
  s.fill(i, to);
  if (s.is(to, 'able')) {
    s.fill(to, to + 1);
    s.at = to + 1;
  } else s.at = to;
  return true;
}

/** "heading two five zero correct heading two seven zero": the kind of value that was just said, said again. */
function correctsValue(s: Scanner, i: number): boolean {
  const last = s.items.at(-1);
  const word = s.t[i];
  if (last === undefined || word?.from !== last.span[1]) return false;
  return (last.slot === 'heading' && s.is(i + 1, 'heading')) || (last.slot === 'altitude' && last.value.startsWith('FL') && s.is(i + 1, 'flight', 'level')) || (last.slot === 'runway' && s.is(i + 1, 'runway'));
}

/** "runway two four left correction right": only the side is replaced. */
function correctedSide(s: Scanner, i: number): boolean {
  const side = s.oneOf(i + 1, /^(?:left|right|center)$/u) ? s.text(i + 1).slice(0, 1).toUpperCase() : undefined;
  const last = s.items.at(-1);
  const word = s.t[i];
  const next = s.t[i + 1];
  if (side === undefined || last?.slot !== 'runway' || word === undefined || next === undefined || word.from !== last.span[1] || !/[LRC]$/u.test(last.value)) return false;
  last.value = last.value.slice(0, -1) + side;
  last.span = [last.span[0], next.to];
  s.takeBack(i - 1, i + 1);
  s.mark(i + 1, i + 2, 'runway');
  s.at = i + 2;
  return true;
}
