/**
 * What goes over the wire between the engine and its clients (page, desktop shell, simulators), version 2. JSON as text frames and
 * over HTTP, audio as binary frames. docs/protocol.md describes the order of things. Runs in a browser.
 */
import { z } from 'zod';
import { LoggedEvent, ReviewEvent } from '../domain/events.js';
import { Profile, RiskLevel } from '../domain/taxonomy.js';
import { Context } from '../domain/understanding.js';

export { ReviewEvent };

export const PROTOCOL_VERSION = 2;
/** Where the WebSocket is. */
export const SOCKET_PATH = '/v2';

/* ---- audio frames ------------------------------------------------------------------------------------------------------------- */

/**
 * Before the samples (signed 16 bit, little endian, mono) of a binary frame, little endian: u8 version, u8 0, u16 stream (as told by
 * `session.opened`), u16 channel (position in the session's list), u16 0, f64 clock.
 */
export const FRAME_HEADER_BYTES = 16;

export interface AudioFrame {
  readonly stream: number;
  readonly channel: number;
  /** The client's time of the first sample, seconds; NaN: directly behind what came before. */
  readonly clock: number;
  readonly pcm: Int16Array;
}

/** A binary frame to send. */
export function encodeFrame({ stream, channel, clock, pcm }: AudioFrame): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + pcm.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, PROTOCOL_VERSION);
  view.setUint16(2, stream, true);
  view.setUint16(4, channel, true);
  view.setFloat64(8, clock, true);
  pcm.forEach((value, at) => {
    view.setInt16(FRAME_HEADER_BYTES + at * 2, value, true);
  });
  return bytes;
}

/** A binary frame that came; undefined when it is none of this version, or holds half a sample. */
export function decodeFrame(bytes: Uint8Array): AudioFrame | undefined {
  if (bytes.length < FRAME_HEADER_BYTES || bytes[0] !== PROTOCOL_VERSION || bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pcm = Int16Array.from({ length: (bytes.length - FRAME_HEADER_BYTES) / 2 }, (_, at) => view.getInt16(FRAME_HEADER_BYTES + at * 2, true));
  return { stream: view.getUint16(2, true), channel: view.getUint16(4, true), clock: view.getFloat64(8, true), pcm };
}

/* ---- WebSocket: client to engine ----------------------------------------------------------------------------------------------- */

const Session = z.string().min(1).max(300);
/** Comes back in the answer (`done`, `session.opened` or `error`). */
const Request = z.union([z.string().max(100), z.number()]);
const ChannelNames = z.array(z.string().trim().min(1).max(60)).min(1).max(16).refine((names) => new Set(names).size === names.length, 'must be different names');
/** Times real time; max: as fast as it goes. */
const Speed = z.union([z.number().min(0.25).max(20), z.literal('max')]);

/** Where the audio of a session comes from. */
export const SourceChoice = z.discriminatedUnion('kind', [
  /** This client sends it in binary frames: a simulator, the page's microphone. */
  z.object({ kind: z.literal('push'), channels: ChannelNames.default(['audio']), sample_rate: z.number().int().min(8000).max(48_000).default(16_000) }),
  /** A recording on the engine's disk. */
  z.object({ kind: z.literal('file'), path: z.string().min(1).max(4000), speed: Speed.default('max') }),
  /** The bundled recording. */
  z.object({ kind: z.literal('demo'), speed: Speed.default(1) }),
  /** Every recording that is put into a folder from now on becomes a session of its own. Answered with `done`; a task stands for it, and DELETE /api/tasks/:task ends it. */
  z.object({ kind: z.literal('folder'), path: z.string().min(1).max(4000) }),
  /** The engine's standard input, where it was started with it (`hearback app -`): 16 kHz mono PCM, or a WAV stream. */
  z.object({ kind: z.literal('stdin') }),
  /** A stream that the user names: MP3 or WAV over HTTP. Its provider's terms are the user's to keep. */
  z.object({ kind: z.literal('stream'), url: z.url({ protocol: /^https?$/ }).max(2000) }),
  /** A sound input of the engine's machine, as listed by GET /api/sources. */
  z.object({ kind: z.literal('device'), device: z.string().max(300) }),
]);
export type SourceChoice = z.infer<typeof SourceChoice>;

const Common = { request: Request.optional() };

export const ClientMessage = z.discriminatedUnion('type', [
  /** Starts a session and subscribes to it. A connection may have several. */
  z.object({
    type: z.literal('session.open'),
    ...Common,
    name: z.string().trim().min(1).max(200).optional(),
    profile: Profile.optional(),
    context: Context.optional(),
    source: SourceChoice.default({ kind: 'push', channels: ['audio'], sample_rate: 16_000 }),
  }),
  /** No more audio: what was heard is recognised and judged, then `session.ended` comes as an event. */
  z.object({ type: z.literal('session.end'), ...Common, session: Session }),
  /** All events of a stored or running session behind `after`, then the new ones as they happen, levels and replay states. */
  z.object({ type: z.literal('subscribe'), ...Common, session: Session, after: z.number().int().nonnegative().default(0) }),
  z.object({ type: z.literal('unsubscribe'), ...Common, session: Session }),
  /** Who is on frequency from now on: for one channel, or for all that have no list of their own. */
  z.object({ type: z.literal('context.update'), ...Common, session: Session, channel: z.string().max(60).optional(), callsigns: z.array(z.string().trim().min(2).max(20)).max(500) }),
  /** For clients that send audio only while somebody speaks: time has come so far on all frequencies, and what was not sent is silence. */
  z.object({ type: z.literal('clock'), ...Common, session: Session, clock: z.number() }),
  /** Drives a replay. Going forward, what lies between is heard at once; going back, nothing is heard twice. */
  z.object({
    type: z.literal('replay.control'),
    ...Common,
    session: Session,
    playing: z.boolean().optional(),
    position: z.number().nonnegative().optional(),
    speed: Speed.optional(),
  }),
  /** Recognises a stored transmission again, with another model when one is named, and judges its exchanges again. */
  z.object({ type: z.literal('transmission.rerun'), ...Common, session: Session, transmission: z.string(), model: z.string().max(200).optional() }),
  /** Judges an exchange again by the texts and speakers that hold now. */
  z.object({ type: z.literal('exchange.rejudge'), ...Common, session: Session, exchange: z.string() }),
  /** A person's word, logged as it is. */
  z.object({ type: z.literal('review'), ...Common, session: Session, event: ReviewEvent }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;
/** As a client writes it: what has a default may be left out. */
export type ClientMessageInput = z.input<typeof ClientMessage>;

/* ---- WebSocket: engine to client ----------------------------------------------------------------------------------------------- */

/** What the engine works with now. */
export const EngineState = z.object({
  version: z.string(),
  recogniser: z.string(),
  device: z.string(),
  judge: z.string(),
  profile: Profile,
  /** ready; busy: another choice is being loaded; lost: the recogniser is gone, audio is still recorded. */
  status: z.enum(['ready', 'busy', 'lost']),
  notices: z.array(z.object({ kind: z.string(), text: z.string(), severity: z.enum(['info', 'warning', 'error']) })),
  /** Where the text of judgements goes, as a sentence. */
  text_goes: z.string(),
});
export type EngineState = z.infer<typeof EngineState>;

/** Long work, told to everybody. GET /api/tasks lists it, DELETE /api/tasks/:task stops it. */
export const Task = z.object({
  task: z.string(),
  kind: z.enum(['import', 'folder', 'speed-test', 'model-pull']),
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
  /** In seconds of audio, bytes or runs; `total` only where it is known. */
  done: z.number().optional(),
  total: z.number().optional(),
  session: z.string().optional(),
  /** What went wrong, or how it stands, as a sentence. */
  text: z.string().optional(),
});
export type Task = z.infer<typeof Task>;

/** −100 dB is silence, 0 dB full scale; over the last tenth of a second. */
const Level = z.object({ channel: z.string(), rms_db: z.number(), peak_db: z.number(), phase: z.enum(['quiet', 'starting', 'speaking', 'stopping']) });

export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), protocol: z.literal(PROTOCOL_VERSION), engine: EngineState }),
  /** The engine's state is another one. */
  z.object({ type: z.literal('engine'), engine: EngineState }),
  /** `stream` goes into audio frames; only for source `push`. */
  z.object({ type: z.literal('session.opened'), request: Request.optional(), session: z.string(), name: z.string(), channels: z.array(z.string()), stream: z.number().int().optional() }),
  z.object({ type: z.literal('event'), session: z.string(), logged: LoggedEvent }),
  z.object({ type: z.literal('done'), request: Request.optional() }),
  /** At most ten times a second while audio comes. `seconds`: how far the session has heard; `waiting`: transmissions that wait for the recogniser. */
  z.object({ type: z.literal('levels'), session: z.string(), seconds: z.number(), waiting: z.number().int(), channels: z.array(Level) }),
  /** Where a replay stands, told when it changes: at `at` (milliseconds since the epoch) it was at `position`. `heard`: how far the engine has listened. */
  z.object({
    type: z.literal('replay'),
    session: z.string(),
    position: z.number(),
    playing: z.boolean(),
    speed: Speed,
    duration: z.number().optional(),
    heard: z.number(),
    at: z.number(),
  }),
  z.object({ type: z.literal('task'), task: Task }),
  /** The list of sessions is another one: ask for it again. */
  z.object({ type: z.literal('sessions.changed') }),
  /** The connection stays, except after `flood`. `field` names what is wrong in the message; `hint` says what to do. */
  z.object({ type: z.literal('error'), request: Request.optional(), code: z.string(), field: z.string().optional(), message: z.string(), hint: z.string().optional() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;

/* ---- HTTP ---------------------------------------------------------------------------------------------------------------------- */

/** GET /api/tasks */
export const TaskList = z.object({ tasks: z.array(Task) });
/** Body of every refusal of /api. */
export const ApiError = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional(), field: z.string().optional() }) });

const Counts = z.object({
  transmissions: z.number(),
  exchanges: z.number(),
  risk: z.record(RiskLevel, z.number()),
  untyped: z.number(),
  uncertain: z.number(),
  open: z.number(),
  pending: z.number(),
  failed: z.number(),
  reviewed: z.number(),
});

/** A stored session, or a folder whose log cannot be read. */
export const SessionEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('session'),
    session: z.string(),
    name: z.string(),
    /** ISO 8601. */
    started: z.string(),
    source: z.string().optional(),
    seconds: z.number(),
    counts: Counts,
    /** running: in this engine. elsewhere: another program writes it. cut-off: it stopped without saying so. */
    state: z.enum(['running', 'elsewhere', 'end-of-audio', 'stopped', 'failed', 'cut-off']),
    bytes: z.number(),
    /** Its own retention period; null: kept for good; left out: the one in the settings. */
    retention_days: z.number().nullable().optional(),
  }),
  z.object({ kind: z.literal('broken'), session: z.string(), reason: z.string(), bytes: z.number() }),
]);
export type SessionEntry = z.infer<typeof SessionEntry>;

/** GET /api/sessions?search=TEXT: in names, sources, callsigns and everything said. Newest first. */
export const SessionList = z.object({ sessions: z.array(SessionEntry) });
/** PATCH /api/sessions/:session. A period of `default`: the one in the settings. */
export const SessionChange = z.object({ name: z.string().trim().min(1).max(200).optional(), retention_days: z.union([z.number().int().positive().max(36_500), z.literal('default')]).nullable().optional() });
/** GET /api/sessions/:session/events?after=N */
export const EventList = z.object({ events: z.array(LoggedEvent), last: z.number() });
/** GET /api/sessions/:session/channels: what /channels/N/audio.wav and /channels/N/peaks?from=&to=&count= are about. */
export const ChannelList = z.object({
  channels: z.array(
    z.object({
      index: z.number(),
      channel: z.string(),
      /** Seconds. */
      duration: z.number(),
      /** whole: everything that was on the channel; transmissions: silence stands between them. */
      audio: z.enum(['whole', 'transmissions']),
    }),
  ),
});
/** Lowest and highest sample, −1…1, of `count` equal stretches. */
export const Peaks = z.object({ from: z.number(), to: z.number(), low: z.array(z.number()), high: z.array(z.number()) });

/** POST /api/import?name=FILE&speed=max with the file as body: the answer comes when the file is on disk and could be opened. */
export const ImportAnswer = z.object({ session: z.string(), name: z.string(), task: z.string() });

/** GET /api/sessions/:session/export/:format; html takes ?audio=embed|none, csv ?bom=1. bench: what reviewers decided, as Task 2 items for `hearback bench`. */
export const EXPORTS = ['html', 'csv', 'jsonl', 'srt', 'textgrid', 'bench'] as const;
export type ExportName = (typeof EXPORTS)[number];

/** GET /api/doctor */
export const DoctorReport = z.object({ checks: z.array(z.object({ name: z.string(), status: z.enum(['ok', 'note', 'problem']), text: z.string(), hint: z.string().optional() })) });

/** GET /api/models; POST /api/models/:id/pull starts a task. */
export const ModelList = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      purpose: z.string(),
      licence: z.string(),
      /** Bytes, where known. */
      size: z.number().nullable(),
      present: z.boolean(),
      /** It is here, and in the form that this program reads. */
      usable: z.boolean(),
      embedded: z.boolean(),
      /** It can be fetched from here and used as it comes. */
      pullable: z.boolean(),
      /** Why it is not fetched from here, as a sentence. */
      not_from_here: z.string().optional(),
      use: z.string(),
    }),
  ),
  devices: z.array(z.string()),
});

/** GET /api/judges */
export const JudgeList = z.object({ judges: z.array(z.object({ name: z.string(), title: z.string(), needs_model: z.boolean() })), providers: z.array(z.string()), prompts: z.array(z.string()), key_set: z.boolean() });

const Llm = z.object({
  provider: z.string().max(40).optional(),
  url: z.string().max(2000).optional(),
  model: z.string().max(500).optional(),
  prompt: z.string().max(40).optional(),
  time_limit: z.number().int().positive().max(3600).optional(),
});
/** GET and PUT /api/settings. PUT answers when new sessions use it; sessions that run keep what they have. An LLM key comes from the environment only. */
export const Settings = z.object({
  model: z.string().max(200),
  device: z.string().max(40),
  judge: z.string().max(40),
  profile: Profile,
  llm: Llm,
  /** Days after which sessions without a period of their own are deleted; null: never. */
  retention_days: z.number().int().positive().max(36_500).nullable(),
  /** Whether everything on a channel is stored, not only transmissions. */
  keep_recording: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

/** POST /api/speed-test starts a task; GET gives the newest result, null before the first. `recommended`: model that new sessions should use here. */
export const SpeedTest = z.object({
  at: z.string(),
  rows: z.array(z.object({ model: z.string(), device: z.string(), load_ms: z.number(), audio_seconds: z.number(), milliseconds: z.number(), times_real_time: z.number(), error: z.string().optional() })),
  recommended: z.string().nullable(),
  why: z.string(),
});
export type SpeedTest = z.infer<typeof SpeedTest>;

/** GET /api/sources */
export const SourceList = z.object({ devices: z.array(z.object({ device: z.string(), title: z.string(), through: z.string() })), stdin: z.boolean(), hint: z.string().optional() });

const Score = z.object({ value: z.number().nullable(), low: z.number().nullable().optional(), high: z.number().nullable().optional() });
/** GET /api/benchmarks: runs of `hearback bench run` in the runs folder. */
export const BenchmarkList = z.object({
  folder: z.string(),
  runs: z.array(z.object({ run: z.string(), started: z.string(), ended: z.string().nullable(), config: z.record(z.string(), z.unknown()), counts: z.record(z.string(), z.record(z.string(), z.number())) })),
});
/** GET /api/benchmarks/:run. What `hearback bench report` wrote: `report` as Markdown, `page` as HTML; empty where it was not made. */
export const BenchmarkRun = z.object({ run: z.string(), tasks: z.array(z.object({ task: z.string(), items: z.number(), scores: z.record(z.string(), Score) })), report: z.string(), page: z.string() });
/** GET /api/benchmarks/:run/compare/:other */
export const BenchmarkComparison = z.object({
  a: z.string(),
  b: z.string(),
  rows: z.array(z.object({ task: z.string(), score: z.string(), a: Score.nullable(), b: Score.nullable(), difference: z.number().nullable() })),
});

/* ---- desktop shell --------------------------------------------------------------------------------------------------------------- */

/** `window.hearbackShell` in the desktop app; missing in a browser. */
export interface Shell {
  /** Where the WebSocket is, token included; resolves when the engine is up, also after it was started again. */
  socketUrl(): Promise<string>;
  /** Calls back when the engine's process ended (`lost`, with a sentence) and when it is up again (`up`). Returns what takes it back. */
  onEngine(listener: (state: { state: 'up' | 'lost'; text: string }) => void): () => void;
}
