import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arecordDevices, checkNode, cpuinfoFlags, examineSystem, instructionSets, pactlSources, type SystemCheck } from './system.js';

describe('the Node that runs', () => {
  it.each([
    ['v20.19.0', 'ok'],
    ['v20.18.3', 'problem'],
    ['v18.20.0', 'problem'],
    ['v22.1.0', 'ok'],
    ['v24.0.0-nightly', 'ok'],
  ])('%s is %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });
});

describe('instruction sets', () => {
  it('of an x86 processor', () => {
    const flags = cpuinfoFlags('processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu sse4_2 avx avx2 avx512f avx512_vnni\nbugs\t\t: none\n');
    expect(instructionSets(flags ?? [], 'x64')).toEqual({ found: ['AVX2', 'AVX-512', 'VNNI'], missing: [] });
  });

  it('of one with 256-bit VNNI only', () => {
    expect(instructionSets(['avx', 'avx2', 'avx_vnni'], 'x64')).toEqual({ found: ['AVX2', 'VNNI'], missing: ['AVX-512'] });
  });

  it('are not seen in names that only begin alike', () => {
    expect(instructionSets(['avx', 'avx512fp16', 'avx512vl'], 'x64').found).toEqual([]);
  });

  it('of an ARM processor', () => {
    const flags = cpuinfoFlags('processor\t: 0\nFeatures\t: fp asimd aes asimddp\n');
    expect(instructionSets(flags ?? [], 'arm64')).toEqual({ found: ['NEON', 'dot product'], missing: ['8-bit matrix multiplication'] });
  });

  it('are unknown where the text has none', () => {
    expect(cpuinfoFlags('processor : 0\n')).toBeUndefined();
  });
});

describe('microphones', () => {
  it('in the list of the sound cards', () => {
    const text = ['**** List of CAPTURE Hardware Devices ****', 'card 0: Board [Main Board], device 0: Codec Analog [Codec Analog]', '  Subdevices: 1/1', '  Subdevice #0: subdevice #0', 'card 2: Headset [USB Headset], device 0: USB Audio [USB Audio]', ''].join('\n');
    expect(arecordDevices(text)).toEqual(['Main Board, Codec Analog', 'USB Headset, USB Audio']);
  });

  it('in the list of the sound server, without the monitors of outputs', () => {
    expect(pactlSources('0\talsa_output.pci.analog-stereo.monitor\tmodule\ts16le\tSUSPENDED\n1\talsa_input.usb-headset.mono\tmodule\ts16le\tRUNNING\n')).toEqual(['alsa_input.usb-headset.mono']);
  });

  it('are none in an empty list', () => {
    expect(arecordDevices('**** List of CAPTURE Hardware Devices ****\n')).toEqual([]);
    expect(pactlSources('')).toEqual([]);
  });
});

describe('the examination', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearback-system-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  /** An environment in which no other program is found. */
  const bare = (): NodeJS.ProcessEnv => ({ PATH: join(folder, 'nothing'), HEARBACK_MODELS: join(folder, 'models') });
  const by = (checks: readonly SystemCheck[], name: string): SystemCheck | undefined => checks.find((check) => check.name === name);

  it('of this machine finds what the tests themselves run on', async () => {
    const checks = await examineSystem({ sessionsRoot: join(folder, 'sessions'), env: { ...process.env, HEARBACK_MODELS: join(folder, 'models') } });
    for (const name of ['Node', 'Processor', 'Memory', 'ONNX Runtime', 'Session database', 'Sessions folder', 'Models folder']) expect(by(checks, name), name).toMatchObject({ status: 'ok' });
    expect(by(checks, 'ONNX Runtime')?.text).toMatch(/^\d+\.\d+\.\d+; in this build: .*\bcpu\b/u);
    expect(by(checks, 'Model whisper-base-radio')).toMatchObject({ status: 'ok' });
    // looking must not make anything
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a machine without any helper names each as a note, not as a problem', async () => {
    const checks = await examineSystem({ sessionsRoot: folder, env: bare() });
    for (const name of ['Package client', 'ffmpeg', 'Microphone']) expect(by(checks, name), name).toMatchObject({ status: 'note' });
    expect(by(checks, 'ONNX Runtime')?.status).toBe('ok');
  });

  it('tells of models that are not as they should be', async () => {
    const embedded = join(folder, 'shipped');
    await mkdir(join(embedded, 'm'), { recursive: true });
    await writeFile(join(embedded, 'm', 'a'), 'abd');
    const model = { id: 'm', title: 'M', purpose: 'vad', layout: 'onnx', embedded: true, licence: { spdx: 'MIT', note: 'n' }, origin: 'o', sources: [], use: 'u', status: 'checked' };
    await writeFile(join(embedded, 'catalogue.json'), JSON.stringify({ version: 1, models: [{ ...model, files: [{ path: 'a', size: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' }] }] }));
    const checks = await examineSystem({ sessionsRoot: folder, places: { embedded, pulled: join(folder, 'data') }, env: bare() });
    expect(by(checks, 'Model m')).toMatchObject({ status: 'problem', text: expect.stringContaining('another content') as unknown });
    await writeFile(join(embedded, 'm', 'a'), 'abc');
    expect(by(await examineSystem({ sessionsRoot: folder, places: { embedded, pulled: join(folder, 'data') }, env: bare() }), 'Model m')).toMatchObject({ status: 'ok' });
  });

  it('goes on when a part of it fails', async () => {
    const checks = await examineSystem({ sessionsRoot: folder, places: { embedded: join(folder, 'nowhere'), pulled: folder }, env: bare() });
    expect(by(checks, 'Models')).toMatchObject({ status: 'problem', text: expect.stringContaining('catalogue') as unknown });
    expect(by(checks, 'Node')?.status).toBe('ok');
  });

  it('tells of a sessions folder that cannot be written', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    expect(by(await examineSystem({ sessionsRoot: file, env: bare() }), 'Sessions folder')).toMatchObject({ status: 'problem', hint: expect.stringContaining('--session') as unknown });
  });

  it.skipIf(platform() === 'win32')('does not wait longer than it may for a helper that hangs', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'ffmpeg'), '#!/bin/sh\nexec sleep 30\n', { mode: 0o755 });
    const started = performance.now();
    const checks = await examineSystem({ sessionsRoot: folder, limitMs: 1500, env: { ...process.env, PATH: `${bin}:/usr/bin:/bin` } });
    expect(performance.now() - started).toBeLessThan(8000);
    expect(by(checks, 'ffmpeg')?.status).toBe('note');
  });
});
