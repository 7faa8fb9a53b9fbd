/** Hands samples of the microphone on in pieces of a tenth of a second. Runs in the audio thread. */
class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Float32Array(Math.round(sampleRate / 10));
    this.filled = 0;
  }

  process([channels]) {
    const input = channels?.[0];
    if (input === undefined) return true;
    for (const sample of input) {
      this.piece[this.filled++] = sample;
      if (this.filled === this.piece.length) {
        this.port.postMessage(this.piece);
        this.piece = new Float32Array(this.piece.length);
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor('hearback-capture', Capture);
