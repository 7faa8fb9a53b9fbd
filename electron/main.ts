/**
 * The desktop shell: one window with the page, the engine beside it in a process of its own. Thin: what is allowed is decided in security.ts,
 * how the engine is kept running in supervisor.ts.
 */
import { app, BrowserWindow, ipcMain, net, protocol, session, utilityProcess } from 'electron';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentPolicy } from '../engine/server/protocol-page.js';
import { SOCKET_PATH } from '../engine/server/protocol.js';
import { isOurPage, mayAsk, mayHave, mayLoad, PAGE, passedHeaders, targetOf, typeOf, windowOptions } from './security.js';
import { Supervisor, type EngineProcess } from './supervisor.js';

const here = dirname(fileURLToPath(import.meta.url));
const pages = join(here, '..', 'renderer');
const engineMain = join(here, '..', 'engine', 'cli', 'main.js');

app.enableSandbox();
protocol.registerSchemesAsPrivileged([{ scheme: 'hearback', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } }]);

let window: BrowserWindow | undefined;

/** What came behind the program's own name: recordings and options of `hearback app`. */
const words = process.argv.slice(app.isPackaged ? 1 : 2);

let starts = 0;
const supervisor = new Supervisor(
  (): EngineProcess => {
    // started again, it goes on with what was running, and does not open the recordings anew
    const env = { ...process.env, ...(starts++ > 0 ? { HEARBACK_GO_ON: '1' } : {}) };
    const child = utilityProcess.fork(engineMain, ['app', '--json', '--no-open', ...words], { stdio: 'pipe', serviceName: 'Hearback engine', env });
    return {
      onOutput: (listener) => child.stdout?.setEncoding('utf8').on('data', listener),
      onComplaint: (listener) => child.stderr?.setEncoding('utf8').on('data', listener),
      onExit: (listener) => child.once('exit', listener),
      kill: () => child.kill(),
    };
  },
  (status) => window?.webContents.send('hearback:engine', status),
);

/** Answers the page's own addresses: files of the page, and what the page asks of the engine, with the token that the page never sees. */
async function answer(request: Request): Promise<Response> {
  const target = targetOf(request.url, pages);
  switch (target.kind) {
    case 'nothing':
      return new Response(null, { status: 404 });
    case 'engine': {
      const { url, token } = await supervisor.whenUp();
      return net.fetch(url + target.path, {
        method: request.method,
        headers: passedHeaders(request.headers, token),
        ...(request.body === null ? {} : { body: request.body, duplex: 'half' }),
        bypassCustomProtocolHandlers: true,
      });
    }
    case 'file': {
      const type = typeOf(target.path);
      if (type === undefined) return new Response(null, { status: 404 });
      try {
        return new Response(new Uint8Array(await readFile(target.path)), { headers: { 'content-type': type, 'content-security-policy': contentPolicy('ws://127.0.0.1:*'), 'x-content-type-options': 'nosniff' } });
      } catch {
        return new Response(null, { status: 404 });
      }
    }
  }
}

app.on('web-contents-created', (_event, contents) => {
  contents.on('will-navigate', (event, address) => {
    if (!isOurPage(address)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isOurPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event, address) => {
    if (!isOurPage(address)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
});

function open(): void {
  const made = new BrowserWindow(windowOptions(join(here, 'preload.cjs')));
  window = made;
  made.once('ready-to-show', () => {
    made.show();
  });
  made.on('closed', () => {
    window = undefined;
  });
  void made.loadURL(PAGE);
}

if (!app.requestSingleInstanceLock()) app.quit();
else {
  app.on('second-instance', () => {
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('window-all-closed', () => {
    app.quit();
  });
  app.on('before-quit', () => {
    supervisor.stop();
  });
  // not awaited: Electron is not ready before this file has been evaluated
  void app.whenReady().then(begin);
}

function begin(): void {
  const own = session.defaultSession;
  own.setPermissionRequestHandler((_contents, permission, allow, details) => {
    allow(mayHave(permission, details.requestingUrl, 'mediaTypes' in details ? { mediaTypes: details.mediaTypes } : {}));
  });
  own.setPermissionCheckHandler((_contents, permission, origin, details) => mayHave(permission, origin, { mediaType: details.mediaType }));
  own.setDevicePermissionHandler(() => false);
  own.webRequest.onBeforeRequest((details, decide) => {
    const port = supervisor.address === undefined ? undefined : Number(new URL(supervisor.address.url).port);
    decide({ cancel: !mayLoad(details.url, port) && !isEngine(details.url, details.webContentsId) });
  });
  protocol.handle('hearback', answer);
  ipcMain.handle('hearback:socket-url', async (event) => {
    const frame = event.senderFrame;
    if (!mayAsk(frame === null ? undefined : { url: frame.url, top: frame.parent === null })) throw new Error('not for this page');
    const { url, token } = await supervisor.whenUp();
    return `${url.replace('http', 'ws')}${SOCKET_PATH}?token=${token}`;
  });
  supervisor.run();
  open();
}

/** The shell's own request to the engine on behalf of the page; a page's would carry the number of its contents. */
function isEngine(address: string, contents: number | undefined): boolean {
  return contents === undefined && supervisor.address !== undefined && address.startsWith(`${supervisor.address.url}/api/`);
}
