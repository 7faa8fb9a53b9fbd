/**
 * What the desktop shell allows: pure decisions, after Electron's own security list. main.ts asks here and does what is said.
 */
import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import { SHELL_ORIGIN } from '../engine/server/protocol-page.js';

/** The address of the page. */
export const PAGE = `${SHELL_ORIGIN}/index.html`;

/** Options of the one window. No Node in the page, nothing that opens the page to the system. */
export const windowOptions = (preload: string, icon?: string) =>
  ({
    width: 1440,
    height: 900,
    minWidth: 1280,
    minHeight: 720,
    show: false,
    backgroundColor: '#0d1117',
    autoHideMenuBar: true,
    title: 'Hearback',
    ...(icon === undefined ? {} : { icon }),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      safeDialogs: true,
    },
  }) as const;

/** Whether an address is one of our own page. Anything that cannot be read as an address is not. */
export function isOurPage(address: string): boolean {
  try {
    const { protocol, host } = new URL(address);
    return `${protocol}//${host}` === SHELL_ORIGIN;
  } catch {
    return false;
  }
}

/** Permissions: the microphone, and only the microphone, and only for our own page. */
export function mayHave(permission: string, page: string, details: { readonly mediaTypes?: readonly string[] | undefined; readonly mediaType?: string | undefined } = {}): boolean {
  if (permission !== 'media' || !isOurPage(page)) return false;
  const wanted = details.mediaTypes ?? (details.mediaType === undefined ? [] : [details.mediaType]);
  return wanted.length > 0 && wanted.every((type) => type === 'audio');
}

/** Who may ask the shell for something: the top frame of our own page. */
export const mayAsk = (frame: { readonly url: string; readonly top: boolean } | undefined): boolean => frame?.top === true && isOurPage(frame.url);

/** Where a request of the page may go: the page's own address, and the engine's socket on this machine. */
export function mayLoad(address: string, enginePort: number | undefined): boolean {
  try {
    const { protocol, hostname, port } = new URL(address);
    if (protocol === 'ws:') return hostname === '127.0.0.1' && enginePort !== undefined && port === String(enginePort);
    return protocol === 'blob:' || protocol === 'data:' || protocol === 'devtools:' || isOurPage(address);
  } catch {
    return false;
  }
}

/** What an address of the page stands for: a file below the page's folder, a request to the engine, or nothing. */
export type Target = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'engine'; readonly path: string } | { readonly kind: 'nothing' };

/**
 * Reads an address under `hearback://app`. No spelling of it leads out of `root`: not "..", not encoded, not with backslashes, not an absolute
 * path, not a null byte.
 */
export function targetOf(address: string, root: string): Target {
  const nothing: Target = { kind: 'nothing' };
  if (!isOurPage(address)) return nothing;
  const { pathname, search } = new URL(address);
  if (pathname.startsWith('/api/')) return { kind: 'engine', path: pathname + search };
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return nothing;
  }
  if (path.includes('\0') || path.includes('\\') || /(^|\/)\.\.?(\/|$)/.test(path)) return nothing;
  const file = normalize(join(root, path === '/' ? 'index.html' : path));
  const way = relative(root, file);
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return nothing;
  return { kind: 'file', path: file };
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};

/** Content type of a file of the page; undefined for kinds that the page has none of, which are not served. */
export const typeOf = (path: string): string | undefined => TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];

/** Headers of the page's requests that the engine is told; cookies and whatever else a page could add are not. */
const PASSED = ['content-type', 'range', 'if-none-match', 'accept'] as const;
export function passedHeaders(headers: { get(name: string): string | null }, token: string): Record<string, string> {
  const passed: Record<string, string> = { authorization: `Bearer ${token}` };
  for (const name of PASSED) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  return passed;
}
