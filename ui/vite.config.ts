import react from '@vitejs/plugin-react';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

/** Smaller files and those that gain little stay as they are. */
const minBytes = 1024;
const minGain = 0.9;

/** Writes each asset compressed as well. The server sends these bytes to clients that accept them. */
const compressedAssets: Plugin = {
  name: 'compressed-assets',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!fileName.startsWith('assets/')) continue;
        const plain = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        const gzip = gzipSync(plain, { level: 9 });
        if (plain.length < minBytes || gzip.length > plain.length * minGain) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
        const br = brotliCompressSync(plain, { params });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzip });
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: br });
      }
    },
  },
};

/** Built into dist/ui. Addresses are relative: the server puts its prefix before those of index.html. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), compressedAssets],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2024',
    // Inlined files would be data: addresses, which the pages' policy takes for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Their licenses require it, and the list of a release's contents comes from it.
    license: { fileName: 'LICENSES.md' },
  },
  server: { proxy: { '/studio/api': 'http://127.0.0.1:4555' } },
});
