import { spawn } from 'node:child_process';

/** How each platform opens a URL. */
function openCommand(platform: NodeJS.Platform, url: string): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', url];
  // `start` takes its first quoted word for a window's title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
  return ['xdg-open', url];
}

/** Opens the browser and does not wait for it; a failure is only noted. */
export function openBrowser(url: string, note: (sentence: string) => void): void {
  const [program, ...args] = openCommand(process.platform, url);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  const fail = () => note(`The browser could not be opened: open ${url} yourself.`);
  child.on('error', fail);
  child.on('exit', (status) => {
    if (status !== 0) fail();
  });
  child.unref();
}
