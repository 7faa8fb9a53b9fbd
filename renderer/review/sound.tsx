/**
 * Waveform and spectrogram of an exchange with half a second before and behind, from the session's own WAV: what is heard is what the text was
 * made from, whatever the recording's format was.
 */
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import WaveSurfer from 'wavesurfer.js';
import RegionsPlugin from 'wavesurfer.js/plugins/regions';
import SpectrogramPlugin from 'wavesurfer.js/plugins/spectrogram';
import { api, channelAudio, sentenceOf } from '../engine/api.js';
import { T } from '../texts.js';

const RATE = 16_000;
const HEADER_BYTES = 44;
export const CONTEXT_SECONDS = 0.5;
/** An exchange whose readback comes minutes later is shown so far. */
const LONGEST_SECONDS = 120;
const WAVE_HEIGHT = 72;
const SPECTROGRAM_HEIGHT = 84;

export interface Stretch {
  readonly kind: 'instruction' | 'readback';
  /** Seconds of the recording. */
  readonly start: number;
  readonly end: number;
}

export interface SoundControl {
  /** Plays [from, to] with context, seconds of the recording. */
  play(from: number, to: number): void;
  toggle(): void;
  skip(seconds: number): void;
  pause(): void;
}

/** A WAV file around samples as they lie in another one: mono, 16 bit. */
function wavOf(pcm: ArrayBuffer): Blob {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  const ascii = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i += 1) head.setUint8(at + i, text.charCodeAt(i));
  };
  ascii(0, 'RIFF');
  head.setUint32(4, 36 + pcm.byteLength, true);
  ascii(8, 'WAVEfmt ');
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, RATE, true);
  head.setUint32(28, RATE * 2, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  ascii(36, 'data');
  head.setUint32(40, pcm.byteLength, true);
  return new Blob([head.buffer, pcm], { type: 'audio/wav' });
}

/** A stretch of a channel, and where it begins. */
async function fetchStretch(session: string, channel: string, from: number, to: number, signal: AbortSignal): Promise<{ readonly wav: Blob; readonly start: number }> {
  const { channels } = await api.channels(session);
  const known = channels.find((each) => each.channel === channel) ?? channels[0];
  if (known === undefined) throw new Error(T.review.noAudio);
  const first = Math.max(0, Math.floor((from - CONTEXT_SECONDS) * RATE));
  const last = Math.ceil(Math.min(known.duration, to + CONTEXT_SECONDS, from + LONGEST_SECONDS) * RATE) - 1;
  const response = await fetch(channelAudio(session, known.index), { headers: { range: `bytes=${HEADER_BYTES + first * 2}-${HEADER_BYTES + last * 2 + 1}` }, signal });
  if (response.status !== 206) throw new Error(T.review.noAudio);
  return { wav: wavOf(await response.arrayBuffer()), start: first / RATE };
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function Sound({ session, channel, stretches, theme, control, onPlaying, onTime }: { readonly session: string; readonly channel: string; readonly stretches: readonly Stretch[]; readonly theme: string; readonly control: Ref<SoundControl>; readonly onPlaying: (playing: boolean) => void; readonly onTime: (seconds: number) => void }) {
  const holder = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | undefined>(undefined);
  const start = useRef(0);
  const [problem, setProblem] = useState<string>();
  const key = JSON.stringify(stretches);

  useEffect(() => {
    const container = holder.current;
    const list = JSON.parse(key) as readonly Stretch[];
    if (container === null || list.length === 0) return;
    setProblem(undefined);
    const abort = new AbortController();
    const regions = RegionsPlugin.create();
    const wave = WaveSurfer.create({
      container,
      height: WAVE_HEIGHT,
      sampleRate: RATE,
      normalize: true,
      waveColor: colour('--wave'),
      progressColor: colour('--wave-done'),
      cursorColor: colour('--ink'),
      cursorWidth: 2,
      dragToSeek: true,
    });
    wave.registerPlugin(regions);
    wave.registerPlugin(SpectrogramPlugin.create({ height: SPECTROGRAM_HEIGHT, fftSamples: 512, frequencyMax: 4000, scale: 'linear', colorMap: 'roseus', labels: false }));
    surfer.current = wave;
    wave.on('play', () => {
      onPlaying(true);
    });
    wave.on('pause', () => {
      onPlaying(false);
    });
    wave.on('timeupdate', (time) => {
      onTime(start.current + time);
    });
    const from = Math.min(...list.map((each) => each.start));
    const to = Math.max(...list.map((each) => each.end));
    fetchStretch(session, channel, from, to, abort.signal)
      .then(async (stretch) => {
        if (abort.signal.aborted) return;
        start.current = stretch.start;
        await wave.loadBlob(stretch.wav);
        for (const each of list) {
          regions.addRegion({
            start: each.start - stretch.start,
            end: each.end - stretch.start,
            drag: false,
            resize: false,
            color: each.kind === 'instruction' ? 'rgba(90,140,220,.16)' : 'rgba(220,160,70,.16)',
          });
        }
        container.dataset['ready'] = 'true';
      })
      .catch((thrown: unknown) => {
        if (!abort.signal.aborted) setProblem(sentenceOf(thrown));
      });
    return () => {
      abort.abort();
      delete container.dataset['ready'];
      wave.destroy();
      surfer.current = undefined;
      onPlaying(false);
    };
  }, [session, channel, key, theme, onPlaying, onTime]);

  useImperativeHandle(control, () => ({
    play(from, to) {
      const wave = surfer.current;
      if (wave === undefined) return;
      void wave.play(Math.max(0, from - CONTEXT_SECONDS - start.current), Math.min(wave.getDuration(), to + CONTEXT_SECONDS - start.current)).catch(() => undefined);
    },
    toggle() {
      void surfer.current?.playPause().catch(() => undefined);
    },
    skip(seconds) {
      surfer.current?.skip(seconds);
    },
    pause() {
      surfer.current?.pause();
    },
  }));

  return (
    <div className="sound" role="group" tabIndex={0} aria-label={T.review.waveform} title={T.review.waveformKeys}>
      <div ref={holder} className="wave" />
      {problem !== undefined && <p className="quiet sound-problem">{problem}</p>}
    </div>
  );
}
