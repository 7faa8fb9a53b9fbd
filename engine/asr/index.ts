/**
 * Speech to text: Whisper on ONNX Runtime in a process of its own, with guards against invented text.
 */
export { createRecogniser } from './recogniser.js';
export { createRecognisers } from './side-by-side.js';
export type { RecogniserOptions, WorkerRecogniser } from './recogniser.js';
export { DEVICES } from './device-choice.js';
export type { DeviceChoice } from './device-choice.js';
