import { createStore, useSelector } from '@tanstack/react-store';
import type { JSX, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { commonTexts } from '../texts/common.ts';
import { partsTexts as texts } from '../texts/parts.ts';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error' | 'busy';
  readonly title: string;
  readonly detail?: string;
  /** Ends the work of a busy toast. */
  readonly onCancel?: () => void;
}

const toasts = createStore<readonly Toast[]>([]);
let nextId = 1;
const shownMs = 5000;

/**
 * Shows a message at the edge of the screen. An error stays until the user closes it, and a busy one
 * until its work ends. Returns a function that closes it.
 */
export function showToast(toast: Omit<Toast, 'id'>): () => void {
  const id = nextId++;
  toasts.setState((all) => [...all.filter((other) => !isSame(other, toast)), { ...toast, id }]);
  if (toast.kind === 'done') setTimeout(() => dismiss(id), shownMs);
  return () => dismiss(id);
}

/** A message that comes again is shown once. Each work that is busy can be canceled. */
function isSame(a: Omit<Toast, 'id'>, b: Omit<Toast, 'id'>): boolean {
  return a.kind !== 'busy' && a.kind === b.kind && a.title === b.title && a.detail === b.detail;
}

function dismiss(id: number): void {
  toasts.setState((all) => all.filter((toast) => toast.id !== id));
}

/** The area for toasts and other messages at the edge of the screen. */
export function Toasts({ children }: { readonly children?: ReactNode }): JSX.Element {
  const shownToasts = useSelector(toasts);
  return (
    <div className="toasts" role="region" aria-label={texts.messages} aria-live="polite">
      {children}
      {shownToasts.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

const icons = {
  done: { name: 'done', className: 'ok' },
  error: { name: 'error', className: 'err' },
  busy: { name: 'download', className: 't3' },
} as const;

function ToastBox({ toast }: { readonly toast: Toast }): JSX.Element {
  const { id, kind, title, detail, onCancel } = toast;
  return (
    <div className="toast">
      <Icon {...icons[kind]} />
      <div className="grow">
        <div className="m">{title}</div>
        {detail !== undefined && <div className="sub">{detail}</div>}
      </div>
      {onCancel === undefined ? (
        <button className="ib sm" aria-label={texts.dismiss} onClick={() => dismiss(id)}>
          <Icon name="close" size="s" />
        </button>
      ) : (
        <button className="btn" onClick={onCancel}>
          {commonTexts.cancel}
        </button>
      )}
    </div>
  );
}
