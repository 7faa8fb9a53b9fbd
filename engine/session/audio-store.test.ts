import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import wavefile from 'wavefile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HearbackError } from '../domain/result.js';
import { captured, errorOf, recognised, started, temporaryFolder, tone } from '../../test/support/session.js';
import { audioFileName, decodeWav, encodeWav, isAudioFileName } from './audio-store.js';
import { createSession, openSession, type Session } from './index.js';

let root: string;
let remove: () => void;
let session: Session;
beforeEach(() => {
  const folder = temporaryFolder();
  root = folder.path;
  remove = folder.remove;
  session = createSession(join(root, 's'));
});
afterEach(() => {
  session.close();
  remove();
});

describe('WAV', () => {
  it('keeps every 16-bit value as it is', () => {
    fc.assert(
      fc.property(fc.int16Array({ minLength: 1, maxLength: 400 }), (pcm) => {
        const samples = Float32Array.from(pcm, (value) => value / 32768);
        expect(decodeWav(encodeWav(samples), 'x')).toEqual(samples);
      }),
    );
  });

  it('clips what is too loud and makes silence of what is no number', () => {
    const decoded = decodeWav(encodeWav(Float32Array.of(2, -2, 1, Number.NaN, Infinity, -Infinity)), 'x');
    expect([...decoded].map((value) => Math.round(value * 32768))).toEqual([32767, -32768, 32767, 0, 32767, -32768]);
  });

  it('is read by another reader as 16 kHz mono 16-bit', () => {
    const wav = new wavefile.WaveFile(encodeWav(tone(0.5)));
    expect(wav.fmt).toMatchObject({ audioFormat: 1, numChannels: 1, sampleRate: 16000, bitsPerSample: 16 });
    const samples = wav.getSamples(false, Int16Array);
    expect(samples.length).toBe(8000);
    expect(Math.max(...samples)).toBeCloseTo(0.3 * 32768, -2);
  });

  it('of any bytes is read or refused, never a crash', () => {
    const good = encodeWav(tone(0.01));
    fc.assert(
      fc.property(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 }), fc.nat({ max: good.length }), (at, value, length) => {
        const bytes = Uint8Array.from(good);
        bytes[at] = value;
        try {
          expect(decodeWav(bytes.subarray(0, length), 'x').length).toBeLessThanOrEqual(160);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(HearbackError);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('file names', () => {
  it('are plain for plain ids, and different for different ids on any disk', () => {
    expect(audioFileName('t00012')).toBe('t00012.wav');
    for (const id of ['con', 'T1', '../t1', 'a/b', 'ü', '', '.', 'x'.repeat(300), 'a.wav', 'lpt1']) {
      expect(audioFileName(id)).toMatch(/^[a-z0-9_-]*\.[0-9a-f]{16}\.wav$/);
      expect(audioFileName(id).length).toBeLessThan(80);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(isAudioFileName(audioFileName(a))).toBe(true);
        if (a !== b) expect(audioFileName(a).toLowerCase()).not.toBe(audioFileName(b).toLowerCase());
      }),
    );
  });
});

describe('the audio of a transmission', () => {
  it('is on disk before anything is logged, and is never overwritten once it is in the log', () => {
    const audio = session.saveAudio('t1', tone(0.2));
    expect(audio).toBe('audio/t1.wav');
    expect(decodeWav(readFileSync(join(session.dir, audio)), audio).length).toBe(3200);
    // not in the log yet: a run that starts again after a crash may write it again
    session.saveAudio('t1', tone(0.3));
    session.append(captured('t1', 0, { audio }));
    const before = createHash('sha256').update(readFileSync(join(session.dir, audio))).digest('hex');
    expect(errorOf(() => session.saveAudio('t1', tone(0.4))).message).toContain('already');
    expect(createHash('sha256').update(readFileSync(join(session.dir, audio))).digest('hex')).toBe(before);
    expect(session.readAudio('t1').length).toBe(4800);
    expect(readdirSync(join(session.dir, 'audio'))).toEqual(['t1.wav']);
  });

  it('needs samples, and an id of the log to be read', () => {
    expect(errorOf(() => session.saveAudio('t1', new Float32Array(0))).code).toBe('empty');
    expect(errorOf(() => session.readAudio('t1')).code).toBe('unknown-id');
    expect(errorOf(() => session.audioFile('t1')).code).toBe('unknown-id');
  });

  it('that is gone is told, and text and state are still there', () => {
    session.append(captured('t1', 0, { audio: session.saveAudio('t1', tone(0.2)) }));
    session.append(recognised('t1', 'roger'));
    rmSync(join(session.dir, 'audio', 't1.wav'));
    expect(errorOf(() => session.readAudio('t1')).code).toBe('not-found');
    session.close();
    session = openSession(join(root, 's'));
    expect(session.audioCheck.missing).toEqual(['audio/t1.wav']);
    expect(session.state.transmissions.get('t1')?.recognition?.text).toBe('roger');
  });

  it('is never read from outside of the session folder, whatever the log says', () => {
    writeFileSync(join(root, 'secret.wav'), encodeWav(tone(0.1)));
    mkdirSync(join(root, 'elsewhere'));
    writeFileSync(join(root, 'elsewhere', 'x.wav'), encodeWav(tone(0.1)));
    symlinkSync(join(root, 'elsewhere'), join(session.dir, 'audio', 'out'));
    const paths = ['../secret.wav', join(root, 'secret.wav'), 'audio/../../secret.wav', 'audio/out/x.wav', '', '.', 'audio/t\0.wav'];
    paths.forEach((audio, n) => session.append(captured(`t${n}`, n, { audio })));
    paths.forEach((audio, n) => {
      expect(errorOf(() => session.readAudio(`t${n}`)).code, audio).toBe('invalid-input');
    });
  });
});

describe('what a crash leaves', () => {
  /** The folder as it is after a kill while `name` was half-written. */
  const crashed = (name: string, bytes: Uint8Array): void => {
    session.close();
    writeFileSync(join(session.dir, 'audio', name), bytes);
  };

  it('half-written audio is completed as far as it goes, plays, and is told as not in the log', () => {
    crashed('t9.wav.part', encodeWav(tone(1)).subarray(0, 44 + 9001));
    const reader = openSession(session.dir, { readonly: true });
    expect(reader.audioCheck).toMatchObject({ mended: ['audio/t9.wav'], removed: [] });
    expect(existsSync(join(session.dir, 'audio', 't9.wav.part'))).toBe(true);
    reader.close();
    session = openSession(session.dir);
    expect(session.audioCheck).toEqual({ mended: ['audio/t9.wav'], removed: [], unlogged: ['audio/t9.wav'], missing: [] });
    const bytes = readFileSync(join(session.dir, 'audio', 't9.wav'));
    expect(decodeWav(bytes, 't9').length).toBe(4500);
    expect(new wavefile.WaveFile(bytes).getSamples(false, Int16Array).length).toBe(4500);
    expect(readdirSync(join(session.dir, 'audio'))).toEqual(['t9.wav']);
  });

  it.each([0, 20, 44, 45])('a file of %i bytes has no sample and is removed', (length) => {
    crashed('t9.wav.part', encodeWav(tone(1)).subarray(0, length));
    session = openSession(session.dir);
    expect(session.audioCheck).toEqual({ mended: [], removed: ['audio/t9.wav.part'], unlogged: [], missing: [] });
    expect(readdirSync(join(session.dir, 'audio'))).toEqual([]);
  });

  it('a pending transmission whose file lost its end is mended, files of others are left alone', () => {
    session.append(started());
    session.append(captured('t1', 0, { audio: session.saveAudio('t1', tone(1)) }));
    session.close();
    truncateSync(join(session.dir, 'audio', 't1.wav'), 44 + 8000);
    writeFileSync(join(session.dir, 'audio', 'Notes of mine.txt'), 'x');
    session = openSession(session.dir);
    expect(session.audioCheck).toMatchObject({ mended: ['audio/t1.wav'], unlogged: [] });
    expect(session.readAudio('t1').length).toBe(4000);
    expect(new wavefile.WaveFile(readFileSync(session.audioFile('t1'))).getSamples(false, Int16Array).length).toBe(4000);
    expect(existsSync(join(session.dir, 'audio', 'Notes of mine.txt'))).toBe(true);
  });
});
