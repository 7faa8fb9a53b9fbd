/** Where sessions lie when the user does not say. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { platformDataFolder } from '../models/index.js';
import { fileNamePart } from '../session/index.js';

/** `HEARBACK_SESSIONS`, else sessions/ in the platform's data folder. */
export function sessionsRoot(): string {
  const wanted = process.env['HEARBACK_SESSIONS'];
  return wanted === undefined || wanted === '' ? join(platformDataFolder(process.env, process.platform, homedir()), 'sessions') : resolve(wanted);
}

/** A folder that does not exist yet, named after the source and the time. */
export function newSessionFolder(source: string): string {
  const root = sessionsRoot();
  mkdirSync(root, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
  const name = fileNamePart(parse(source).name).slice(0, 80) || 'live';
  return join(root, `${stamp} ${name} ${process.pid.toString(36)}`);
}
