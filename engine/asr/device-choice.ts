/**
 * Names of devices. Apart from devices.ts so that the engine's own process never loads the native runtime.
 */

/** What a user may ask for. */
export const DEVICES = ['auto', 'cpu', 'cuda', 'dml', 'coreml', 'webgpu'] as const;
export type DeviceChoice = (typeof DEVICES)[number];

/** Execution providers of ONNX Runtime that the recogniser knows. */
export type Provider = Exclude<DeviceChoice, 'auto'>;
