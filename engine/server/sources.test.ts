import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture } from '../../test/support/audio.js';
import { readAudio } from '../audio/index.js';
import { recommend } from './speed-test.js';
import { alsaDevices, ffmpegDevices, openStream } from './sources.js';

let server: Server;
let url = '';
const mp3 = readFileSync(fixture('frames-west-1-instruction-32.mp3'));

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/live') {
      response.writeHead(200, { 'content-type': 'audio/mpeg; charset=none' });
      // as a radio sends: in pieces that end in the middle of frames
      let at = 0;
      const more = (): void => {
        if (at >= mp3.length) response.end();
        else {
          response.write(mp3.subarray(at, (at += 333)));
          setImmediate(more);
        }
      };
      more();
    } else if (request.url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Listen here</p>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

describe('a stream over HTTP', () => {
  it('in MP3 gives the same sound as the file', async () => {
    const { source, close } = await openStream(`${url}/live`);
    const parts: Float32Array[] = [];
    for await (const { samples } of source.chunks()) parts.push(samples);
    close?.();
    const heard = parts.flatMap((part) => [...part]);
    const file = await readAudio(fixture('frames-west-1-instruction-32.mp3'));
    // the file's reader knows the decoder's delay and trims it; a stream has no beginning
    expect(Math.abs(heard.length - file.length)).toBeLessThan(3 * 1152);
    const energy = (samples: ArrayLike<number>): number => Math.sqrt(Array.from(samples).reduce((sum, value) => sum + value * value, 0) / samples.length);
    expect(energy(heard)).toBeCloseTo(energy(file), 2);
    expect(energy(file)).toBeGreaterThan(0.01);
  });
  it.each([
    ['/page', 'unsupported', /no audio stream: it is text\/html/],
    ['/none', 'offline', /status 404/],
  ])('%s is refused with the reason', async (path, code, message) => {
    await expect(openStream(url + path)).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});

describe('sound inputs', () => {
  it('of ALSA', () => {
    const listing = 'List of CAPTURE Hardware Devices\ncard 1: Codec [USB Audio Codec], device 0: Audio [USB Audio]\n  Subdevices: 1/1\ncard 2: PCH [Board], device 3: Line [Line In]\n';
    expect(alsaDevices(listing).map(({ device, title }) => [device, title])).toEqual([
      ['alsa:default', 'System default'],
      ['alsa:plughw:1,0', 'USB Audio Codec: USB Audio'],
      ['alsa:plughw:2,3', 'Board: Line In'],
    ]);
    expect(alsaDevices('')).toEqual([]);
  });
  it('of macOS and Windows through ffmpeg', () => {
    const mac = '[AVFoundation indev @ 0x1] AVFoundation video devices:\n[AVFoundation indev @ 0x1] [0] Camera\n[AVFoundation indev @ 0x1] AVFoundation audio devices:\n[AVFoundation indev @ 0x1] [0] Built-in Microphone\n[AVFoundation indev @ 0x1] [1] Line In\n';
    expect(ffmpegDevices(mac, 'avfoundation').map(({ device, args }) => [device, args[args.indexOf('-i') + 1]])).toEqual([
      ['avfoundation:Built-in Microphone', ':0'],
      ['avfoundation:Line In', ':1'],
    ]);
    const windows = '[dshow @ 0] "Camera" (video)\n[dshow @ 0] "Line In (USB)" (audio)\n';
    expect(ffmpegDevices(windows, 'dshow').map(({ args }) => args[args.indexOf('-i') + 1])).toEqual(['audio=Line In (USB)']);
  });
});

describe('what the speed test recommends', () => {
  const row = (model: string, times: number, error?: string) => ({ model, device: 'cpu', load_ms: 1, audio_seconds: 20, milliseconds: 1, times_real_time: times, ...(error === undefined ? {} : { error }) });
  it('is the model for radio where it is quick enough, else the quickest, with a warning where that is slow', () => {
    expect(recommend([row('whisper-base-radio', 9), row('other', 40)]).recommended).toBe('whisper-base-radio');
    expect(recommend([row('whisper-base-radio', 2), row('other', 7)])).toMatchObject({ recommended: 'other', why: expect.not.stringContaining('wait') as string });
    expect(recommend([row('whisper-base-radio', 1.5)]).why).toMatch(/below 4 times/);
    expect(recommend([row('whisper-base-radio', 9, 'cannot be read'), row('other', 5)]).recommended).toBe('other');
    expect(recommend([]).recommended).toBeNull();
  });
});
