/** What the log shows, and what it does not (security.md 14). */
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../src/cli/logger.ts';
import { maskCredentials } from '../../src/cli/mask-credentials.ts';

describe('masking', () => {
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
  ])('%s', (text, masked) => expect(maskCredentials(text)).toBe(masked));
});

describe('the log', () => {
  function lines(level: string, write: (log: ReturnType<typeof createLogger>) => void): string {
    const written: string[] = [];
    write(createLogger(level, (line) => void written.push(line)));
    return written.join('');
  }

  test('shows no password wherever it was put', () => {
    const error = Object.assign(new Error('cannot reach postgres://ada:hunter2@db'), {
      sql: 'hunter2',
    });
    const text = lines('debug', (log) => {
      log.warn({ err: error, url: 'postgres://ada:hunter2@db/x' }, 'of mysql://ada:hunter2@db');
      log.info({ headers: { authorization: 'Basic hunter2', cookie: 'hunter2' } });
      log.info({ req: { headers: { authorization: 'Basic hunter2' } } });
    });
    expect(text.split('\n').filter(Boolean)).toHaveLength(3);
    expect(text).not.toContain('hunter2');
  });

  test('shows stacks only to who asks for details', () => {
    const note = (log: ReturnType<typeof createLogger>) =>
      log.error({ err: new Error('oh') }, 'failed');
    expect(lines('warn', note)).not.toContain('14-logs.test');
    expect(lines('debug', note)).toContain('14-logs.test');
  });

  test('keeps to its level', () => {
    expect(lines('warn', (log) => log.info('chat'))).toBe('');
    expect(lines('silent', (log) => log.fatal('end'))).toBe('');
  });
});
