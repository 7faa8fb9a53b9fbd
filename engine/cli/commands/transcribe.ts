/** `transcribe`: recordings to text, one line a transmission. */
import type { Command } from 'commander';
import { openRecogniser, openSegmenter } from '../../assembly.js';
import { expandInputs, openAudio, type ChannelChoice } from '../../audio/index.js';
import type { DeviceChoice } from '../../asr/index.js';
import type { TranscribeLine } from '../../domain/contract.js';
import { HearbackError, toHearbackError } from '../../domain/result.js';
import { SAMPLE_RATE, type AudioSource, type Notice } from '../../domain/stages.js';
import { transcribe } from '../../pipeline.js';
import { channelOption, contextOption, deviceOption, jsonOption, modelOption, strengthOption, threadsOption } from '../options.js';
import { clock, endProgress, EXIT, note, paint, print, printJson, readContext, showProgress, stopSignal, tellFailure } from '../io.js';

interface TranscribeOptions {
  readonly model: string;
  readonly device: DeviceChoice;
  readonly channel: ChannelChoice;
  readonly threads?: number;
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
        const recogniser = await openRecogniser(options);
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
          for (const [at, file] of files.entries()) {
            if (stopped()) break;
            const startedAt = performance.now();
            let opened: AudioSource | undefined;
            try {
              const source = await openAudio(file, { channel: options.channel, signal });
              opened = source;
              tell(file, source.notices);
              const many = source.channels.length > 1;
              if (options.json !== true && files.length > 1) print(paint('bold', file));
              const parts = { createSegmenter: () => openSegmenter(), recogniser, ...(context === undefined ? {} : { context }) };
              const duration = source.duration;
              for await (const { segment, recognition, words } of transcribe(source, parts, {
                signal,
                onProgress: ({ seconds }) => {
                  showProgress(`${at + 1} of ${files.length}: ${file}`, seconds, duration, startedAt);
                },
              })) {
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
              tell(file, source.notices);
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
