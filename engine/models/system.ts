/**
 * What this machine has, in plain words: the facts behind `hearback doctor`.
 */
import { constants } from 'node:fs';
import { access, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, availableParallelism, cpus, freemem, platform, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { runCommand } from './command.js';
import { formatBytes, freeBytes } from './disk.js';
import { defaultPlaces, type ModelPlaces } from './paths.js';
import { findPip } from './pip.js';
import { listModels, verifyModel } from './verify.js';

/** One fact. `ok`: nothing to do; `note`: worth knowing, nothing is in the way; `problem`: something will not work. */
export interface SystemCheck {
  readonly name: string;
  readonly status: 'ok' | 'note' | 'problem';
  /** What was found, one sentence or less. */
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** What the examination can be given. */
export interface ExamineOptions {
  /** Folder in which sessions are kept. May not exist yet. */
  readonly sessionsRoot: string;
  readonly places?: ModelPlaces;
  readonly env?: NodeJS.ProcessEnv;
  /** Time for each check, milliseconds. */
  readonly limitMs?: number;
}

/** Oldest Node that the product is tested with, as in package.json. */
const OLDEST_NODE: readonly [number, number] = [20, 19];
/** Bytes of one hour of kept audio: 16 kHz, one channel, 16 bits. */
const HOUR_OF_AUDIO = 16_000 * 2 * 3600;

/** Whether this Node is new enough. */
export function checkNode(version: string): SystemCheck {
  const [major = 0, minor = 0] = version.replace(/^v/u, '').split('.').map(Number);
  const [wantedMajor, wantedMinor] = OLDEST_NODE;
  const fits = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  if (fits) return { name: 'Node', status: 'ok', text: `Node ${version}` };
  return { name: 'Node', status: 'problem', text: `Node ${version} is too old`, hint: `Install Node ${wantedMajor}.${wantedMinor} or later.` };
}

/** What a processor can do that the recogniser gains from. Undefined: could not be found out. */
export interface InstructionSets {
  readonly found: readonly string[];
  readonly missing: readonly string[];
}

const X86: readonly (readonly [string, RegExp])[] = [
  ['AVX2', /^avx2(?:\.0)?$/iu],
  ['AVX-512', /^avx512f$/iu],
  ['VNNI', /^(?:avx512_?vnni|avx_vnni)$/iu],
];
const ARM: readonly (readonly [string, RegExp])[] = [
  ['NEON', /^(?:asimd|neon|AdvSIMD)$/iu],
  ['dot product', /^(?:asimddp|FEAT_DotProd)$/iu],
  ['8-bit matrix multiplication', /^(?:i8mm|FEAT_I8MM)$/iu],
];

/** Reads instruction sets out of a list of processor flags. */
export function instructionSets(flags: readonly string[], architecture: string): InstructionSets {
  const known = architecture.startsWith('arm') ? ARM : X86;
  const has = (pattern: RegExp): boolean => flags.some((flag) => pattern.test(flag));
  return { found: known.filter(([, pattern]) => has(pattern)).map(([name]) => name), missing: known.filter(([, pattern]) => !has(pattern)).map(([name]) => name) };
}

/** The flags of the first processor in the text of /proc/cpuinfo ("flags" on x86, "Features" on ARM). */
export function cpuinfoFlags(text: string): string[] | undefined {
  return /^(?:flags|Features)\s*:\s*(.*)$/mu.exec(text)?.[1]?.trim().split(/\s+/u);
}

async function processorFlags(env: NodeJS.ProcessEnv, limitMs: number): Promise<string[] | undefined> {
  if (platform() === 'linux') return cpuinfoFlags(await readFile('/proc/cpuinfo', 'utf8'));
  if (platform() !== 'darwin') return undefined;
  const names = arch() === 'arm64' ? ['hw.optional.AdvSIMD', 'hw.optional.arm.FEAT_DotProd', 'hw.optional.arm.FEAT_I8MM'] : ['machdep.cpu.features', 'machdep.cpu.leaf7_features'];
  // one by one: an older system that lacks a name makes the whole call fail
  const answers = await Promise.all(names.map(async (name) => ({ name, ran: await runCommand('sysctl', ['-n', name], { env, timeoutMs: limitMs }) })));
  if (answers.every(({ ran }) => ran.code !== 0)) return undefined;
  return answers.flatMap(({ name, ran }) => (arch() === 'arm64' ? (ran.stdout.trim() === '1' ? [name.split('.').at(-1) ?? name] : []) : ran.stdout.trim().split(/\s+/u)));
}

async function checkProcessor(env: NodeJS.ProcessEnv, limitMs: number): Promise<SystemCheck[]> {
  const model = cpus()[0]?.model.trim();
  const cores = availableParallelism();
  const processor: SystemCheck = { name: 'Processor', status: 'ok', text: `${model === undefined || model === '' || model === 'unknown' ? 'model not told by the system' : model}; ${cores} ${cores === 1 ? 'core' : 'cores'} to use; ${platform()} ${release()} ${arch()}` };
  const flags = await processorFlags(env, limitMs);
  if (flags === undefined) return [processor, { name: 'Instruction sets', status: 'note', text: 'not found out: this system does not tell them' }];
  const { found, missing } = instructionSets(flags, arch());
  const text = `${found.length === 0 ? 'none of those that help' : found.join(', ')}${missing.length === 0 ? '' : `; not ${missing.join(', ')}`}`;
  const basic = found.includes('AVX2') || found.includes('NEON');
  return [processor, basic ? { name: 'Instruction sets', status: 'ok', text } : { name: 'Instruction sets', status: 'note', text, hint: 'Recognition will be slow on this processor.' }];
}

function checkMemory(): SystemCheck {
  const limit = process.constrainedMemory();
  const total = totalmem();
  // without a limit some systems answer 0, others a number beyond all memory
  const limited = limit > 0 && limit < total;
  const usable = limited ? limit : total;
  const text = `${formatBytes(usable)}${limited ? ` allowed of ${formatBytes(total)}` : ''}, ${formatBytes(freemem())} free`;
  if (usable < 1.5e9) return { name: 'Memory', status: 'note', text, hint: 'That is little: keep to the shipped recogniser.' };
  return { name: 'Memory', status: 'ok', text };
}

/** Runs a few lines of JavaScript in a process of their own: a native library that crashes must not take the doctor along. */
async function inOwnProcess(script: string, argument: string, env: NodeJS.ProcessEnv, limitMs: number): Promise<{ ok: true; text: string } | { ok: false; text: string }> {
  const ran = await runCommand(process.execPath, ['-e', script, argument], { env: { ...env, ELECTRON_RUN_AS_NODE: '1' }, timeoutMs: limitMs });
  if (ran.code === 0) return { ok: true, text: ran.stdout.trim() };
  const words = ran.stderr.split('\n').find((line) => /error/iu.test(line))?.trim();
  return { ok: false, text: words ?? (ran.code === null ? 'it crashed or did not answer' : `exit code ${ran.code}`) };
}

/** Where a package of this installation lies. */
function resolvePackage(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
}

async function checkOnnxRuntime(env: NodeJS.ProcessEnv, limitMs: number): Promise<SystemCheck> {
  const name = 'ONNX Runtime';
  const hint = 'Install Hearback again ("npm ci"); on Windows the Visual C++ runtime is needed as well.';
  const place = resolvePackage('onnxruntime-node');
  if (place === undefined) return { name, status: 'problem', text: 'onnxruntime-node is not installed', hint };
  const script = 'const o = require(process.argv[1]); process.stdout.write(JSON.stringify({ version: o.env.versions.node ?? o.env.versions.common, backends: o.listSupportedBackends() }))';
  const ran = await inOwnProcess(script, place, env, limitMs);
  if (!ran.ok) return { name, status: 'problem', text: `onnxruntime-node cannot be loaded: ${ran.text}`, hint };
  const { version, backends } = JSON.parse(ran.text) as { version: string; backends: { name: string; bundled: boolean }[] };
  const with_ = backends.filter((backend) => backend.bundled).map((backend) => backend.name);
  const without = backends.filter((backend) => !backend.bundled).map((backend) => backend.name);
  const text = `${version}; in this build: ${with_.join(', ')}${without.length === 0 ? '' : `; needs files of its own: ${without.join(', ')}`}`;
  return with_.includes('cpu') ? { name, status: 'ok', text } : { name, status: 'problem', text, hint };
}

async function checkDatabase(env: NodeJS.ProcessEnv, limitMs: number): Promise<SystemCheck> {
  const name = 'Session database';
  const hint = 'Install Hearback again ("npm ci").';
  const place = resolvePackage('libsql');
  if (place === undefined) return { name, status: 'problem', text: 'libsql is not installed', hint };
  const script = "const D = require(process.argv[1]); const d = new D(':memory:'); process.stdout.write(String(d.prepare('select sqlite_version() as v').get().v)); d.close()";
  const ran = await inOwnProcess(script, place, env, limitMs);
  return ran.ok ? { name, status: 'ok', text: `SQLite ${ran.text}` } : { name, status: 'problem', text: `libsql cannot be loaded: ${ran.text}`, hint };
}

async function checkModels(places: ModelPlaces, limitMs: number): Promise<SystemCheck[]> {
  const listed = (await listModels(places)).filter((model) => model.state !== 'absent' || model.embedded);
  const checks = new Map<string, SystemCheck>();
  // pulled models can be gigabytes, and a doctor who reads for a minute is not asked twice: small ones first, as far as time goes
  const signal = AbortSignal.timeout(limitMs * 0.7);
  for (const model of [...listed].sort((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity))) {
    const name = `Model ${model.id}`;
    try {
      const result = await verifyModel(model.id, { places, signal });
      const text = result.text.startsWith(`${model.id} `) ? result.text.slice(model.id.length + 1) : result.text;
      if (result.status === 'ok') checks.set(model.id, { name, status: 'ok', text: `${model.state}, ${model.bytes === undefined ? '' : `${formatBytes(model.bytes)}, `}every checksum right` });
      else if (result.status === 'not-checked') checks.set(model.id, { name, status: 'note', text });
      else checks.set(model.id, { name, status: model.embedded ? 'problem' : 'note', text });
    } catch (thrown) {
      const error = toHearbackError(thrown);
      if (error.code !== 'cancelled') throw error;
      const complete = model.state !== 'incomplete';
      checks.set(model.id, {
        name,
        status: complete ? 'ok' : 'note',
        text: complete ? `${model.state}, names and sizes right; too large to be read now` : 'not whole',
        hint: complete ? `"hearback models verify ${model.id}" reads it.` : `"hearback models pull ${model.id}" fetches what is missing.`,
      });
    }
  }
  return listed.flatMap((model) => checks.get(model.id) ?? []);
}

/** The nearest folder upwards that exists. */
async function existing(folder: string): Promise<string> {
  let at = folder;
  for (;;) {
    try {
      await access(at);
      return at;
    } catch {
      const parent = dirname(at);
      if (parent === at) return at;
      at = parent;
    }
  }
}

/** Whether a folder can be written, or made; and how much fits. */
async function checkFolder(name: string, folder: string, enough: number, forWhat: (free: number) => string, hint: string): Promise<SystemCheck> {
  const base = await existing(folder);
  try {
    await access(base, constants.W_OK);
    if (base === folder) {
      // permissions alone do not tell of read-only disks, quotas and network folders
      const probe = await mkdtemp(join(folder, '.doctor-'));
      await writeFile(join(probe, 'probe'), 'probe');
      await rm(join(probe, 'probe'));
      await rmdir(probe);
    }
  } catch (thrown) {
    return { name, status: 'problem', text: `${folder} cannot be written (${toHearbackError(thrown).message})`, hint };
  }
  let free: number;
  try {
    free = await freeBytes(base);
  } catch (thrown) {
    return { name, status: 'note', text: `${folder} can be written; how much fits cannot be found out (${toHearbackError(thrown).message})` };
  }
  const text = `${folder}${base === folder ? '' : ' (is made when it is needed)'}; ${formatBytes(free)} free${forWhat(free)}`;
  return free < enough ? { name, status: 'problem', text, hint: 'Make room.' } : { name, status: 'ok', text };
}

async function checkPython(env: NodeJS.ProcessEnv): Promise<SystemCheck> {
  const name = 'Package client';
  const pip = await findPip(env);
  if (pip !== undefined) return { name, status: 'ok', text: `${pip.version} (${[pip.command, ...pip.args].join(' ')})` };
  return { name, status: 'note', text: 'neither pip nor uv', hint: 'Only needed to pull the models that come as Python packages.' };
}

async function checkFfmpeg(env: NodeJS.ProcessEnv, limitMs: number): Promise<SystemCheck> {
  const ran = await runCommand('ffmpeg', ['-hide_banner', '-version'], { env, timeoutMs: limitMs });
  const version = /^ffmpeg version (\S+)/mu.exec(ran.stdout)?.[1];
  if (ran.code === 0) return { name: 'ffmpeg', status: 'ok', text: version ?? 'here' };
  return { name: 'ffmpeg', status: 'note', text: 'not here', hint: 'Not needed for WAV, FLAC, MP3 and Ogg; it can turn other formats and streams into PCM for "hearback monitor -".' };
}

/** Recording devices in the output of `arecord -l`. */
export function arecordDevices(text: string): string[] {
  return [...text.matchAll(/^card \d+: \S+ \[(.+?)\], device \d+: [^[]*\[(.*?)\]/gmu)].map((match) => [match[1], match[2]].filter((part) => part !== undefined && part !== '').join(', '));
}

/** Sources in the output of `pactl list short sources` that are no monitors of an output. */
export function pactlSources(text: string): string[] {
  return text.split('\n').map((line) => line.split('\t')[1] ?? '').filter((name) => name !== '' && !name.endsWith('.monitor'));
}

async function checkMicrophone(env: NodeJS.ProcessEnv, limitMs: number): Promise<SystemCheck> {
  const name = 'Microphone';
  if (platform() !== 'linux') return { name, status: 'note', text: 'not looked for on this system', hint: 'Live audio is read from standard input: "hearback monitor -".' };
  const [arecord, pactl] = await Promise.all([runCommand('arecord', ['-l'], { env, timeoutMs: limitMs }), runCommand('pactl', ['list', 'short', 'sources'], { env, timeoutMs: limitMs })]);
  const devices = [...new Set([...arecordDevices(arecord.stdout), ...(pactl.code === 0 ? pactlSources(pactl.stdout) : [])])];
  if (devices.length > 0) return { name, status: 'ok', text: devices.join('; ') };
  if (arecord.startFailure !== undefined && pactl.code !== 0) return { name, status: 'note', text: 'cannot be looked for: neither arecord nor pactl is here', hint: 'Only needed to listen live; recordings work without.' };
  return { name, status: 'note', text: 'none found', hint: 'Only needed to listen live; recordings work without.' };
}

/**
 * Looks at everything the product needs or can use. Never throws for what it finds; each check has a time limit.
 *
 * @returns the checks in the order in which they are worth reading
 */
export async function examineSystem(options: ExamineOptions): Promise<SystemCheck[]> {
  const env = options.env ?? process.env;
  const limitMs = options.limitMs ?? 15_000;
  const guarded = async (name: string, check: () => SystemCheck | Promise<SystemCheck | SystemCheck[]>): Promise<SystemCheck[]> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<SystemCheck>((resolve) => {
      timer = setTimeout(() => {
        resolve({ name, status: 'note', text: `no answer within ${Math.round(limitMs / 1000)} seconds` });
      }, limitMs);
    });
    try {
      const result = await Promise.race([Promise.resolve().then(check), late]);
      return Array.isArray(result) ? result : [result];
    } catch (thrown) {
      return [{ name, status: 'problem', text: toHearbackError(thrown).message, ...(thrown instanceof HearbackError && thrown.hint !== undefined ? { hint: thrown.hint } : {}) }];
    } finally {
      clearTimeout(timer);
    }
  };
  const places = (): ModelPlaces => options.places ?? defaultPlaces(env);
  const hours = (free: number): string => `, about ${Math.floor(free / HOUR_OF_AUDIO).toLocaleString('en')} hours of audio`;
  const found = await Promise.all([
    guarded('Node', () => checkNode(process.version)),
    guarded('Processor', () => checkProcessor(env, limitMs)),
    guarded('Memory', () => checkMemory()),
    guarded('ONNX Runtime', () => checkOnnxRuntime(env, limitMs)),
    guarded('Session database', () => checkDatabase(env, limitMs)),
    guarded('Models', () => checkModels(places(), limitMs)),
    guarded('Sessions folder', () => checkFolder('Sessions folder', options.sessionsRoot, HOUR_OF_AUDIO, hours, 'Change its permissions, or name another folder with --session.')),
    guarded('Models folder', () => checkFolder('Models folder', places().pulled, 0, () => '', 'Change its permissions, or set HEARBACK_MODELS to a folder of yours. Only needed to pull models.')),
    guarded('Package client', () => checkPython(env)),
    guarded('ffmpeg', () => checkFfmpeg(env, limitMs)),
    guarded('Microphone', () => checkMicrophone(env, limitMs)),
  ]);
  return found.flat();
}
