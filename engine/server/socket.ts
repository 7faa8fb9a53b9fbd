/**
 * One WebSocket connection: checks what comes, does it, and answers.
 */
import type { RawData, WebSocket } from 'ws';
import type { HearbackEvent } from '../domain/events.js';
import { HearbackError, toHearbackError } from '../domain/result.js';
import { isReview } from '../session/index.js';
import { judgeAgain, recogniseAgain } from './again.js';
import type { Client, Hub } from './hub.js';
import type { Machine } from './machine.js';
import { ClientMessage, decodeFrame, PROTOCOL_VERSION, type ServerMessage } from './protocol.js';
import type { PushedSource, Taken } from './pushed.js';
import type { Sessions } from './sessions.js';

/** JSON messages, and audio frames, that a client may send in ten seconds. */
const MAX_MESSAGES = 200;
const MAX_FRAMES = 20_000;
const WINDOW = 10_000;
/** Bytes that may wait in a client's socket before events wait in the log instead. */
const MAX_UNSENT = 1024 * 1024;
/** Running sessions that one connection may have opened. */
const MAX_STREAMS = 16;

export interface Rooms {
  readonly hub: Hub;
  readonly machine: Machine;
  readonly sessions: Sessions;
}

const SENTENCES: Readonly<Record<Exclude<Taken, 'taken'>, readonly [string, string]>> = {
  overload: ['overload', 'More audio came than can be listened to; this piece was dropped. Send at real time.'],
  late: ['clock', 'This piece lies before what has been heard already; it was dropped.'],
  clock: ['clock', 'The clock has gone ahead by more than an hour; open a new session.'],
  channel: ['unknown-id', 'The session has no channel of this number.'],
  ended: ['usage', 'The session has ended; it takes no more audio.'],
};
/** The same trouble with audio is told at most so often, milliseconds: frames come fifty times a second. */
const REPEAT = 1000;

export function welcome(socket: WebSocket, { hub, machine, sessions }: Rooms): void {
  const streams: { readonly id: string; readonly source: PushedSource }[] = [];
  const recent = { messages: 0, frames: 0, since: Date.now() };
  const told = new Map<string, number>();
  /** Reviews are done in the order in which they came, and so is everything else that a client asks for. */
  let work: Promise<void> = Promise.resolve();

  const client: Client = {
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
    },
    sendFresh: (message) => {
      if (client.ready) client.send(message);
    },
    get ready() {
      return socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_UNSENT;
    },
    giveUp: () => {
      socket.close(1013, 'too slow; come back and subscribe');
    },
  };
  const complain = (code: string, message: string, more: Partial<Extract<ServerMessage, { type: 'error' }>> = {}): void => {
    client.send({ type: 'error', code, message, ...more });
  };
  const complainOf = (thrown: unknown, request: ClientMessage['request']): void => {
    const error = toHearbackError(thrown);
    complain(error.code, error.message, { ...(error.hint === undefined ? {} : { hint: error.hint }), ...(request === undefined ? {} : { request }) });
  };
  const seldom = (taken: Taken): void => {
    if (taken === 'taken') return;
    const now = Date.now();
    if (now - (told.get(taken) ?? 0) < REPEAT) return;
    told.set(taken, now);
    complain(...SENTENCES[taken]);
  };
  /** Counts, and says whether it is too much. */
  const floods = (kind: 'messages' | 'frames', most: number): boolean => {
    const now = Date.now();
    if (now - recent.since > WINDOW) Object.assign(recent, { messages: 0, frames: 0, since: now });
    if (++recent[kind] <= most) return false;
    if (recent[kind] === most + 1) {
      complain('flood', `More than ${most} ${kind} in ten seconds; the connection ends here.`);
      socket.close(1008, 'flood');
    }
    return true;
  };

  async function obey(message: ClientMessage): Promise<void> {
    const done = (): void => {
      client.send({ type: 'done', ...(message.request === undefined ? {} : { request: message.request }) });
    };
    switch (message.type) {
      case 'session.open': {
        if (message.source.kind === 'push' && streams.filter(({ source }) => !source.ended).length >= MAX_STREAMS) throw new HearbackError('usage', `This connection has ${MAX_STREAMS} open sessions.`, { hint: 'End one first.' });
        const log = await sessions.open(message.source, message);
        if (log?.run === undefined) {
          done();
          return;
        }
        const { pushed } = log.run;
        const stream = pushed === undefined ? undefined : streams.push({ id: log.id, source: pushed }) - 1;
        client.send({
          type: 'session.opened',
          session: log.id,
          name: log.session.identity.name,
          channels: [...log.run.source.channels],
          ...(stream === undefined ? {} : { stream }),
          ...(message.request === undefined ? {} : { request: message.request }),
        });
        if (socket.readyState === socket.OPEN) hub.subscribe(client, log.id, 0);
        else pushed?.end();
        return;
      }
      case 'session.end':
        hub.end(message.session);
        done();
        return;
      case 'subscribe':
        hub.look(message.session);
        done();
        hub.subscribe(client, message.session, message.after);
        return;
      case 'unsubscribe':
        hub.unsubscribe(client, message.session);
        done();
        return;
      case 'context.update':
        hub.setTraffic(message.session, message.channel, message.callsigns);
        done();
        return;
      case 'clock': {
        const { run } = hub.running(message.session);
        if (run.pushed === undefined) throw new HearbackError('usage', 'This session is not fed by a client.');
        seldom(run.pushed.clock(message.clock));
        return;
      }
      case 'replay.control': {
        const { run } = hub.running(message.session);
        if (run.replay === undefined) throw new HearbackError('usage', 'This session is live; there is no time to drive.');
        run.replay.control(message);
        done();
        return;
      }
      case 'transmission.rerun':
      case 'exchange.rejudge': {
        const { session } = hub.look(message.session);
        const hold = await machine.hold();
        try {
          const means = { judge: hold.parts.judge, profile: session.state.meta?.profile ?? hold.parts.profile };
          const events = message.type === 'exchange.rejudge' ? await judgeAgain(session, message.exchange, means) : await recogniseAgain(session, message.transmission, await machine.recogniser(message.model), means);
          hub.write(message.session, events);
        } finally {
          hold.release();
        }
        done();
        return;
      }
      case 'review':
        assertSound(hub, message.session, message.event);
        hub.write(message.session, [message.event]);
        done();
        return;
    }
  }

  client.send({ type: 'hello', protocol: PROTOCOL_VERSION, engine: machine.state });
  hub.join(client);
  socket.on('error', () => undefined); // a broken frame closes the socket by itself
  socket.on('close', () => {
    hub.leave(client);
    // without its client nothing more can come: what was heard is finished and stays in the log
    for (const { source } of streams) source.end();
  });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) {
      if (floods('frames', MAX_FRAMES)) return;
      const frame = decodeFrame(toBuffer(data));
      if (frame === undefined) {
        complain('invalid-input', `A binary frame has to begin with the header of version ${PROTOCOL_VERSION}, and hold whole samples.`);
        return;
      }
      const stream = streams[frame.stream];
      if (stream === undefined) complain('usage', 'Audio came without an open session. Send session.open first.');
      else seldom(stream.source.push(frame.channel, frame.clock, frame.pcm));
      return;
    }
    if (floods('messages', MAX_MESSAGES)) return;
    let parsed: unknown;
    try {
      parsed = JSON.parse(toBuffer(data).toString('utf8'));
    } catch {
      complain('invalid-input', 'The message is not JSON.');
      return;
    }
    const checked = ClientMessage.safeParse(parsed);
    if (!checked.success) {
      const issue = checked.error.issues[0];
      const request = typeof parsed === 'object' && parsed !== null && 'request' in parsed && (typeof parsed.request === 'string' || typeof parsed.request === 'number') ? parsed.request : undefined;
      complain('invalid-input', issue?.message ?? 'The message does not fit the protocol.', {
        field: issue === undefined || issue.path.length === 0 ? 'type' : issue.path.map(String).join('.'),
        ...(request === undefined ? {} : { request }),
      });
      return;
    }
    const message = checked.data;
    // what is reviewed keeps its order; nothing waits behind a model that is being loaded
    const waits = ['session.open', 'review'].includes(message.type);
    const run = (): Promise<void> =>
      obey(message).catch((thrown: unknown) => {
        complainOf(thrown, message.request);
      });
    if (waits) work = work.then(run);
    else void run();
  });
}

/** @throws HearbackError unknown-id: what the event is about is not in the session; usage: nothing to take back */
function assertSound(hub: Hub, id: string, event: Extract<HearbackEvent, { type: `review.${string}` }>): void {
  const { state } = hub.look(id).session;
  if ('exchange' in event && event.exchange !== undefined && !state.exchanges.has(event.exchange)) throw new HearbackError('unknown-id', `The session has no exchange ${event.exchange}.`);
  if ('transmission' in event && event.transmission !== undefined && !state.transmissions.has(event.transmission)) throw new HearbackError('unknown-id', `The session has no transmission ${event.transmission}.`);
  if (event.type === 'review.undone' && !isReview(state, event.undoes)) throw new HearbackError('usage', `Event ${event.undoes} is no decision, correction or note that is in force.`);
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
