/**
 * Which execution provider to run on, and what to tell when it is not the one that was asked for.
 */
import { listSupportedBackends } from 'onnxruntime-node';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { SAMPLE_RATE, type Notice } from '../domain/stages.js';
import type { DeviceChoice, Provider } from './device-choice.js';
import { transcribe, type WindowReader } from './transcriber.js';

const ORDER: readonly Provider[] = ['cuda', 'dml', 'coreml', 'webgpu'];

/** Providers that this build of ONNX Runtime knows; whether the machine has what they need shows on loading only. */
export function knownProviders(): Provider[] {
  const names = new Set(listSupportedBackends().map((backend) => backend.name));
  return [...ORDER.filter((provider) => names.has(provider)), 'cpu'];
}

export interface OpenedDevice {
  readonly reader: WindowReader;
  readonly notices: readonly Notice[];
}

/** Milliseconds for two seconds of something like speech, the faster of two runs. */
async function timeOf(reader: WindowReader): Promise<number> {
  const samples = new Float32Array(2 * SAMPLE_RATE);
  for (let i = 0; i < samples.length; i++) samples[i] = 0.4 * Math.sin(i * 0.2) * Math.sin(i / 900) ** 2;
  const first = (await transcribe(reader, samples)).milliseconds.total;
  return Math.min(first, (await transcribe(reader, samples)).milliseconds.total);
}

/** Reads something before anybody waits: memory is taken and the code around the graphs is compiled, so that the first text is not late. */
export async function warmUp(reader: WindowReader): Promise<void> {
  await timeOf(reader);
}

/**
 * Opens a model, by `open`, on the device asked for.
 *
 * `cpu`: that. Another one: that, or the CPU with a notice that says why. `auto`: every accelerator that loads is timed
 * against the CPU, and the faster one is taken (8-bit graphs are often slower on an accelerator).
 *
 * @throws HearbackError model-broken when the model cannot be loaded even on the CPU
 */
export async function openDevice(open: (provider: Provider) => Promise<WindowReader>, choice: DeviceChoice): Promise<OpenedDevice> {
  if (choice === 'cpu') return { reader: await open('cpu'), notices: [] };
  if (choice !== 'auto') {
    try {
      if (!knownProviders().includes(choice)) throw new HearbackError('device', `this build of ONNX Runtime has no support for it on ${process.platform}`);
      return { reader: await open(choice), notices: [] };
    } catch (error) {
      const notice: Notice = { kind: 'device', severity: 'warning', text: `The device "${choice}" was asked for but cannot be used: ${toHearbackError(error).message}. The recogniser runs on the CPU instead.` };
      return { reader: await open('cpu'), notices: [notice] };
    }
  }
  let best = await open('cpu');
  let bestTime: number | undefined;
  const notices: Notice[] = [];
  for (const provider of knownProviders()) {
    if (provider === 'cpu') continue;
    let candidate: WindowReader;
    try {
      candidate = await open(provider);
    } catch {
      // on `auto` an accelerator that is not there is no news; `hearback doctor` lists them
      continue;
    }
    bestTime ??= await timeOf(best);
    const time = await timeOf(candidate);
    const comparison = `${provider} took ${time.toFixed(0)} ms for two seconds of audio, ${best.provider} ${bestTime.toFixed(0)} ms`;
    if (time < bestTime) {
      await best.close();
      best = candidate;
      bestTime = time;
      notices.push({ kind: 'device', severity: 'info', text: `The recogniser runs on ${provider}: ${comparison}.` });
    } else {
      await candidate.close();
      notices.push({ kind: 'device', severity: 'info', text: `The recogniser stays on ${best.provider}: ${comparison}.` });
    }
  }
  return { reader: best, notices };
}
