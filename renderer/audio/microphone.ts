/** The microphone (or line-in) as a session: an AudioWorklet cuts it into pieces, and they go to the engine as they come. */
import { encodeFrame } from '../../engine/server/protocol.js';
import type { Connection } from '../engine/connection.js';
import { EngineError } from '../engine/api.js';
import { T } from '../texts.js';
import worklet from './capture-worklet.js?url';

const SAMPLE_RATE = 16_000;

export interface Microphone {
  readonly session: string;
  /** No more audio; what was heard is still judged. */
  stop(): void;
}

/** @throws EngineError when there is no microphone, it is not allowed, or the engine refuses. */
export async function listenToMicrophone(engine: Connection): Promise<Microphone> {
  let stream: MediaStream;
  try {
    // what a browser does to make talk pleasant (gain, echo, noise) changes radio audio
    stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
  } catch (thrown) {
    const denied = thrown instanceof DOMException && thrown.name === 'NotAllowedError';
    throw denied ? new EngineError('device', T.live.microphoneDenied, T.live.microphoneDeniedHint) : new EngineError('device', T.live.microphoneMissing, T.live.microphoneMissingHint);
  }
  // the browser resamples from whatever the card has
  const context = new AudioContext({ sampleRate: SAMPLE_RATE });
  const stopAudio = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(worklet);
    const opened = await engine.open({ type: 'session.open', name: T.live.microphoneName, source: { kind: 'push', channels: ['microphone'], sample_rate: SAMPLE_RATE } });
    const node = new AudioWorkletNode(context, 'hearback-capture', { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      const pcm = Int16Array.from(data, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767));
      engine.sendFrame(encodeFrame({ stream: opened.stream ?? 0, channel: 0, clock: NaN, pcm }));
    };
    context.createMediaStreamSource(stream).connect(node);
    let running = true;
    return {
      session: opened.session,
      stop() {
        if (!running) return;
        running = false;
        node.port.onmessage = null;
        stopAudio();
        engine.ask({ type: 'session.end', session: opened.session }).catch(() => undefined);
      },
    };
  } catch (thrown) {
    stopAudio();
    throw thrown;
  }
}
