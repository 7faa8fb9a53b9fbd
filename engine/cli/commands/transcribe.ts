/** `transcribe`: recordings to text, one line a transmission. */
import type { Command } from 'commander';
import { openRecogniser, openSegmenter } from '../../assembly.js';
import { expandInputs, openAudio, type ChannelChoice } from '../../audio/index.js';
import type { DeviceChoice } from '../../asr/index.js';
import type { TranscribeLine } from '../../domain/contract.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import { SAMPLE_RATE, type AudioSource, type Notice, type Recogniser } from '../../domain/stages.js';
import type { Context } from '../../domain/understanding.js';
import { transcribe, type TranscribedSegment } from '../../pipeline.js';
import { channelOption, contextOption, deviceOption, jsonOption, modelOption, strengthOption, threadsOption, workersOf, workersOption } from '../options.js';
import { clock, endProgress, EXIT, note, paint, print, printJson, readContext, showProgress, stopSignal, tellFailure } from '../io.js';
import { inOrder } from '../in-order.js';

interface TranscribeOptions {
  readonly model: string;
  readonly device: DeviceChoice;
  readonly channel: ChannelChoice;
  readonly threads?: number;
  readonly workers?: number;
  readonly context?: string;
  readonly contextStrength?: number;
  readonly json?: true;
}

export function addTranscribe(program: Command): void {
  program
    .command('transcribe')
    .description('Recordings to text, one line a transmission. Files, folders and patterns; WAV, MP3, FLAC, Ogg.')
    .argument('<file...>', 'recordings, folders, or patterns such as "day/*.wav"')
    .addOption(modelOption())
    .addOption(deviceOption())
    .addOption(channelOption())
    .addOption(threadsOption())
    .addOption(workersOption())
    .addOption(contextOption())
    .addOption(strengthOption())
    .addOption(jsonOption('one JSON object a transmission: file, channel, start, end, text, words, confidence, guard'))
    .action(async (patterns: string[], options: TranscribeOptions) => {
      const context = await readContext(options.context, options.contextStrength);
      const { files, failures } = await expandInputs(patterns);
      for (const failure of failures) tellFailure(failure.input, failure.error);
      let failed = failures.length;
      let done = 0;
      let cutOff: string | undefined;
      const signal = stopSignal(() => {
        note('Stopping after the transmission at hand. Press again to stop at once.');
      });
      const stopped = (): boolean => signal.aborted;
      if (files.length > 0) {
        const workers = workersOf(options);
        const recogniser = await openRecogniser({ ...options, workers });
        try {
          const told = new Set<string>();
          const tell = (where: string, notices: readonly Notice[]): void => {
            for (const notice of notices) {
              if (told.has(`${where}\u0000${notice.text}`)) continue;
              told.add(`${where}\u0000${notice.text}`);
              note(`${paint('yellow', notice.severity === 'info' ? 'i' : '!')} ${where}: ${notice.text}`);
            }
          };
          tell(recogniser.model, recogniser.notices);
          let atHand = 0;
          // as many files as recognisers are under way: a folder of short ones would keep only one of them busy
          const heard = inOrder(files, workers, (file, at) =>
            hear(file, recogniser, {
              channel: options.channel,
              signal,
              ...(context === undefined ? {} : { context }),
              onProgress: (seconds, duration, startedAt) => {
                if (at === atHand) showProgress(`${at + 1} of ${files.length}: ${file}`, seconds, duration, startedAt);
              },
            }),
          );
          for (const { item: file, index: at, lines } of heard) {
            if (stopped()) break;
            atHand = at;
            let opened: AudioSource | undefined;
            try {
              if (options.json !== true && files.length > 1) print(paint('bold', file));
              for await (const { source, piece } of lines) {
                opened = source;
                tell(file, source.notices);
                if (piece === undefined) continue;
                const { segment, recognition, words } = piece;
                const many = source.channels.length > 1;
                endProgress();
                if (options.json === true) {
                  const line: TranscribeLine = {
                    file,
                    channel: segment.channel,
                    start: segment.startSample / SAMPLE_RATE,
                    end: segment.endSample / SAMPLE_RATE,
                    text: recognition.text,
                    words: [...words],
                    confidence: recognition.confidence,
                    guard: [...recognition.guards],
                    model: recognition.model,
                    ...(recognition.unbiasedText === undefined ? {} : { unbiased_text: recognition.unbiasedText }),
                  };
                  printJson(line);
                } else {
                  const doubt = recognition.guards.length === 0 ? '' : paint('cyan', `  ? ${recognition.guards.map((guard) => guard.detail).join('; ')}`);
                  const text = recognition.text === '' ? paint('cyan', '(speech without text)') : recognition.text;
                  const pulled = recognition.unbiasedText === undefined ? '' : paint('grey', `  (without the list: ${recognition.unbiasedText})`);
                  print(`${clock(segment.startSample / SAMPLE_RATE).padStart(7)}  ${many ? `${segment.channel.padEnd(6)} ` : ''}${text}${doubt}${pulled}`);
                }
              }
              endProgress();
              if (opened !== undefined) tell(file, opened.notices);
              tell(recogniser.model, recogniser.notices);
              if (stopped()) cutOff = file;
              else done++;
            } catch (thrown) {
              endProgress();
              if (opened !== undefined) tell(file, opened.notices);
              const error = toHearbackError(thrown, 'unreadable');
              if (stopped() && error.code === 'cancelled') {
                cutOff = file;
                break;
              }
              failed++;
              tellFailure(file, error);
              if (error.code === 'worker-died') throw error;
            }
          }
        } finally {
          await recogniser.close();
        }
      }
      if (stopped()) {
        throw new HearbackError('cancelled', `Stopped${cutOff === undefined ? '' : ` in ${cutOff}`}: ${done} of ${files.length} files are done.`, { hint: 'Run the rest again from there.' });
      }
      if (files.length + failures.length > 1) note(`${done} of ${files.length + failures.length} done${failed > 0 ? `, ${failed} failed` : ''}.`);
      if (failed > 0) process.exitCode = EXIT.failure;
    });
}

/** One file: the source as soon as it is open, then its pieces. */
async function* hear(
  file: string,
  recogniser: Recogniser,
  options: { channel: ChannelChoice; signal: AbortSignal; context?: Context; onProgress: (seconds: number, duration: number | undefined, startedAt: number) => void },
): AsyncGenerator<{ readonly source: AudioSource; readonly piece?: TranscribedSegment }> {
  const { signal, channel, context, onProgress } = options;
  const startedAt = performance.now();
  const source = await openAudio(file, { channel, signal });
  yield { source };
  const parts = { createSegmenter: () => openSegmenter(), recogniser, ...(context === undefined ? {} : { context }) };
  const pieces = transcribe(source, parts, {
    signal,
    onProgress: ({ seconds }) => {
      onProgress(seconds, source.duration, startedAt);
    },
  });
  for await (const piece of pieces) yield { source, piece };
}
