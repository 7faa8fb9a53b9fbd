/**
 * The engine over HTTP. Answers are checked; a refusal is an EngineError with what is wrong and what to do.
 */
import { z } from 'zod';
import { ApiError, BenchmarkComparison, BenchmarkList, BenchmarkRun, ChannelList, DoctorReport, EventList, ImportAnswer, JudgeList, ModelList, SessionList, Settings, SourceList, SpeedTest, TaskList, type ExportName } from '../../engine/server/protocol.js';
import { T } from '../texts.js';

export class EngineError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.hint = hint;
  }
  get sentence(): string {
    return this.hint === undefined ? this.message : `${this.message} ${this.hint}`;
  }
}

/** What anything thrown says to a person. */
export const sentenceOf = (thrown: unknown): string => (thrown instanceof EngineError ? thrown.sentence : thrown instanceof Error ? thrown.message : String(thrown));

const part = encodeURIComponent;

async function refused(response: Response): Promise<EngineError> {
  const body: unknown = await response.json().catch(() => undefined);
  const told = ApiError.safeParse(body);
  if (told.success) return new EngineError(told.data.error.code, told.data.error.message, told.data.error.hint);
  return response.status === 401 ? new EngineError('unauthorized', T.link.refused, T.link.refusedHint) : new EngineError('internal', T.link.strange(response.status));
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init });
  } catch {
    throw new EngineError('offline', T.link.gone, T.link.goneHint);
  }
  if (!response.ok) throw await refused(response);
  return response;
}

async function read<S extends z.ZodType>(schema: S, path: string, init?: RequestInit): Promise<z.output<S>> {
  const response = await call(path, init);
  const checked = schema.safeParse(await response.json());
  if (!checked.success) throw new EngineError('internal', T.link.unreadable(path));
  return checked.data;
}

const json = (method: string, body: unknown): RequestInit => ({ method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export const sessionPath = (session: string): string => `/api/sessions/${part(session)}`;

export const api = {
  sheet: async (session: string) => (await call(exportAddress(session, 'html', { audio: 'none' }))).text(),
  sessions: (search = '') => read(SessionList, `/api/sessions${search === '' ? '' : `?search=${part(search)}`}`),
  events: (session: string, after: number) => read(EventList, `${sessionPath(session)}/events?after=${after}`),
  change: (session: string, change: { name?: string; retention_days?: number | 'default' | null }) => call(sessionPath(session), json('PATCH', change)),
  remove: (session: string) => call(sessionPath(session), { method: 'DELETE' }),
  channels: (session: string) => read(ChannelList, `${sessionPath(session)}/channels`),
  tasks: () => read(TaskList, '/api/tasks'),
  stopTask: (task: string) => call(`/api/tasks/${part(task)}`, { method: 'DELETE' }),
  settings: () => read(Settings, '/api/settings'),
  saveSettings: (settings: Settings) => call('/api/settings', json('PUT', settings)),
  doctor: () => read(DoctorReport, '/api/doctor'),
  models: () => read(ModelList, '/api/models'),
  pull: (model: string) => call(`/api/models/${part(model)}/pull`, { method: 'POST' }),
  judges: () => read(JudgeList, '/api/judges'),
  sources: () => read(SourceList, '/api/sources'),
  /** Null before the first. */
  speedTest: async () => (await read(z.object({ result: SpeedTest.nullable() }), '/api/speed-test')).result,
  startSpeedTest: () => call('/api/speed-test', { method: 'POST' }),
  benchmarks: () => read(BenchmarkList, '/api/benchmarks'),
  benchmark: (run: string) => read(BenchmarkRun, `/api/benchmarks/${part(run)}`),
  compare: (a: string, b: string) => read(BenchmarkComparison, `/api/benchmarks/${part(a)}/compare/${part(b)}`),
  /** @param told how much of the file has gone over, 0…1. */
  importFile: (file: File, speed: number | 'max', told: (fraction: number) => void): Promise<z.output<typeof ImportAnswer>> =>
    new Promise((resolve, reject) => {
      // fetch cannot tell how much of a body has been sent
      const request = new XMLHttpRequest();
      request.open('POST', `/api/import?name=${part(file.name)}&speed=${speed}`);
      request.setRequestHeader('content-type', 'application/octet-stream');
      request.upload.onprogress = (event) => {
        if (event.lengthComputable && event.total > 0) told(event.loaded / event.total);
      };
      request.onerror = () => {
        reject(new EngineError('offline', T.link.uploadCut, T.link.uploadCutHint));
      };
      request.onload = () => {
        const body: unknown = ((): unknown => {
          try {
            return JSON.parse(request.responseText);
          } catch {
            return undefined;
          }
        })();
        if (request.status >= 200 && request.status < 300) {
          const answer = ImportAnswer.safeParse(body);
          if (answer.success) resolve(answer.data);
          else reject(new EngineError('internal', T.link.unreadable('/api/import')));
          return;
        }
        const told = ApiError.safeParse(body);
        reject(told.success ? new EngineError(told.data.error.code, told.data.error.message, told.data.error.hint) : new EngineError('internal', T.link.strange(request.status)));
      };
      request.send(file);
    }),
};

/** Address of the audio of one transmission, always WAV. */
export const transmissionAudio = (session: string, transmission: string): string => `${sessionPath(session)}/transmissions/${part(transmission)}/audio.wav`;
export const channelAudio = (session: string, channel: number): string => `${sessionPath(session)}/channels/${channel}/audio.wav`;
export const exportAddress = (session: string, format: ExportName, options: Record<string, string> = {}): string => {
  const query = new URLSearchParams(options).toString();
  return `${sessionPath(session)}/export/${format}${query === '' ? '' : `?${query}`}`;
};
