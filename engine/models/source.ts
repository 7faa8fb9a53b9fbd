/**
 * What every kind of source has to be able to do. The pull does the rest: space, checking, moving into place.
 */
import type { Notice } from '../domain/stages.js';
import type { ModelEntry, ModelFile, SourceKind } from './catalogue.js';
import type { ProgressReporter } from './progress.js';
import type { Patience } from './http.js';

/** What a source works with. */
export interface PullContext {
  readonly entry: ModelEntry;
  /** The files to fetch; others are there already. */
  readonly wanted: readonly ModelFile[];
  /** Scratch folder of this model and source, kept between attempts. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
  readonly progress: ProgressReporter;
  readonly patience: Patience;
  readonly notice: (notice: Notice) => void;
}

/** What is known of a file before it is fetched, and what vouches for it. */
export interface Expectation {
  readonly size: number | undefined;
  readonly sha256: string | undefined;
  /** git's object id, which a hub gives for small files in place of a SHA-256. */
  readonly blob: string | undefined;
  readonly vouchedBy: 'catalogue' | 'hub' | 'nothing';
}

/** A pull that is ready to begin. */
export interface PullPlan {
  /** Repository and commit, or packages and versions. */
  readonly from: string;
  /** What each wanted file must be, by path. */
  readonly expected: ReadonlyMap<string, Expectation>;
  /** Bytes still to be written to the disk, scratch files included; undefined when the source does not say. */
  readonly bytesNeeded: number | undefined;
  /** Fetches every wanted file to `folder`/PATH. */
  fetch(folder: string): Promise<void>;
}

/** A place that models come from. */
export interface ModelSource {
  readonly kind: SourceKind;
  /** Asks what there is. @throws HearbackError */
  plan(context: PullContext): Promise<PullPlan>;
}
