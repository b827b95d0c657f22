/**
 * MySQL 9.7, which Debian has in its unstable release only: its packages are installed by debootstrap in a
 * folder of the user's cache, and run there by chroot. This needs root.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'database-studio');
/** The root folder of the installation. */
export const mysqlRoot = join(cache, 'mysql-9.7');
const mirror = 'http://deb.debian.org/debian';
const run = promisify(execFile);
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };

/** Returns why MySQL cannot be run here; undefined if it can. The first call downloads 250 MB. */
export async function installMysql(): Promise<string | undefined> {
  if (process.platform !== 'linux' || userInfo().uid !== 0)
    return 'MySQL 9.7 is run by chroot, which needs root on Linux';
  if (existsSync(mysqlRoot)) return undefined;
  if (!existsSync('/usr/sbin/debootstrap')) return 'the package debootstrap is not installed';
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'mysql-incomplete-'));
  try {
    await run('debootstrap', ['--variant=minbase', 'sid', folder, mirror], { env });
    // Packages start no servers.
    await writeFile(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    const install = ['apt-get', 'install', '-y', '--no-install-recommends', 'mysql-server-core'];
    await run('chroot', [folder, ...install], { env });
    await run('chroot', [folder, 'mysqld', '--version'], { env });
    // Another test may have been faster.
    await rename(folder, mysqlRoot).catch(() => {});
    return undefined;
  } catch (error) {
    return `MySQL 9.7 could not be installed: ${String(error).slice(0, 300)}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
