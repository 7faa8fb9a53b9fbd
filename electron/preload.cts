/** The only door between page and shell: two functions, no Node, no ipcRenderer. CommonJS because sandboxed preloads have to be. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- the form that TypeScript has for this module kind
import electron = require('electron');

const { contextBridge, ipcRenderer } = electron;

contextBridge.exposeInMainWorld('hearbackShell', {
  socketUrl: () => ipcRenderer.invoke('hearback:socket-url'),
  onEngine: (listener: (state: { state: 'up' | 'lost'; text: string }) => void) => {
    const pass = (_event: unknown, state: { state: 'up' | 'lost'; text: string }): void => {
      listener({ state: state.state, text: state.text });
    };
    ipcRenderer.on('hearback:engine', pass);
    return () => {
      ipcRenderer.removeListener('hearback:engine', pass);
    };
  },
});
