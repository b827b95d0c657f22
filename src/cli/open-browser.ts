import { spawn } from 'node:child_process';

/** Returns the platform's command to open a URL. */
function openCommand(platform: NodeJS.Platform, url: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', url];
  // `start` takes its first quoted argument as the window title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
  return ['xdg-open', url];
}

/** Opens the browser without waiting for it. A failure is reported as a note. */
export function openBrowser(url: string, note: (sentence: string) => void): void {
  const [program, ...args] = openCommand(process.platform, url);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  const fail = () => note(`The browser could not be opened. Open ${url} in a browser.`);
  child.on('error', fail);
  child.on('exit', (status) => {
    if (status !== 0) fail();
  });
  child.unref();
}
