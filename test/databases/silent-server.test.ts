import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { testDisconnectingClients } from './silent-server.ts';
import type { AddressInfo } from 'node:net';

testDisconnectingClients({ isSilenced: false });

test.each(['postgres', 'mysql', 'sqlserver'])(
  'a %s server that never responds is unavailable after the time limit',
  async (scheme) => {
    const server = createServer((socket) => void socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const limit = scheme === 'sqlserver' ? 'connection timeout=1' : 'connect_timeout=1';
    const parameter = scheme === 'mysql' ? 'connectTimeout=1' : limit.replace(' ', '%20');
    const url = `${scheme}://ada:x@127.0.0.1:${port}/shop?${parameter}`;
    await expect(createStudio({ url })).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('the server does not respond'),
    });
  },
);
