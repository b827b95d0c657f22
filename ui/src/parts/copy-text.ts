import { showToast } from './toast.tsx';
import { partsTexts as texts } from '../texts/parts.ts';

/** Copies text to the clipboard, and shows a confirmation. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ kind: 'done', title: texts.copied });
  } catch {
    showToast({ kind: 'error', title: texts.clipboardForbidden });
  }
}
