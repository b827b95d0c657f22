/**
 * The packages that `scripts/bundle.ts` puts into dist: users install neither them nor their
 * dependencies. Packages with native code, WebAssembly or another license (elkjs: EPL) remain dependencies.
 */
export const bundledPackages: readonly string[] = [
  '@dbml/parse',
  '@fastify/busboy',
  '@hono/node-server',
  '@lezer/common',
  '@lezer/go',
  '@modelcontextprotocol/server',
  'bidi-js',
  'fontkit',
  'hono',
  'hyparquet',
  'hyparquet-writer',
  'mysql2',
  'pdfkit',
  'pg',
  'pg-cursor',
  'pino',
  'saxes',
  'tedious',
  'yaml',
  'yauzl',
  'yazl',
  'zod',
];
