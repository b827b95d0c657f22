import { useSyncExternalStore } from 'react';
import type { JSX, ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error';
  readonly title: string;
  readonly detail?: string;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const shownMs = 5000;

/** Says something at the edge of the screen; an error stays until it is taken away. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = nextId++;
  change([...toasts, { ...toast, id }]);
  if (toast.kind === 'done') setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear, and what else stays at the edge. */
export function Toasts({ children }: { readonly children?: ReactNode }): JSX.Element {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="region" aria-label="Messages" aria-live="polite">
      {children}
      {shown.map(({ id, kind, title, detail }) => (
        <div key={id} className="toast">
          <Icon name={kind} className={kind === 'done' ? 'ok' : 'err'} />
          <div className="grow">
            <div className="m">{title}</div>
            {detail !== undefined && <div className="sub">{detail}</div>}
          </div>
          <button className="ib sm" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" size="s" />
          </button>
        </div>
      ))}
    </div>
  );
}
