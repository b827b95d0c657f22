/** What happens to the requests that save, and which other requests are in flight. */
import type { Page, Request, Route } from 'playwright-core';

export const deliveries = [
  'received',
  'late',
  'never sent',
  'response lost',
  'sent twice',
  'rejected by a proxy',
  'gateway error',
  'response lost, retry rejected',
] as const;
export type Delivery = (typeof deliveries)[number];

export class WalkNetwork {
  delivery: Delivery = 'received';
  /** The number of saving requests so far. */
  calls = 0;
  readonly #reads = new Set<Request>();
  #release: (() => void) | undefined;
  /** The attempts of the current save. */
  #attempts = 0;

  async attach(page: Page): Promise<void> {
    const isRead = (request: Request): boolean =>
      request.method() === 'GET' && request.url().includes('/api/');
    page.on('request', (request) => {
      if (isRead(request)) this.#reads.add(request);
    });
    page.on('requestfinished', (request) => this.#reads.delete(request));
    page.on('requestfailed', (request) => this.#reads.delete(request));
    await page.route(/\/changes(\?|$)/, (route) => this.#handle(route));
  }

  get isReading(): boolean {
    return this.#reads.size > 0;
  }

  /** Whether a request waits for `release`. */
  get isHeld(): boolean {
    return this.#release !== undefined;
  }

  start(delivery: Delivery): void {
    this.delivery = delivery;
    this.#attempts = 0;
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async #handle(route: Route): Promise<void> {
    if (route.request().url().includes('dry_run=true')) return route.continue();
    this.calls++;
    this.#attempts++;
    if (this.delivery === 'never sent') return route.abort();
    if (this.delivery === 'late') await new Promise<void>((resolve) => (this.#release = resolve));
    const isFirst = this.#attempts === 1;
    if (isFirst && this.delivery === 'rejected by a proxy')
      return route.fulfill({ status: 500, body: 'no' });
    if (isFirst && this.delivery === 'gateway error')
      return route.fulfill({ status: 502, body: 'no' });
    if (isFirst && this.delivery === 'response lost') {
      await route.fetch();
      return route.abort();
    }
    if (this.delivery === 'response lost, retry rejected' && this.#attempts <= 2) {
      if (!isFirst) return route.fulfill({ status: 500, body: 'no' });
      await route.fetch();
      return route.abort();
    }
    // A proxy repeats a request. The page gets one response.
    if (this.delivery === 'sent twice') await route.fetch();
    return route.continue();
  }
}
