import { localStore } from '../parts/browser-storage.ts';

/** The color theme. The default is that of the operating system. */
export type Theme = 'dark' | 'light';

const key = 'studio.theme';

export function applyStoredTheme(): void {
  const requestedTheme = new URLSearchParams(location.search).get('theme');
  const theme = isTheme(requestedTheme) ? requestedTheme : localStore.read(key);
  if (isTheme(theme)) document.documentElement.dataset['theme'] = theme;
}

export function switchTheme(): void {
  const next = currentTheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  localStore.write(key, next);
}

export function currentTheme(): Theme {
  const selectedTheme = document.documentElement.dataset['theme'];
  if (isTheme(selectedTheme)) return selectedTheme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function isTheme(word: unknown): word is Theme {
  return word === 'dark' || word === 'light';
}
