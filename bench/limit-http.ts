/** Shared by the minimal servers: sending JSON, and printing the address that they listen on. */
import { createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export function respond(response: ServerResponse, status: number, content: unknown): void {
  const body = Buffer.from(JSON.stringify(content));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

export function listen(listener: RequestListener): void {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`Limit ready at http://127.0.0.1:${port}/\n`);
  });
  process.on('SIGTERM', () => process.exit());
}
