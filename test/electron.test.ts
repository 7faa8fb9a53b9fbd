/** What the desktop shell decides, without its binary: permissions, addresses, the window's options, keeping the engine running. */
import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isOurPage, mayAsk, mayHave, mayLoad, passedHeaders, targetOf, typeOf, windowOptions } from '../electron/security.js';
import { addressIn, Supervisor, type EngineProcess, type EngineStatus } from '../electron/supervisor.js';
import { root } from './command.js';

const pages = join(sep, 'opt', 'hearback', 'renderer');

describe('D1 the window', () => {
  it('has neither Node nor any door that Electron’s security list wants closed', () => {
    const { webPreferences } = windowOptions('/preload.cjs');
    expect(webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, nodeIntegrationInWorker: false, nodeIntegrationInSubFrames: false, webSecurity: true, allowRunningInsecureContent: false, experimentalFeatures: false, webviewTag: false });
  });
  it('loads its own page and the engine’s socket, and nothing else', () => {
    expect(mayLoad('hearback://app/index.html', 4000)).toBe(true);
    expect(mayLoad('ws://127.0.0.1:4000/v2?token=x', 4000)).toBe(true);
    for (const address of ['https://example.org/', 'http://127.0.0.1:4000/', 'ws://127.0.0.1:4001/', 'ws://localhost:4000/', 'ws://127.0.0.1.example.org:4000/', 'file:///etc/passwd', 'hearback://other/', 'nonsense']) expect(mayLoad(address, 4000), address).toBe(false);
    expect(mayLoad('ws://127.0.0.1:4000/', undefined)).toBe(false);
  });
});

describe('D2 permissions', () => {
  it('are the microphone for our own page', () => {
    expect(mayHave('media', 'hearback://app/index.html', { mediaTypes: ['audio'] })).toBe(true);
    expect(mayHave('media', 'hearback://app/', { mediaType: 'audio' })).toBe(true);
    expect(mayHave('media', 'hearback://app/', { mediaTypes: ['audio', 'video'] })).toBe(false);
    expect(mayHave('media', 'hearback://app/', { mediaTypes: [] })).toBe(false);
    expect(mayHave('media', 'hearback://app/')).toBe(false);
    expect(mayHave('media', 'https://example.org/', { mediaTypes: ['audio'] })).toBe(false);
    for (const permission of ['geolocation', 'notifications', 'clipboard-read', 'display-capture', 'fullscreen', 'hid', 'usb', 'openExternal', 'midi']) expect(mayHave(permission, 'hearback://app/', { mediaTypes: ['audio'] })).toBe(false);
  });
  it('messages to the shell come from the top frame of our own page', () => {
    expect(mayAsk({ url: 'hearback://app/index.html', top: true })).toBe(true);
    expect(mayAsk({ url: 'hearback://app/index.html', top: false })).toBe(false);
    expect(mayAsk({ url: 'https://example.org/', top: true })).toBe(false);
    expect(mayAsk(undefined)).toBe(false);
    expect(isOurPage('hearback://app.example.org/')).toBe(false);
    expect(isOurPage('hearback://app@example.org/')).toBe(false);
  });
});

describe('D3 addresses of the page', () => {
  it('are files of the page or requests to the engine', () => {
    expect(targetOf('hearback://app/', pages)).toEqual({ kind: 'file', path: join(pages, 'index.html') });
    expect(targetOf('hearback://app/assets/a%20b.js?x=1#y', pages)).toEqual({ kind: 'file', path: join(pages, 'assets', 'a b.js') });
    expect(targetOf('hearback://app/api/sessions?search=a', pages)).toEqual({ kind: 'engine', path: '/api/sessions?search=a' });
    expect(targetOf('hearback://other/index.html', pages)).toEqual({ kind: 'nothing' });
  });
  it('never lead out of the page’s folder, however they are spelt', () => {
    const part = fc.constantFrom('..', '.', '%2e%2e', '%2E.', '..%2f', '%2f', '%5c', '\\', '..\\', '%00', 'a', 'etc', 'C:', '//', '%25%32%65', '/');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const target = targetOf(`hearback://app/${parts.join('/')}`, pages);
        if (target.kind === 'file') expect(target.path.startsWith(pages + sep)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
  it('are served with a type, and only what a page has', () => {
    expect(typeOf('/x/INDEX.HTML')).toBe('text/html; charset=utf-8');
    expect(typeOf('/x/.env')).toBeUndefined();
    expect(typeOf('/x/session.db')).toBeUndefined();
  });
  it('pass the token to the engine and nothing that the page adds', () => {
    const headers = new Headers({ range: 'bytes=0-1', authorization: 'Bearer forged', cookie: 'a=b', origin: 'https://example.org' });
    expect(passedHeaders(headers, 'secret')).toEqual({ authorization: 'Bearer secret', range: 'bytes=0-1' });
  });
});

describe('D4 keeping the engine running', () => {
  /** A real process that runs a piece of JavaScript. */
  const run = (code: string): EngineProcess => {
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
    return {
      onOutput: (listener) => child.stdout.setEncoding('utf8').on('data', listener),
      onComplaint: (listener) => child.stderr.setEncoding('utf8').on('data', listener),
      onExit: (listener) => child.once('close', listener),
      kill: () => child.kill(),
    };
  };
  const until = async (condition: () => boolean): Promise<void> => {
    for (let n = 0; n < 1500 && !condition(); n++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(condition()).toBe(true);
  };

  it('starts it again after it died, at its new address, and tells the page both', { timeout: 60_000 }, async () => {
    const told: EngineStatus[] = [];
    let starts = 0;
    const supervisor = new Supervisor(
      () => {
        const n = ++starts;
        const line = JSON.stringify({ url: `http://127.0.0.1:${4000 + n}`, token: 't' });
        return run(n === 1 ? `console.log(${JSON.stringify(line)}); setTimeout(() => { console.error('out of luck'); process.exit(3); }, 100)` : `console.log(${JSON.stringify(line)}); setInterval(() => {}, 1000)`);
      },
      (status) => told.push(status),
      [10, 10],
    );
    supervisor.run();
    expect((await supervisor.whenUp()).url).toBe('http://127.0.0.1:4001');
    await until(() => supervisor.address?.url === 'http://127.0.0.1:4002');
    expect(told.map(({ state }) => state)).toEqual(['up', 'lost', 'up']);
    expect(told[1]?.text).toMatch(/ended with code 3: out of luck.*started again/);
    supervisor.stop();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(starts).toBe(2);
    expect(told).toHaveLength(3);
  });
  it('gives up when it keeps dying, and says what to do', { timeout: 60_000 }, async () => {
    const told: EngineStatus[] = [];
    let starts = 0;
    const supervisor = new Supervisor(() => { starts++; return run('process.exit(1)'); }, (status) => told.push(status), [5, 5]); // prettier-ignore
    supervisor.run();
    await until(() => told.length === 3);
    expect(starts).toBe(3);
    expect(told.at(-1)?.text).toMatch(/not started again.*open it again/);
    supervisor.stop();
  });
  it('reads the address in the first whole line, and believes only one of this machine', () => {
    expect(addressIn('{"url":"http://127.0.0.1:1","token":"t"}\nmore')).toEqual({ url: 'http://127.0.0.1:1', token: 't' });
    for (const output of ['{"url":"http://127.0.0.1:1","token":"t"}', 'hello\n', '{"url":"http://example.org:1","token":"t"}\n', '{"url":"http://127.0.0.1:1"}\n', '[]\n', '']) expect(addressIn(output)).toBeUndefined();
  });
});

describe('D5 the package', () => {
  it('closes what Electron’s fuses can close, keeps natives out of the archive and models beside it, and holds no secrets', () => {
    const text = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
    const config = parse(text) as Record<string, unknown>;
    expect(config['electronFuses']).toMatchObject({ enableNodeOptionsEnvironmentVariable: false, enableNodeCliInspectArguments: false, enableEmbeddedAsarIntegrityValidation: true, onlyLoadAppFromAsar: true, grantFileProtocolExtraPrivileges: false, enableCookieEncryption: true });
    expect(config).toMatchObject({ asar: true, publish: null });
    expect(config['asarUnpack']).toEqual(expect.arrayContaining(['**/*.node', 'node_modules/onnxruntime-node/bin/**', 'node_modules/@libsql/**']));
    expect(JSON.stringify(config['extraResources'])).toContain('"from":"models","to":"models"');
    expect([config['mac'], config['win'], config['linux']].every((part) => part !== undefined)).toBe(true);
    expect(text).not.toMatch(/password|certificate|token|secret|cscLink|apiKey/i);
  });
});
