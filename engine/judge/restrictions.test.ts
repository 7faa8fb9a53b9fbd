/** Restrictions in many wordings: dropped they are never right, in the same or in other words they are (J17). */
import { describe, expect, test } from 'vitest';
import { understand } from '../understanding/index.js';
import { judgeByRules } from './index.js';

const judge = (given: string, said: string) => judgeByRules({ instruction: understand({ id: 'i', text: `csa two five kilo ${given}` }), readback: understand({ id: 'r', text: `${said} csa two five kilo` }), profile: 'icao' });

const ORDERS = ['climb flight level two one zero', 'descend four thousand feet', 'turn left heading two four zero', 'direct to lanux'];

/** What limits an order or what it waits for. */
const RESTRICTIONS = [
  'at or above the glide path', 'not below the glideslope', 'remain on or above the glide path', 'remain above the papi', 'within the next three minutes', 'in less than two minutes', 'in the next five miles', 'over the next ten miles', 'for the next two minutes',
  'for one minute', 'when passing kilnu', 'having passed kilnu', 'once past kilnu', 'prior kilnu', 'prior to kilnu', 'five miles prior kilnu', 'five miles short of kilnu', 'one zero miles past kilnu', 'out of six thousand', 'on reaching six thousand feet',
  'when clear of cloud', 'clear of controlled airspace', 'remaining outside controlled airspace', 'keep clear of the control zone', 'avoiding the danger area', 'remain north of the river', 'keep south of the motorway', 'subject to the landing cessna',
  'provided you are visual', 'provided that you have the field in sight', 'as long as you remain visual', 'unless you have the field in sight', 'on my command', 'on my signal', 'when instructed', 'only when visual', 'until the localizer',
  'until intercepting the localizer', 'when on the localizer', 'when the traffic has passed', 'after the seven eight seven has crossed', 'once the a three twenty one has landed', 'behind the dash eight on final', 'behind the landing king air', 'after the departing king air', 'behind the departing twin otter', 'after the landing super king air', 'after the departing windfisher', 'behind the landing windfisher', 'not before time one five', 'by time three five',
  'no later than time three five', 'no slower than one eight zero', 'no faster than two one zero', 'not less than one eight zero knots', 'maximum two two zero knots', 'at two thousand feet per minute', 'not less than one thousand five hundred feet per minute', 'at two thousand feet per minute or greater', 'to be level by kilnu', 'cross kilnu at flight level one hundred or above',
  'not below kilnu', 'at or above kilnu', 'not above the minimum', 'not below the cloud base', 'not above flight level one hundred', 'stop at flight level one hundred', 'until four miles', 'by four miles final', 'leave kilnu on heading zero six zero',
];

/** Politeness, urgency and reasons: nothing is lost when they do not come back. */
const NO_CONDITIONS = ['if possible', 'if able', 'if you can', 'if you like', 'if practicable', 'as soon as possible', 'as soon as you can', 'unless otherwise advised', 'due to a disabled aircraft', 'because of the birds', 'due to work in progress', 'when convenient', 'at your discretion', 'please', 'expedite'];

const SAME: readonly (readonly [string, string])[] = [
  ['at or above the glide path', 'not below the glide'], ['within the next three minutes', 'in the next three minutes'], ['after kilnu', 'once past kilnu'], ['before kilnu', 'prior to kilnu'], ['prior to kilnu', 'before kilnu'],
  ['remain outside controlled airspace', 'remaining outside controlled airspace'], ['keep clear of the zone', 'remaining clear of the control zone'], ['no slower than one eight zero knots', 'one eight zero or greater'],
  ['no faster than two one zero knots', 'two one zero knots or less'], ['behind the landing airbus', 'after the landing three twenty'], ['after the seven eight seven has crossed', 'once the seven eight seven has crossed'], ['after the learjet has crossed', 'once the learjet is across'], ['after the embraer one ninety', 'behind the one ninety'],
  ['remain north of the river', 'staying north of the river'], ['for the next ten miles', 'for ten miles'], ['on my signal', 'on your signal'], ['leave kilnu heading two four zero', 'after kilnu heading two four zero'], ['until the localizer', 'until established on the localizer'],
  ['when established on the localizer', 'once established'], ['to be level by kilnu', 'level by kilnu'], ['out of six thousand', 'leaving six thousand'], ['unless you have the field in sight', 'unless we have the field in sight'], ['as long as you remain visual', 'as long as we remain visual'],
];

/** The same restriction the other way round, or with another value. */
const OTHER: readonly (readonly [string, string])[] = [
  ['at or above the glide path', 'at or below the glide path'], ['before kilnu', 'after kilnu'], ['prior to kilnu', 'after passing kilnu'], ['not before time one five', 'before time one five'], ['no slower than one eight zero knots', 'one eight zero knots or less'],
  ['behind the landing airbus', 'behind the departing airbus'], ['after the seven eight seven has crossed', 'after the seven three seven has crossed'], ['within three minutes', 'within five minutes'], ['until four miles', 'until six miles'], ['remain north of the river', 'remain south of the river'],
];

describe('J17 a restriction', () => {
  test.each(RESTRICTIONS)('"%s" left out is no right readback', (restriction) => {
    for (const order of ORDERS) expect(judge(`${order} ${restriction}`, order).verdict, order).not.toBe('correct');
  });
  test.each(RESTRICTIONS)('"%s" said again is right', (restriction) => {
    for (const order of ORDERS) expect(judge(`${order} ${restriction}`, `${order} ${restriction}`).verdict, order).toBe('correct');
  });
  test.each(SAME)('"%s" read back as "%s" is right', (given, said) => {
    for (const order of ORDERS) {
      expect(judge(`${order} ${given}`, `${order} ${said}`).verdict, order).toBe('correct');
      expect(judge(`${given} ${order}`, `${said} ${order}`).verdict, order).toBe('correct');
    }
  });
  test.each(OTHER)('"%s" read back as "%s" is not', (given, said) => {
    for (const order of ORDERS) {
      expect(judge(`${order} ${given}`, `${order} ${said}`).verdict, order).not.toBe('correct');
      expect(judge(`${given} ${order}`, `${said} ${order}`).verdict, order).not.toBe('correct');
    }
  });
  test.each(NO_CONDITIONS)('"%s" need not come back', (words) => {
    for (const order of ORDERS) expect(judge(`${order} ${words}`, order).verdict, order).toBe('correct');
  });
});
