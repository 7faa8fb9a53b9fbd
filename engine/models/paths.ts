/**
 * Where models lie: the shipped ones beside the program, the pulled ones in the user's data folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HearbackError } from '../domain/result.js';

/** The folders that everything here works on. Tests give their own. */
export interface ModelPlaces {
  /** models/ of the package: catalogue.json and the embedded models. Read only. */
  readonly embedded: string;
  /** Folder of the pulled models, one folder each. May not exist yet. */
  readonly pulled: string;
}

let root: string | undefined;

/** The folder of the hearback package, found upwards from this file (it differs between source and build). */
export function packageRoot(): string {
  if (root !== undefined) return root;
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown }).name === 'hearback') {
      root = folder;
      return folder;
    }
    const parent = dirname(folder);
    if (parent === folder) throw new HearbackError('internal', 'The folder of the hearback package was not found.', { hint: 'Install Hearback again.' });
    folder = parent;
  }
}

/**
 * A folder that ships with the package and is read by native code or is large. In the packaged desktop app it lies beside the archive with the
 * program, because nothing but this runtime can read inside that.
 */
export function resourceFolder(...path: readonly string[]): string {
  const base = packageRoot();
  return join(base.endsWith('.asar') ? dirname(base) : base, ...path);
}

/** The folder in which this platform keeps an application's data for one user. */
export function platformDataFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Hearback');
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Hearback');
  // the XDG base directory specification wants relative values to be ignored
  const base = env.XDG_DATA_HOME;
  return join(base !== undefined && isAbsolute(base) ? base : join(home, '.local', 'share'), 'hearback');
}

/**
 * The folders in use: `HEARBACK_MODELS`, else models/ in the platform's data folder.
 *
 * @throws HearbackError `usage` when `HEARBACK_MODELS` points into node_modules, where an update would delete the models.
 */
export function defaultPlaces(env: NodeJS.ProcessEnv = process.env): ModelPlaces {
  const embedded = resourceFolder('models');
  const wanted = env.HEARBACK_MODELS;
  const pulled = wanted === undefined || wanted === '' ? join(platformDataFolder(env, process.platform, homedir()), 'models') : resolve(wanted);
  if (pulled.split(sep).includes('node_modules')) {
    throw new HearbackError('usage', `HEARBACK_MODELS is ${pulled}, which lies inside node_modules: the next installation would delete the models.`, { hint: 'Set it to a folder of its own.' });
  }
  return { embedded, pulled };
}
