/**
 * What the recogniser and its worker process say to each other. Both ends are built from the same sources.
 */
import type { ErrorCode } from '../domain/result.js';
import type { Notice } from '../domain/stages.js';
import type { Context } from '../domain/understanding.js';
import type { DeviceChoice } from './device-choice.js';
import type { Transcript } from './transcriber.js';

/** Where the weights are: a folder on this machine, or a repository on a hub (fetched, when online, by transformers.js). */
export type ModelSource = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'hub'; readonly id: string };

export type ToWorker =
  | { readonly kind: 'load'; readonly source: ModelSource; readonly device: DeviceChoice; readonly threads: number; readonly beam: number | undefined }
  | { readonly kind: 'recognise'; readonly id: number; readonly samples: Float32Array; readonly context: Context | undefined }
  | { readonly kind: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'loaded'; readonly device: string; readonly knowsLists: boolean; readonly notices: readonly Notice[] }
  | { readonly kind: 'load-failed'; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'recognised'; readonly id: number; readonly recognition: Transcript }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'cancelled'; readonly id: number };
