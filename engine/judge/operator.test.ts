import { describe, expect, it } from 'vitest';
import { understand } from '../understanding/index.js';
import { createRulesJudge } from './index.js';

async function verdict(instruction: string, readback: string, callsigns?: string[]) {
  const context = callsigns === undefined ? {} : { context: { callsigns } };
  const said = understand({ id: 'i', text: instruction, ...context });
  const heard = said.callsign === null ? [] : [said.callsign];
  return await createRulesJudge().judge({ instruction: said, readback: understand({ id: 'r', text: readback, heard, ...context }), profile: 'icao', ...context });
}

describe('J43 another operator with the same number', () => {
  it.each([
    ['belavia nine one eight climb flight level one two zero', 'climb flight level one two zero red cap niner one eight'],
    ['condor four four one turn left heading two zero zero', 'left heading two zero zero green valley four four one'],
    ['minsk seven eighty three descend flight level one two zero', 'descend flight level one two zero lufthansa seven eighty three'],
    ['spicejet six five four six turn left heading three four zero', 'left heading three four zero vietjet six five four six'],
    ['luxair one five four vacate runway two eight', 'vacate runway two eight tunair one five four'],
    ['flexjet two two seven turn left heading two two zero', 'left heading two two zero execjet two two seven'],
    ['lufthansa seven eighty three descend flight level one two zero', 'descend flight level one two zero air quality cross seven eighty three'],
  ])('%s / %s: never called right', async (instruction, readback) => {
    expect((await verdict(instruction, readback)).verdict).not.toBe('correct');
  });

  it.each([
    ['lindbergh seven eight three descend flight level one two zero', 'descend flight level one two zero lindberg seven eight three'],
    ['sunexpress four four one turn left heading two zero zero', 'left heading two zero zero soon express four four one'],
    ['speedbird four four one turn left heading two zero zero', 'left heading two zero zero four four one'],
    ['KLM1023 turn left heading 200', 'left heading 200 KLM 1023'],
    ['cessna three four two papa turn left heading two zero zero', 'left heading two zero zero skyhawk three four two papa'],
    ['speedbird four four one turn left heading two zero zero', 'left heading two zero zero thank you four four one'],
  ])('%s / %s: one name, shortened, misheard or left out', async (instruction, readback) => {
    expect((await verdict(instruction, readback)).verdict).toBe('correct');
  });

  it('is taken for a mishearing where the traffic list has that number once', async () => {
    const pair = ['belavia nine one eight climb flight level one two zero', 'climb flight level one two zero bella phil nine one eight'] as const;
    expect((await verdict(...pair, ['BRU918', 'DLH4YA'])).verdict).toBe('correct');
    expect((await verdict('belavia nine one eight climb flight level one two zero', 'climb flight level one two zero green valley nine one eight', ['BRU918', 'DLH918'])).verdict).not.toBe('correct');
  });
});
