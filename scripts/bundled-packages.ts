/**
 * The packages that `scripts/bundle.ts` puts into dist: users install neither them nor what they depend on. What
 * has native code, WebAssembly or a licence of its own (elkjs: EPL) stays a dependency.
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
