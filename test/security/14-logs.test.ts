/** What the log contains, and what it must not contain (SECURITY.md 14). */
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/cli/logger.ts';
import { maskCredentials } from '../../src/cli/mask-credentials.ts';
import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { fakeStudio } from '../http/fake-studio.ts';

describe('maskCredentials', () => {
  test.each([
    ['postgres://ada:pw@db/x', 'postgres://ada:***@db/x'],
    ['mysql://ada:p@ss:w/o?rd@db:3306/x', 'mysql://ada:***@db:3306/x'],
    ['mysql://:pw@db', 'mysql://:***@db'],
    [
      'cannot open "postgresql://ada:pw@db/x": refused',
      'cannot open "postgresql://ada:***@db/x": refused',
    ],
    [
      'postgres://db/x?user=ada&password=pw&sslmode=require',
      'postgres://db/x?user=ada&password=***&sslmode=require',
    ],
    [
      'sqlserver://db;user=sa;password=pw;encrypt=true',
      'sqlserver://db;user=sa;password=***;encrypt=true',
    ],
    ['postgres://ada@db/x', 'postgres://ada@db/x'],
    ['http://127.0.0.1:4555/studio/', 'http://127.0.0.1:4555/studio/'],
    ['http://[::1]:4555/studio/', 'http://[::1]:4555/studio/'],
    ['./my.db', './my.db'],
  ])('%s becomes %s', (text, masked) => expect(maskCredentials(text)).toBe(masked));
});

describe('the log', () => {
  function linesAtLevel(
    level: string,
    write: (log: ReturnType<typeof createLogger>) => void,
  ): string {
    const written: string[] = [];
    write(createLogger(level, (line) => void written.push(line)));
    return written.join('');
  }

  test('shows no password from any source', () => {
    const error = Object.assign(new Error('cannot reach postgres://ada:hunter2@db'), {
      sql: 'hunter2',
    });
    const text = linesAtLevel('debug', (log) => {
      log.warn({ err: error, url: 'postgres://ada:hunter2@db/x' }, 'of mysql://ada:hunter2@db');
      log.info({ headers: { authorization: 'Basic hunter2', cookie: 'hunter2' } });
      log.info({ req: { headers: { authorization: 'Basic hunter2' } } });
    });
    expect(text.split('\n').filter(Boolean)).toHaveLength(3);
    expect(text).not.toContain('hunter2');
  });

  test('shows stack traces only if details are enabled', () => {
    const logError = (log: ReturnType<typeof createLogger>) =>
      log.error({ err: new Error('oh') }, 'failed');
    expect(linesAtLevel('warn', logError)).not.toContain('14-logs.test');
    expect(linesAtLevel('debug', logError)).toContain('14-logs.test');
  });

  test('respects its level', () => {
    expect(linesAtLevel('warn', (log) => log.info('chat'))).toBe('');
    expect(linesAtLevel('silent', (log) => log.fatal('end'))).toBe('');
  });
});

describe('a download that fails halfway', () => {
  const head = { fileName: 'data.json', mediaType: 'application/json' };

  test('is reported in the log only, without all details of its error', async () => {
    const consoleError = vi.spyOn(console, 'error');
    const output = new PassThrough();
    const written: string[] = [];
    const studio = fakeStudio({
      start: async () => ({ head: Promise.resolve(head), output, result: Promise.resolve({}) }),
    });
    const log = createLogger('warn', (line) => void written.push(line));
    const server = await listen({ app: createApp(studio, { log }), host: '127.0.0.1', port: 0 });
    try {
      output.write('[{"id":1}');
      const response = await fetch(`${server.address}/studio/api/export/data`);
      const rowError = Object.assign(new Error('the row is too long'), { detail: 'hunter2' });
      output.destroy(rowError);
      await expect(response.text()).rejects.toThrow();
      expect(written).toHaveLength(1);
      expect(written[0]).toContain('the row is too long');
      expect(written[0]).not.toMatch(/hunter2|14-logs/);
      expect(consoleError).not.toHaveBeenCalled();
    } finally {
      consoleError.mockRestore();
      await server.close();
    }
  });
});
