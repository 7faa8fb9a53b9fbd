/**
 * Finds out what kind of model a source is. Runs in the worker.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Provider } from './device-choice.js';
import { openModelFolder } from './model-folder.js';
import type { ModelSource } from './protocol.js';
import type { WindowReader } from './transcriber.js';
import { createWhisperReader } from './whisper-reader.js';
import { openWhisper } from './whisper.js';

/**
 * How to open the source on a provider. A folder with an onnx/ folder inside is of the layout that transformers.js reads, and so
 * is anything on a hub; other folders are ours.
 *
 * @throws HearbackError model-missing, model-broken
 */
export async function openReader(source: ModelSource, threads: number, beam: number | undefined): Promise<(provider: Provider) => Promise<WindowReader>> {
  if (source.kind === 'hub' || existsSync(join(source.path, 'onnx'))) {
    // a large library: only loaded when it is needed
    const { openTransformers } = await import('./transformers-recogniser.js');
    return (provider) => openTransformers(source, provider, threads);
  }
  const folder = openModelFolder(source.path);
  return async (provider) => createWhisperReader(await openWhisper(folder, { provider, threads }), beam);
}
