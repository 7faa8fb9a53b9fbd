/**
 * Running other programs: without a shell, with a time limit, and ended when the user stops.
 */
import { spawn } from 'node:child_process';
import { cancelled } from './http.js';

/** What a command did. Output is kept to the last 64 kB of each stream. */
export interface CommandResult {
  /** Exit code; null when it could not be started or was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** System error code when it could not be started. */
  readonly startFailure: string | undefined;
}

const KEEP = 64 * 1024;

/**
 * Runs a command without a shell.
 *
 * @param options.timeoutMs ends it (and gives code null) after so long
 * @throws HearbackError `cancelled` when the signal is raised; the command is ended first
 */
export async function runCommand(command: string, args: readonly string[], options: { env: NodeJS.ProcessEnv; timeoutMs?: number; signal?: AbortSignal | undefined }): Promise<CommandResult> {
  const stopped = (): boolean => options.signal?.aborted === true;
  if (stopped()) throw cancelled();
  const result = await new Promise<CommandResult>((resolve) => {
    const child = spawn(command, args, { env: options.env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let stdout = '';
    let stderr = '';
    let startFailure: string | undefined;
    let force: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill('SIGTERM');
      force = setTimeout(() => child.kill('SIGKILL'), 3000);
    };
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(stop, options.timeoutMs);
    options.signal?.addEventListener('abort', stop, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-KEEP);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEEP);
    });
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      clearTimeout(force);
      options.signal?.removeEventListener('abort', stop);
      resolve({ code, stdout, stderr, startFailure });
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      startFailure = error.code ?? error.message;
      // a command that never started has no 'close'
      if (child.pid === undefined) finish(null);
    });
    child.once('close', (code) => {
      finish(code);
    });
  });
  if (stopped()) throw cancelled();
  return result;
}
