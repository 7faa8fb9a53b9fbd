/** The page: renderer/ → dist/renderer, served by the engine or by the desktop shell. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  // the desktop shell serves the page under a path of its own
  base: './',
  plugins: [react()],
  // the spectrogram asks for Node's threads where it runs in Node; a page has none
  resolve: { alias: { worker_threads: new URL('renderer/no-threads.js', import.meta.url).pathname } },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    // the page's content security policy has no room for data: scripts
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
