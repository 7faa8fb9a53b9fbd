/**
 * The recogniser's own process. Everything native happens here, so that a crash takes nothing else along.
 * Started by recogniser.ts with an IPC channel; ends when the channel closes, also when the parent was killed.
 */
import { toHearbackError } from '../domain/result.js';
import { openDevice, warmUp } from './devices.js';
import { openReader } from './open-reader.js';
import type { FromWorker, ToWorker } from './protocol.js';
import { transcribe, type WindowReader } from './transcriber.js';

let reader: WindowReader | undefined;
const running = new Map<number, AbortController>();
// one at a time, in the order of arrival
let queue: Promise<void> = Promise.resolve();

function send(message: FromWorker): void {
  // when the parent is gone there is nobody to tell; the disconnect handler ends this process
  if (process.connected) process.send?.(message);
}

async function load(message: Extract<ToWorker, { kind: 'load' }>): Promise<void> {
  try {
    const opened = await openDevice(await openReader(message.source, message.threads, message.beam), message.device);
    await warmUp(opened.reader);
    reader = opened.reader;
    send({ kind: 'loaded', device: opened.reader.provider, knowsLists: opened.reader.knowsLists, notices: opened.notices });
  } catch (thrown) {
    const error = toHearbackError(thrown);
    send({ kind: 'load-failed', code: error.code, message: error.message, hint: error.hint });
  }
}

async function recognise({ id, samples, context }: Extract<ToWorker, { kind: 'recognise' }>, cancel: AbortController): Promise<void> {
  try {
    if (reader === undefined) throw new Error('a recognition was asked for before the model was loaded');
    send({ kind: 'recognised', id, recognition: await transcribe(reader, samples, cancel.signal, context) });
  } catch (thrown) {
    if (cancel.signal.aborted) send({ kind: 'cancelled', id });
    else send({ kind: 'failed', id, message: toHearbackError(thrown).message });
  } finally {
    running.delete(id);
  }
}

process.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'load':
      queue = queue.then(() => load(message));
      break;
    case 'recognise': {
      const cancel = new AbortController();
      running.set(message.id, cancel);
      queue = queue.then(() => recognise(message, cancel));
      break;
    }
    case 'cancel':
      running.get(message.id)?.abort();
      break;
  }
});

process.on('disconnect', () => {
  process.exit(0);
});
// Ctrl-C in a terminal reaches the whole process group: the parent decides when this process ends
process.on('SIGINT', () => undefined);
