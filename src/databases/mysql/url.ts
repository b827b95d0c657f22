import { urlOfGo } from './driver/data-source-name.ts';

export function acceptsUrl(url: string): boolean {
  return /^(?:mysql|mariadb):\/\//i.test(url) || urlOfGo(url) !== undefined;
}
