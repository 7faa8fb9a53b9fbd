/**
 * Word times from cross-attention: the alignment heads look at the audio of the token that is being written, and dynamic time
 * warping makes their looks a monotonous path. The method is OpenAI's (whisper/timing.py describes it); accuracy is about a
 * tenth of a second and it is an estimate.
 */

/** Attention of one decoding step: `heads` rows of `positions` weights. */
export interface AlignmentStep {
  readonly heads: number;
  readonly positions: number;
  readonly weights: Float32Array;
}

const MEDIAN_REACH = 3;

/** Median over seven neighbours, the ends repeated. */
function medianFiltered(row: Float32Array): Float32Array {
  const out = new Float32Array(row.length);
  const sorted = new Float32Array(2 * MEDIAN_REACH + 1);
  for (let i = 0; i < row.length; i++) {
    // insertion into a short sorted list: this runs for every step and position
    for (let j = 0; j < sorted.length; j++) {
      const value = row[Math.min(row.length - 1, Math.max(0, i + j - MEDIAN_REACH))] ?? 0;
      let at = j;
      while (at > 0 && (sorted[at - 1] ?? 0) > value) {
        sorted[at] = sorted[at - 1] ?? 0;
        at--;
      }
      sorted[at] = value;
    }
    out[i] = sorted[MEDIAN_REACH] ?? 0;
  }
  return out;
}

/** Attention normalised over the steps, mean over heads, median filtered: [steps][positions]. */
function attentionMatrix(steps: readonly AlignmentStep[], positions: number): Float32Array[] {
  const heads = steps[0]?.heads ?? 0;
  const matrix = steps.map(() => new Float32Array(positions));
  for (let h = 0; h < heads; h++) {
    const rows = steps.map((step) => step.weights.subarray(h * step.positions, h * step.positions + positions));
    const mean = new Float64Array(positions);
    const squares = new Float64Array(positions);
    for (const row of rows) {
      for (let p = 0; p < positions; p++) {
        const value = row[p] ?? 0;
        mean[p] = (mean[p] ?? 0) + value / rows.length;
        squares[p] = (squares[p] ?? 0) + (value * value) / rows.length;
      }
    }
    const scale = squares.map((square, p) => 1 / (heads * (Math.sqrt(Math.max(0, square - (mean[p] ?? 0) ** 2)) || 1)));
    matrix.forEach((target, s) => {
      const row = rows[s];
      for (let p = 0; p < positions; p++) target[p] = (target[p] ?? 0) + ((row?.[p] ?? 0) - (mean[p] ?? 0)) * (scale[p] ?? 0);
    });
  }
  return matrix.map(medianFiltered);
}

/**
 * The position at which each step starts, by dynamic time warping over the first `positions` encoder positions.
 * The last step should be the one that ended the text. One number a step, never falling.
 */
export function alignSteps(steps: readonly AlignmentStep[], positions: number): number[] {
  const rows = steps.length;
  if (rows === 0 || positions <= 0) return steps.map(() => 0);
  const matrix = attentionMatrix(steps, positions);
  const width = positions + 1;
  const cost = new Float64Array((rows + 1) * width).fill(Infinity);
  const from = new Uint8Array((rows + 1) * width);
  cost[0] = 0;
  for (let r = 1; r <= rows; r++) {
    for (let p = 1; p <= positions; p++) {
      const diagonal = cost[(r - 1) * width + p - 1] ?? Infinity;
      const up = cost[(r - 1) * width + p] ?? Infinity;
      const left = cost[r * width + p - 1] ?? Infinity;
      const best = Math.min(diagonal, up, left);
      from[r * width + p] = best === diagonal ? 0 : best === up ? 1 : 2;
      cost[r * width + p] = best - (matrix[r - 1]?.[p - 1] ?? 0);
    }
  }
  const starts = new Array<number>(rows).fill(0);
  let r = rows;
  let p = positions;
  while (r > 0 && p > 0) {
    starts[r - 1] = p - 1;
    const step = from[r * width + p];
    if (step !== 2) r--;
    if (step !== 1) p--;
  }
  return starts;
}
