/**
 * `node embedded-child.ts URL [STATE_DIR]`: a program that embeds a studio. Prints its address and
 * what the studio recovers, one per line.
 */
import { createApp } from '../../../src/http/app.ts';
import { listen } from '../../../src/http/node.ts';
import { createStudio } from '../../../src/studio/studio.ts';

const [url = '', stateDir] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const studio = await createStudio({
  url,
  ...(stateDir === undefined ? {} : { stateDir }),
  onRecovery: print,
});
const server = await listen({ app: createApp(studio), host: '127.0.0.1', port: 0 });
print(server.address);
process.once('SIGTERM', async () => {
  await server.close(Promise.resolve());
  await studio.close();
  process.exit();
});
