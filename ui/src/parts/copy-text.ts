import { showToast } from './toast.tsx';

/** Into the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'done', title: 'Copied' });
  } catch {
    showToast({ kind: 'error', title: 'The browser does not let the studio copy here.' });
  }
}
