import { createStudio } from 'database-studio';

/**
 * Next.js redirects from /studio/ to /studio, so the studio must not redirect back. It compresses responses
 * itself, and removes the Content-Encoding of theirs.
 */
const studio = createStudio({
  url: process.env.DATABASE_URL ?? './shop.db',
  create: true,
  trailingSlash: false,
  compress: false,
});

const handle = async (request) => (await studio).fetch(request);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as POST,
  handle as PUT,
};

/** Connections and child processes need Node. */
export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
