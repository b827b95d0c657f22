import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Built into dist/ui. Addresses are relative: the server puts its prefix before those of index.html. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2024',
    // Inlined files would be data: addresses, which the pages' policy takes for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/studio/api': 'http://127.0.0.1:4555' } },
});
