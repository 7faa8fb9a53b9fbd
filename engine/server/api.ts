/**
 * The HTTP side: the page, /api, sound and exports. Every request passes the door first.
 */
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { DEVICES } from '../asr/device-choice.js';
import { JUDGES } from '../assembly.js';
import type { HearbackEvent } from '../domain/events.js';
import { HearbackError, toHearbackError, type ErrorCode } from '../domain/result.js';
import { PROMPT_CONDITIONS } from '../judge/index.js';
import { LLM_PROVIDERS } from '../llm/index.js';
import { examineSystem, listModels, packageRoot, pullModel, type ModelListing } from '../models/index.js';
import { channelAudio, exportName, exportSession, secondsOf, type ChannelAudio } from '../session/index.js';
import { benchmarkList, benchmarkRun, compareBenchmarks } from './benchmarks.js';
import { EXPORT_POLICY, refuse, refuseStranger, sameToken, SECURITY_HEADERS, tokenCookie } from './door.js';
import type { Hub } from './hub.js';
import type { Machine } from './machine.js';
import { contentPolicy } from './protocol-page.js';
import { EXPORTS, PROTOCOL_VERSION, SessionChange, Settings } from './protocol.js';
import type { Sessions } from './sessions.js';
import { choiceOf, storeSettings } from './settings.js';
import { listDevices } from './sources.js';
import { loadSpeedTest, runSpeedTest, storeSpeedTest } from './speed-test.js';
import type { Tasks } from './tasks.js';
import { peaksOf, rangeOf, wavBytes, wavPart } from './wav-range.js';

export interface ApiParts {
  readonly hub: Hub;
  readonly machine: Machine;
  readonly sessions: Sessions;
  readonly tasks: Tasks;
  readonly token: string;
  /** Known once the server listens. */
  readonly port: () => number;
  readonly settings: { get(): Settings; set(settings: Settings): void };
  readonly threads: number | undefined;
  readonly benchmarks: string;
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  usage: 400,
  'invalid-input': 400,
  'unknown-id': 404,
  'not-found': 404,
  session: 409,
  'too-large': 413,
  'not-audio': 415,
  unsupported: 415,
  empty: 422,
  unreadable: 422,
  truncated: 422,
  'disk-full': 507,
};

/** Sound up to so many bytes is put into an exported page unless it is left out on request; up to so many if it is asked for. */
const EMBEDDED = 20_000_000;
const MOST_EMBEDDED = 200_000_000;

/** A body or query that has to be of a shape. @throws HearbackError invalid-input, naming the field */
function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new FieldError(issue?.message ?? 'The request does not fit.', issue?.path.map(String).join('.') ?? '');
}
class FieldError extends HearbackError {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super('invalid-input', field === '' ? message : `${field}: ${message}`);
  }
}

/** Whether a model is fetched from here, and if not, why: what cannot be used as it comes is no button. */
function offerOf(model: ModelListing): { readonly pullable: boolean; readonly not_from_here?: string } {
  if (model.sources.length === 0) return { pullable: false };
  if (model.convert) return { pullable: false, not_from_here: `It has to be converted with Python before it can be used. “hearback models pull ${model.id}” fetches it and says how.` };
  if (model.purpose === 'text-encoder') return { pullable: false, not_from_here: 'Nothing in this program uses it.' };
  return { pullable: true };
}

const Speed = z.union([z.literal('max'), z.coerce.number().min(0.25).max(20)]);

/** The HTTP server; not listening yet. */
export async function createApi(parts: ApiParts): Promise<FastifyInstance> {
  const { hub, machine, sessions, tasks, token, settings } = parts;
  const app = Fastify({ bodyLimit: 1024 * 1024, routerOptions: { maxParamLength: 600 }, forceCloseConnections: true });
  const pages = join(packageRoot(), 'dist', 'renderer');
  let speedTest = loadSpeedTest(hub.root);

  app.setErrorHandler((thrown: unknown, _request, reply) => {
    const own = thrown instanceof HearbackError;
    const status = !own && typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : undefined;
    const error = toHearbackError(thrown);
    void reply.code(status ?? STATUS[error.code] ?? 500).send({
      error: { code: status === undefined ? error.code : 'invalid-input', message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }), ...(error instanceof FieldError ? { field: error.field } : {}) },
    });
  });
  app.setNotFoundHandler((_request, reply) => {
    void reply.code(404).send({ error: { code: 'not-found', message: 'There is nothing at this address.' } });
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    const knock = {
      host: request.headers.host,
      origin: request.headers.origin,
      cookie: request.headers.cookie,
      authorization: request.headers.authorization,
      token: undefined,
    };
    const path = request.url.split('?')[0] ?? '/';
    // a sign of life, and the page's own way in, are the two things that need no token
    const refused = path === '/health' || path === '/' ? refuseStranger(knock, parts.port()) : refuse(knock, parts.port(), token);
    if (refused !== undefined) return reply.code(refused.status).send({ error: { code: refused.code, message: refused.message } });
    return undefined;
  });
  app.addHook('onSend', async (request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', request.url.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store');
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', contentPolicy());
  });

  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => {
    done(null, payload);
  });

  /* -- page -- */

  if (existsSync(join(pages, 'index.html'))) await app.register(fastifyStatic, { root: pages, index: false, wildcard: true, cacheControl: false, dotfiles: 'deny' });
  else await app.register(fastifyStatic, { serve: false, root: packageRoot() });
  app.get('/', (request, reply) => {
    const { token: given } = request.query as { token?: string };
    if (typeof given === 'string') {
      if (!sameToken(given, token)) return reply.code(401).type('text/plain; charset=utf-8').send('The token in this address is wrong. Open the address that Hearback printed when it started.\n');
      return reply.header('set-cookie', tokenCookie(parts.port(), token)).redirect('/', 303);
    }
    const refused = refuse({ host: request.headers.host, origin: request.headers.origin, cookie: request.headers.cookie, authorization: request.headers.authorization, token: undefined }, parts.port(), token);
    if (refused !== undefined) return reply.code(refused.status).type('text/plain; charset=utf-8').send(`${refused.message}\n`);
    if (!existsSync(join(pages, 'index.html'))) return reply.code(503).type('text/plain; charset=utf-8').send('The page has not been built. Run "npm run build".\n');
    return reply.sendFile('index.html', pages);
  });
  app.get('/health', () => ({ product: 'hearback', version: machine.state.version, protocol: PROTOCOL_VERSION }));

  /* -- engine -- */

  app.get('/api/engine', () => machine.state);
  app.get('/api/doctor', async () => ({ checks: await examineSystem({ sessionsRoot: hub.root }) }));
  app.get('/api/tasks', () => ({ tasks: tasks.list }));
  app.delete<{ Params: { task: string } }>('/api/tasks/:task', ({ params }) => {
    tasks.stop(params.task);
    return {};
  });
  app.get('/api/models', async () => ({
    models: (await listModels()).map((model) => ({
      id: model.id,
      // folders of the user's own are known by their names
      title: model.state === 'own' ? `${model.id} (${model.title})` : model.title,
      purpose: model.purpose ?? '',
      licence: model.licence ?? '',
      size: model.bytes ?? null,
      present: model.present,
      usable: model.present && !model.convert,
      embedded: model.embedded,
      ...offerOf(model),
      use: model.use ?? '',
    })),
    devices: DEVICES,
  }));
  app.post<{ Params: { id: string } }>('/api/models/:id/pull', async ({ params }) => {
    const model = (await listModels()).find(({ id }) => id === params.id);
    if (model === undefined) throw new HearbackError('unknown-id', `There is no model ${params.id}.`);
    const stop = new AbortController();
    const task = tasks.add('model-pull', model.title, () => {
      stop.abort();
    });
    tasks.update(task, { state: 'running' });
    void pullModel(params.id, {
      signal: stop.signal,
      onProgress: ({ bytesDone, bytesTotal }) => {
        tasks.update(task, { done: bytesDone, ...(bytesTotal === undefined ? {} : { total: bytesTotal }) });
      },
    }).then(
      () => {
        tasks.end(task);
      },
      (thrown: unknown) => {
        tasks.end(task, thrown);
      },
    );
    return { task };
  });
  app.get('/api/judges', () => ({
    judges: JUDGES.map((name) => ({ name, title: { rules: 'Rules', llm: 'A language model', consensus: 'Rules and a language model' }[name], needs_model: name !== 'rules' })),
    providers: LLM_PROVIDERS,
    prompts: PROMPT_CONDITIONS,
    key_set: (process.env['HEARBACK_LLM_KEY'] ?? '') !== '',
  }));
  app.get('/api/settings', () => settings.get());
  app.put('/api/settings', async ({ body }) => {
    const wanted = checked(Settings, body);
    const [before, after] = [choiceOf(settings.get(), parts.threads), choiceOf(wanted, parts.threads)];
    if (JSON.stringify(before) !== JSON.stringify(after)) await machine.change(after);
    storeSettings(hub.root, wanted);
    settings.set(wanted);
    return wanted;
  });
  app.get('/api/sources', async () => {
    const { devices, hint } = await listDevices();
    return { devices: devices.map(({ device, title, through }) => ({ device, title, through })), stdin: sessions.stdin, ...(hint === undefined ? {} : { hint }) };
  });
  app.get('/api/speed-test', () => ({ result: speedTest }));
  app.post('/api/speed-test', () => {
    const running = tasks.list.find(({ kind, state }) => kind === 'speed-test' && state === 'running');
    if (running !== undefined) return { task: running.task };
    const stop = new AbortController();
    const task = tasks.add('speed-test', 'Speed test', () => {
      stop.abort();
    });
    tasks.update(task, { state: 'running' });
    const { device, threads } = choiceOf(settings.get(), parts.threads);
    void runSpeedTest({ device, threads }, (done, total) => { tasks.update(task, { done, total }); }, stop.signal).then(
      (result) => {
        speedTest = result;
        storeSpeedTest(hub.root, result);
        tasks.end(task);
      },
      (thrown: unknown) => {
        tasks.end(task, thrown);
      },
    ); // prettier-ignore
    return { task };
  });

  /* -- sessions -- */

  type OfSession = { Params: { session: string } };
  app.get<{ Querystring: { search?: string } }>('/api/sessions', ({ query }) => {
    const all = hub.list();
    const wanted = query.search?.trim() ?? '';
    if (wanted === '') return { sessions: all };
    return { sessions: all.filter((entry) => (entry.kind === 'broken' ? entry.session.includes(wanted) : hub.mentions(entry.session, wanted))) };
  });
  app.patch<OfSession>('/api/sessions/:session', ({ params, body }) => {
    const change = checked(SessionChange, body);
    const events: HearbackEvent[] = [];
    if (change.name !== undefined) events.push({ type: 'session.renamed', name: change.name });
    if (change.retention_days !== undefined) events.push({ type: 'session.retention', ...(change.retention_days === 'default' ? {} : { days: change.retention_days }) });
    hub.folder(params.session);
    if (events.length > 0) hub.write(params.session, events);
    return {};
  });
  app.delete<OfSession>('/api/sessions/:session', ({ params }) => {
    hub.remove(params.session);
    return {};
  });
  app.get<OfSession & { Querystring: { after?: string; limit?: string } }>('/api/sessions/:session/events', ({ params, query }) => {
    const { after, limit } = checked(z.object({ after: z.coerce.number().int().nonnegative().default(0), limit: z.coerce.number().int().min(1).max(10_000).default(10_000) }), query);
    const { session } = hub.look(params.session);
    return { events: session.events(after, limit), last: session.lastSeq };
  });
  app.get<OfSession & { Params: { session: string; format: string }; Querystring: { audio?: string; bom?: string } }>('/api/sessions/:session/export/:format', ({ params, query }, reply) => {
    const format = checked(z.enum(EXPORTS), params.format);
    const { session } = hub.look(params.session);
    const bytes = [...session.state.transmissions.values()].reduce((sum, { capture }) => sum + (capture === undefined ? 0 : (capture.end - capture.start) * 32_000), 0);
    const audio = checked(z.enum(['embed', 'none']).default(bytes <= EMBEDDED ? 'embed' : 'none'), query.audio);
    if (audio === 'embed' && bytes > MOST_EMBEDDED) throw new HearbackError('too-large', `The page would hold ${Math.round(bytes / 1e6)} MB of sound.`, { hint: 'Export it without sound.' });
    const made = exportSession(hub.folder(params.session), format, { out: '-', ...(format === 'html' ? { audio } : {}), bom: query.bom === '1' });
    const name = exportName(session.identity.source ?? session.identity.name, format);
    const types: Readonly<Record<typeof format, string>> = { html: 'text/html', csv: 'text/csv', jsonl: 'application/jsonl', srt: 'application/x-subrip', textgrid: 'text/plain', bench: 'application/jsonl' };
    return reply
      .type(`${types[format]}; charset=utf-8`)
      .header('content-security-policy', EXPORT_POLICY)
      .header('content-disposition', `attachment; filename="export"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`)
      .send(made.text);
  });

  /* -- sound -- */

  const channelsOf = (id: string): readonly ChannelAudio[] => {
    const log = hub.look(id);
    const { state } = log.session;
    return channelAudio(log.dir, state, Math.max(secondsOf(state), log.run?.ended === false ? log.run.meter.seconds : 0));
  };
  const channelOf = (id: string, index: string): ChannelAudio => {
    const found = channelsOf(id)[Number(index)];
    if (found === undefined) throw new HearbackError('unknown-id', `The session has no channel ${index}.`);
    return found;
  };
  const sendRange = (request: FastifyRequest, reply: FastifyReply, size: number, part: (from: number, to: number) => Readable): FastifyReply => {
    const range = rangeOf(request.headers.range, size);
    reply.header('accept-ranges', 'bytes').type('audio/wav');
    if (range === undefined) return reply.code(416).header('content-range', `bytes */${size}`).send();
    reply.header('content-length', range.to - range.from + 1);
    if (range.partial) reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${size}`);
    return reply.send(request.method === 'HEAD' ? undefined : part(range.from, range.to));
  };
  app.get<OfSession>('/api/sessions/:session/channels', ({ params }) => ({
    channels: channelsOf(params.session).map(({ index, channel, samples, kind }) => ({ index, channel, duration: samples / 16_000, audio: kind })),
  }));
  app.get<{ Params: { session: string; channel: string } }>('/api/sessions/:session/channels/:channel/audio.wav', (request, reply) => {
    const audio = channelOf(request.params.session, request.params.channel);
    return sendRange(request, reply, wavBytes(audio), (from, to) => wavPart(audio, from, to));
  });
  app.get<{ Params: { session: string; channel: string } }>('/api/sessions/:session/channels/:channel/peaks', ({ params, query }) => {
    const audio = channelOf(params.session, params.channel);
    const seconds = audio.samples / 16_000;
    const { from, to, count } = checked(
      z.object({ from: z.coerce.number().nonnegative().default(0), to: z.coerce.number().positive().default(seconds), count: z.coerce.number().int().min(1).max(20_000).default(1000) }),
      query,
    );
    return peaksOf(audio, from, to, count);
  });
  app.get<{ Params: { session: string; transmission: string } }>('/api/sessions/:session/transmissions/:transmission/audio.wav', (request, reply) => {
    const { session } = hub.look(request.params.session);
    const samples = session.readAudio(request.params.transmission);
    const pcm = Int16Array.from(samples, (value) => Math.round(value * 32768));
    const audio: ChannelAudio = { index: 0, channel: '', kind: 'whole', samples: pcm.length, read: (from, count) => pcm.slice(from, from + count) };
    return sendRange(request, reply, wavBytes(audio), (from, to) => wavPart(audio, from, to));
  });

  /* -- recordings -- */

  app.post<{ Querystring: { name?: string; speed?: string } }>('/api/import', { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request) => {
    const { name, speed } = checked(z.object({ name: z.string().trim().min(1).max(300), speed: Speed.default('max') }), request.query);
    if (request.headers['content-type'] !== 'application/octet-stream') throw new HearbackError('invalid-input', 'The recording has to be sent as application/octet-stream.');
    const { log, task } = await sessions.upload(request.body as Readable, name, speed);
    return { session: log.id, name: log.session.identity.name, task };
  });

  /* -- benchmarks -- */

  app.get('/api/benchmarks', () => benchmarkList(parts.benchmarks));
  app.get<{ Params: { run: string } }>('/api/benchmarks/:run', ({ params }) => benchmarkRun(parts.benchmarks, params.run));
  app.get<{ Params: { run: string; other: string } }>('/api/benchmarks/:run/compare/:other', ({ params }) => compareBenchmarks(parts.benchmarks, params.run, params.other));

  return app;
}
