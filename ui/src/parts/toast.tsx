import type { JSX, ReactNode } from 'react';
import { createStore } from './create-store.ts';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error';
  readonly title: string;
  readonly detail?: string;
}

const toasts = createStore<readonly Toast[]>([]);
let nextId = 1;
const shownMs = 5000;

/** Says something at the edge of the screen; an error stays until it is taken away. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = nextId++;
  toasts.set([...toasts.get(), { ...toast, id }]);
  if (toast.kind === 'done') setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Where toasts appear, and what else stays at the edge. */
export function Toasts({ children }: { readonly children?: ReactNode }): JSX.Element {
  const shown = toasts.use();
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
