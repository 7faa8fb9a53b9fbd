/**
 * Models: what there is, where it lies, whether it is whole, and how to get it.
 */
export { requireModel, modelDirectory, listModels, verifyModel } from './verify.js';
export type { ModelListing, Verification, FileCheck } from './verify.js';
export { pullModel } from './pull.js';
export type { PullOptions, PullResult } from './pull.js';
export { formatProgress } from './progress.js';
export type { PullProgress } from './progress.js';
export { formatBytes } from './disk.js';
export { defaultPlaces, packageRoot, platformDataFolder, resourceFolder } from './paths.js';
export type { ModelPlaces } from './paths.js';
export { SOURCE_KINDS } from './catalogue.js';
export type { ModelEntry, SourceKind } from './catalogue.js';
export { examineSystem } from './system.js';
export type { SystemCheck } from './system.js';
