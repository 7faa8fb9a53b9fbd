import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromInt16, toInt16 } from './pcm.js';

it('sound is limited at full scale, and 0 where there is no number', () => {
  expect([...toInt16(Float32Array.from([1, 1.5, -1, -7, NaN, Infinity, -Infinity, 0]))]).toEqual([32767, 32767, -32768, -32768, 0, 32767, -32768, 0]);
});

it('sound comes back to half a step of 16 bits, and what is stored comes back as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -0.9999, max: 0.9999, noNaN: true }), { maxLength: 200 }), (values) => {
      const sent = Float32Array.from(values);
      const got = fromInt16(toInt16(sent));
      got.forEach((value, i) => {
        expect(Math.abs(value - (sent[i] ?? 0))).toBeLessThanOrEqual(0.5 / 32768 + 1e-9);
      });
      expect([...toInt16(got)]).toEqual([...toInt16(sent)]);
    }),
  );
});
