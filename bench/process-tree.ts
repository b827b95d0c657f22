/** The processes of a studio, by Linux's `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';

/** A process and its descendants. */
export function processTree(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return [pid, ...children.map(Number).flatMap(processTree)];
  } catch {
    return [pid];
  }
}
