import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { commandNames, parametersOf } from '../../src/cli/commands.ts';
import { helpText, optionsDocument } from '../../src/cli/help.ts';
import { optionNames, optionsOf, variableOf } from '../../src/cli/options.ts';

const optionsPage = new URL('../../docs/options.md', import.meta.url);

describe('help', () => {
  test('of the program matches the golden file', async () => {
    await expect(helpText()).toMatchFileSnapshot('goldens/help.txt');
  });

  test.each(commandNames)('of %s matches the golden file', async (command) => {
    await expect(helpText(command)).toMatchFileSnapshot(
      `goldens/help-${command.replace(' ', '-')}.txt`,
    );
  });

  test.each(commandNames)('of %s names its options and no others', (command) => {
    const listedNames = [...helpText(command).matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(
      ([, name]) => name,
    );
    expect(listedNames).toEqual([...Object.keys(parametersOf(command)), ...optionsOf(command)]);
  });

  test('fits a terminal of 80 columns', () => {
    const texts = [helpText(), ...commandNames.map((command) => helpText(command))];
    expect(
      texts
        .join('')
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });
});

describe('docs/options.md', () => {
  test('is generated from the table of options', async () => {
    expect(await readFile(optionsPage, 'utf8')).toBe(optionsDocument());
  });

  test('names every flag and every variable', () => {
    for (const name of optionNames) {
      expect(optionsDocument()).toContain(`--${name}`);
      expect(optionsDocument()).toContain(variableOf(name) ?? '');
    }
  });
});
