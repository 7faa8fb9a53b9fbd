declare module 'fft.js' {
  /** Radix-4 FFT (fft.js by Fedor Indutny, MIT). */
  export default class FFT {
    constructor(size: number);
    createComplexArray(): number[];
    realTransform(out: number[], data: ArrayLike<number>): void;
  }
}
