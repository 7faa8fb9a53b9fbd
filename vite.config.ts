/** The page: renderer/ → dist/renderer, served by the engine or by the desktop shell. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  // the desktop shell serves the page under a path of its own
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    // the page's content security policy has no room for data: scripts
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
