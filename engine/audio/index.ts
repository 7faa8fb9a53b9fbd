/**
 * Audio in: recordings and live streams to 16 kHz chunks, and the WAV files of single transmissions.
 */
export type { ChannelChoice } from './channels.js';
export { expandInputs } from './inputs.js';
export type { ExpandedInputs } from './inputs.js';
export { openMp3Stream } from './live-mp3.js';
export { pace, systemClock } from './pace.js';
export type { Clock } from './pace.js';
export { openPcmStream } from './pcm-stream.js';
export type { PcmStreamOptions } from './pcm-stream.js';
export { resample } from './resampler.js';
export { createSegmenter } from './segmenter.js';
export type { SegmenterOptions } from './segmenter.js';
export { openAudio, readAudio } from './source.js';
export type { OpenOptions } from './source.js';
export { readWavSamples } from './wav-file.js';
