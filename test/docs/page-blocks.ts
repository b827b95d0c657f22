/** The fenced blocks of a page, and what they are for. */

export interface Block {
  /** The first word after the fence: `sh`, `console`, `ts`, `csv` … */
  readonly language: string;
  /** The other words: the name of the file that the block is the content of, or `server`. */
  readonly name: string;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** The reason in a comment `<!-- not run: REASON -->` before the block. */
  readonly notRun: string | undefined;
}

/** Languages whose blocks are examples that readers run. */
const runnable: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'console', 'js', 'ts']);

export function readBlocks(page: string): readonly Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  let reason: string | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, info] = /^```(.*)$/.exec(line) ?? [];
    if (info === undefined) {
      const [, statedReason] = /^<!-- not run: (.+) -->$/.exec(line) ?? [];
      if (statedReason !== undefined || line !== '') reason = statedReason;
      continue;
    }
    const end = lines.indexOf('```', index + 1);
    if (end < 0) throw new Error(`Line ${index + 1}: the block does not end.`);
    const [language = '', ...name] = info.split(' ');
    const text = lines.slice(index + 1, end).map((part) => `${part}\n`);
    const block = { language, name: name.join(' '), text: text.join(''), line: index + 1 };
    blocks.push({ ...block, notRun: reason });
    reason = undefined;
    index = end;
  }
  return blocks;
}

export function isRunnable({ language, notRun }: Block): boolean {
  return runnable.has(language) && notRun === undefined;
}

export interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of a `console` block, each after `$ `, with the output below. A command continues after a backslash. */
export function readSteps({ text }: Block): readonly Step[] {
  const steps: { command: string; output: string }[] = [];
  let goesOn = false;
  for (const line of text.split('\n').slice(0, -1)) {
    const step = steps.at(-1);
    if (goesOn && step !== undefined) step.command += `\n${line}`;
    else if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: '' });
    else if (step === undefined) steps.push({ command: '', output: `${line}\n` });
    else step.output += `${line}\n`;
    goesOn = line.endsWith('\\') && (goesOn || line.startsWith('$ '));
  }
  return steps;
}

/** Whether an output is what the page shows, where `…` stands for any text. The last line may end without a newline. */
export function matchesOutput(shown: string, printed: string): boolean {
  const output = printed.replace(/[^\n]$/, '$&\n');
  const pattern = shown.split('…').map((part) => escapePattern(part));
  return new RegExp(`^${pattern.join('[^]*')}$`).test(output);
}

/** A pattern that matches the text. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
