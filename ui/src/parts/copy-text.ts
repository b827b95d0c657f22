import { showToast } from './toast.tsx';

/** Copies text to the clipboard, and shows a confirmation. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'done', title: 'Copied' });
  } catch {
    showToast({ kind: 'error', title: 'The browser does not allow the studio to copy here.' });
  }
}
