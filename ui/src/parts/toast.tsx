import { createStore, useSelector } from '@tanstack/react-store';
import type { JSX, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { partsTexts as texts } from '../texts/parts.ts';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'error';
  readonly title: string;
  readonly detail?: string;
}

const toasts = createStore<readonly Toast[]>([]);
let nextId = 1;
const shownMs = 5000;

/** Shows a message at the edge of the screen. An error stays until the user closes it. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = nextId++;
  toasts.setState((all) => [...all.filter((other) => !isSame(other, toast)), { ...toast, id }]);
  if (toast.kind === 'done') setTimeout(() => dismiss(id), shownMs);
}

/** A message that comes again is shown once. */
function isSame(a: Omit<Toast, 'id'>, b: Omit<Toast, 'id'>): boolean {
  return a.kind === b.kind && a.title === b.title && a.detail === b.detail;
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
      {shownToasts.map(({ id, kind, title, detail }) => (
        <div key={id} className="toast">
          <Icon name={kind} className={kind === 'done' ? 'ok' : 'err'} />
          <div className="grow">
            <div className="m">{title}</div>
            {detail !== undefined && <div className="sub">{detail}</div>}
          </div>
          <button className="ib sm" aria-label={texts.dismiss} onClick={() => dismiss(id)}>
            <Icon name="close" size="s" />
          </button>
        </div>
      ))}
    </div>
  );
}
