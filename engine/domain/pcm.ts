/** Sound as 16-bit numbers, as it is stored. One definition, so that what is recognised at once equals what is recognised from the file. */

/** Float −1…1 to 16 bits: rounded, limited at full scale, 0 for what is not a number. */
export function toInt16(samples: Float32Array): Int16Array {
  const out = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const value = (samples[i] ?? 0) * 32768;
    out[i] = value >= 32767 ? 32767 : value <= -32768 ? -32768 : Math.round(value); // NaN becomes 0 in the array
  }
  return out;
}

/** 16 bits to float −1…1. */
export const fromInt16 = (pcm: Int16Array): Float32Array => Float32Array.from(pcm, (value) => value / 32768);
