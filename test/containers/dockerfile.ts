/** Reads the Dockerfile: only the instructions and forms that it uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** The stage that it copies from; undefined for the source. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

const knownInstructions = /^(?:COPY|RUN|WORKDIR|ENV|USER|EXPOSE|HEALTHCHECK|ENTRYPOINT)$/;

export function readStages(): readonly Stage[] {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
  const text = lines.filter((line) => !line.startsWith('#')).join('\n');
  const stages: { image: string; instructions: Instruction[] }[] = [];
  for (const [, name = '', rest = ''] of text
    .replaceAll(/\\\n\s*/g, '')
    .matchAll(/^(\w+) (.+)$/gm)) {
    if (name === 'FROM') stages.push({ image: rest.split(' ')[0] ?? '', instructions: [] });
    else if (knownInstructions.test(name)) stages.at(-1)?.instructions.push({ name, text: rest });
    else
      throw new Error(`The Dockerfile has the instruction ${name}, which this test does not know.`);
  }
  return stages;
}

export function textOf({ instructions }: Stage, name: string): string {
  const found = instructions.filter((instruction) => instruction.name === name);
  if (found.length !== 1) throw new Error(`The stage has ${found.length} ${name} instructions.`);
  return found[0]?.text ?? '';
}

export function copiesOf({ instructions }: Stage): readonly Copy[] {
  return instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(' ');
      const flags = words.filter((word) => word.startsWith('--'));
      const paths = words.filter((word) => !word.startsWith('--'));
      const from = flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length);
      return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
    });
}

export function variablesOf(stage: Stage): ReadonlyMap<string, string> {
  return new Map(
    textOf(stage, 'ENV')
      .split(' ')
      .map((pair): [string, string] => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']),
  );
}
