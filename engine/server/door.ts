/**
 * Who is let in: pure decisions about hosts, origins, tokens and the headers of answers.
 *
 * The token keeps out other users and programs of the machine; Host and Origin keep out web pages, whose requests a browser sends for them:
 * DNS rebinding comes with a foreign Host, cross-site requests with a foreign Origin.
 */
import { timingSafeEqual } from 'node:crypto';
import { SHELL_ORIGIN } from './protocol-page.js';

export interface Knock {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
  readonly authorization: string | undefined;
  /** From the address, where a client may put it. */
  readonly token: string | undefined;
}

export interface Refusal {
  readonly status: 401 | 403 | 421;
  readonly code: 'host' | 'origin' | 'token';
  readonly message: string;
}

/** Hosts under which the engine is reached: the loopback names with its own port. */
const isOwnHost = (host: string, port: number): boolean => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host.toLowerCase());

/** Cookies of one host are shared by all its ports, so that the port is in the name. */
export const cookieName = (port: number): string => `hearback-${port}`;

const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Compares without telling by its time how much was right. */
export function sameToken(given: string | undefined, wanted: string): boolean {
  const a = Buffer.from(given ?? '');
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Why a request is turned away before anything else is looked at; undefined lets it in. */
export function refuseStranger({ host, origin }: Pick<Knock, 'host' | 'origin'>, port: number): Refusal | undefined {
  if (host === undefined || !isOwnHost(host, port)) return { status: 421, code: 'host', message: 'This address is not one of the engine.' };
  if (origin === undefined || origin === SHELL_ORIGIN) return undefined;
  if (origin.startsWith('http://') && isOwnHost(origin.slice('http://'.length), port)) return undefined;
  return { status: 403, code: 'origin', message: 'A page from elsewhere may not talk to the engine.' };
}

/** Why a request may not see or do anything; undefined lets it in. */
export function refuse(knock: Knock, port: number, token: string): Refusal | undefined {
  const stranger = refuseStranger(knock, port);
  if (stranger !== undefined) return stranger;
  const bearer = /^Bearer (.+)$/.exec(knock.authorization ?? '')?.[1];
  const given = [knock.token, bearer, cookieOf(knock.cookie, cookieName(port))];
  if (given.some((each) => sameToken(each, token))) return undefined;
  return { status: 401, code: 'token', message: 'The token is missing or wrong. Open the address that Hearback printed when it started.' };
}

/** What keeps the token for the page: out of reach of scripts, and sent by no other site's page. */
export const tokenCookie = (port: number, token: string): string => `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`;

/** What an exported page may do when it is looked at from the engine's own address: show and play what is inside it. */
export const EXPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:";

/** Headers of every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=()',
};
