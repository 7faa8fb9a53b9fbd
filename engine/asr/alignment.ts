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

function medianFiltered(row: Float32Array): Float32Array {
  const out = new Float32Array(row.length);
  const window = new Float32Array(2 * MEDIAN_REACH + 1);
  for (let i = 0; i < row.length; i++) {
    for (let j = -MEDIAN_REACH; j <= MEDIAN_REACH; j++) window[j + MEDIAN_REACH] = row[Math.min(row.length - 1, Math.max(0, i + j))] ?? 0;
    out[i] = Float32Array.from(window).sort()[MEDIAN_REACH] ?? 0;
  }
  return out;
}

/** Mean over heads of the attention, normalised over the steps and median filtered: [steps][positions]. */
function attentionMatrix(steps: readonly AlignmentStep[], positions: number): Float32Array[] {
  const heads = steps[0]?.heads ?? 0;
  const matrix = steps.map(() => new Float32Array(positions));
  for (let h = 0; h < heads; h++) {
    const rows = steps.map((step) => step.weights.subarray(h * step.positions, h * step.positions + positions).slice());
    for (let p = 0; p < positions; p++) {
      let sum = 0;
      let squares = 0;
      for (const row of rows) {
        const value = row[p] ?? 0;
        sum += value;
        squares += value * value;
      }
      const mean = sum / rows.length;
      const deviation = Math.sqrt(Math.max(0, squares / rows.length - mean * mean)) || 1;
      for (const row of rows) row[p] = ((row[p] ?? 0) - mean) / deviation;
    }
    rows.forEach((row, s) => {
      const filtered = medianFiltered(row);
      const target = matrix[s];
      if (target !== undefined) for (let p = 0; p < positions; p++) target[p] = (target[p] ?? 0) + (filtered[p] ?? 0) / heads;
    });
  }
  return matrix;
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
