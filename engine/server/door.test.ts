import { describe, expect, it } from 'vitest';
import { cookieName, refuse, refuseStranger, sameToken, tokenCookie, type Knock } from './door.js';
import { contentPolicy } from './protocol-page.js';

const token = 'a'.repeat(32);
const knock = (over: Partial<Knock> = {}): Knock => ({ host: '127.0.0.1:4000', origin: undefined, cookie: undefined, authorization: undefined, token: undefined, ...over });

describe('the door', () => {
  it.each([
    ['127.0.0.1:4000', undefined, undefined],
    ['localhost:4000', 'http://localhost:4000', undefined],
    ['[::1]:4000', 'http://127.0.0.1:4000', undefined],
    ['127.0.0.1:4000', 'hearback://app', undefined],
    ['127.0.0.1:4000', 'http://127.0.0.1:4001', 403],
    ['127.0.0.1:4000', 'https://127.0.0.1:4000', 403],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000.example.org', 403],
    ['127.0.0.1:4000', 'hearback://app.example.org', 403],
    ['127.0.0.1:4000', 'null', 403],
    ['127.0.0.1', undefined, 421],
    ['127.0.0.1:4001', undefined, 421],
    ['engine.example.org:4000', undefined, 421],
    [undefined, undefined, 421],
  ])('host %s, origin %s: %s', (host, origin, status) => {
    expect(refuseStranger({ host, origin }, 4000)?.status).toBe(status);
  });

  it('takes the token from a cookie of its own port, a header or the address, and nothing like it', () => {
    expect(refuse(knock(), 4000, token)?.status).toBe(401);
    expect(refuse(knock({ cookie: `other=1; ${cookieName(4000)}=${token}` }), 4000, token)).toBeUndefined();
    expect(refuse(knock({ cookie: `${cookieName(4001)}=${token}` }), 4000, token)?.status).toBe(401);
    expect(refuse(knock({ authorization: `Bearer ${token}` }), 4000, token)).toBeUndefined();
    expect(refuse(knock({ token }), 4000, token)).toBeUndefined();
    expect(refuse(knock({ token: token.slice(1) }), 4000, token)?.status).toBe(401);
    expect(refuse(knock({ token: `${token}a` }), 4000, token)?.status).toBe(401);
    // right token, wrong page
    expect(refuse(knock({ token, origin: 'https://example.org' }), 4000, token)?.status).toBe(403);
    expect(sameToken(undefined, '')).toBe(true);
    expect(sameToken('', token)).toBe(false);
  });

  it('keeps scripts from the cookie, and scripts of others from the page', () => {
    expect(tokenCookie(4000, token)).toBe(`hearback-4000=${token}; HttpOnly; SameSite=Strict; Path=/`);
    const policy = contentPolicy('ws://127.0.0.1:*');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/(^|; )script-src 'self'(;|$)/);
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:*;");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});
