import { isKeywordList } from './driver/keywords.ts';

export function acceptsUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(url) || isKeywordList(url);
}
