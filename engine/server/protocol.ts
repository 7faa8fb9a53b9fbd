/**
 * Messages of the engine's WebSocket, version 1. JSON as text frames, audio as binary frames (16 kHz mono PCM, signed
 * 16 bit, little endian). docs/protocol.md describes the order of things.
 */
import { z } from 'zod';
import { LoggedEvent } from '../domain/events.js';
import { Profile } from '../domain/taxonomy.js';
import { Context } from '../domain/understanding.js';

export const PROTOCOL_VERSION = 1;

/** Client to engine. */
export const ClientMessage = z.discriminatedUnion('type', [
  /** Starts a live session; binary frames that follow are its audio. One a connection. */
  z.object({ type: z.literal('session.open'), name: z.string().min(1).max(200).default('live'), profile: Profile.optional(), context: Context.optional() }),
  /** No more audio: the rest is recognised and judged, then `session.ended` comes as an event. */
  z.object({ type: z.literal('session.end') }),
  /** All events of a session of this engine behind `after`, then the new ones as they happen. */
  z.object({ type: z.literal('subscribe'), session: z.string(), after: z.number().int().nonnegative().default(0) }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

/** Engine to client. */
export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), protocol: z.literal(PROTOCOL_VERSION), version: z.string(), recogniser: z.string(), device: z.string() }),
  z.object({ type: z.literal('session.opened'), session: z.string() }),
  z.object({ type: z.literal('event'), session: z.string(), logged: LoggedEvent }),
  /** The connection stays, except after `flood`. `field` names what is wrong in the message. */
  z.object({ type: z.literal('error'), code: z.string(), field: z.string().optional(), message: z.string() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
