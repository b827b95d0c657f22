/** A short variant of `node bench/chaos.ts`, run from the sources. */
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { openChaosDatabase } from '../../bench/chaos-databases.ts';
import { runChaos } from '../../bench/chaos-run.ts';
import { mainFile } from '../cli/command.ts';

const minutes = 60_000;
const clients = 8;

test
  .skipIf(process.platform !== 'linux' || userInfo().uid !== 0)
  .each(Object.entries(openChaosDatabase))(
  '%s: nothing is lost, incomplete or left behind when processes are killed and disks fill up',
  async (_name, open) => {
    const { remove, ...database } = await open();
    try {
      const report = await runChaos({
        ...database,
        clients,
        rounds: 1,
        pauseMs: 1500,
        program: mainFile,
      });
      expect(report).toMatchObject({
        lostWrites: 0,
        doubledWrites: 0,
        halfImports: 0,
        lostImports: 0,
        temporaryFiles: [],
        zombies: 0,
        orphans: 0,
        connectionsInUse: 0,
      });
      // Keep-alive connections of clients, two each, and those of the pool are not leaks.
      const openSockets = 2 * clients + 10 + 5;
      expect(report.descriptors.after).toBeLessThan(report.descriptors.before + openSockets);
      expect(report.counts['write 2xx']).toBeGreaterThan(0);
    } finally {
      await remove();
    }
  },
  5 * minutes,
);
