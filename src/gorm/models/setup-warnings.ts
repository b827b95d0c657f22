/**
 * What a program sets beside its models and changes their tables: settings of gorm.Config, methods before AutoMigrate,
 * and its arguments that the source does not determine. The import does not apply these, so it warns about them.
 */
import { problemAt } from '../go/program/program.ts';
import type { SourcePosition, TypeDeclaration } from '../go/syntax/syntax.ts';
import type { NamingOptions } from '../go/program/naming.ts';
import type { Program } from '../go/program/program.ts';
import type { SetupCall } from './find-usage.ts';

export interface AppliedSettings {
  readonly naming: NamingOptions;
  readonly skipForeignKeys: boolean;
  /** The user has selected the models. */
  readonly hasSelection: boolean;
}

/** Returns one sentence for each setting of the program that was not applied. */
export function warnSetup(
  setupCalls: readonly SetupCall[],
  program: Program,
  applied: AppliedSettings,
): readonly string[] {
  const undetermined = setupCalls.filter(
    ({ method, isComplete }) => !isComplete && method !== 'SetupJoinTable',
  );
  return [
    ...(applied.hasSelection || undetermined.length === 0
      ? []
      : [undeterminedWarning(undetermined)]),
    ...setupCalls.filter(changesTables).slice(0, maxWarnings).flatMap(callWarnings),
    ...configWarnings(configSettings(program), applied),
  ];
}

const maxPositions = 3;
/** Finding the line of a call reads the file. */
const maxWarnings = 50;

function changesTables({ method, precedingMethods }: SetupCall): boolean {
  const isMigration = method !== 'SetupJoinTable';
  return isMigration && (precedingMethods.has('Table') || precedingMethods.has('Set'));
}

function undeterminedWarning(calls: readonly SetupCall[]): string {
  return `The source does not determine which structs are passed to AutoMigrate (${positionTexts(calls)}); the models were chosen by their declarations.`;
}

function callWarnings(call: SetupCall): readonly string[] {
  const { method, types, precedingMethods } = call;
  const position = positionText(call);
  return [
    ...(precedingMethods.has('Table')
      ? [
          `${structNames(types)}${method} is called with Table (${position}), which names the table; the name that follows from the struct was assumed.`,
        ]
      : []),
    ...(precedingMethods.has('Set')
      ? [
          `${structNames(types)}${method} is called with Set (${position}); options of the table were left out.`,
        ]
      : []),
  ];
}

export function structNames(types: readonly TypeDeclaration[]): string {
  return types.length === 0 ? '' : `${[...new Set(types.map(({ name }) => name))].join(', ')}: `;
}

/** The first few positions. */
function positionTexts(all: readonly SourcePosition[]): string {
  const more = all.length > maxPositions ? ` and ${all.length - maxPositions} more` : '';
  return `${all.slice(0, maxPositions).map(positionText).join(', ')}${more}`;
}

export function positionText({ file, offset }: SourcePosition): string {
  const problem = problemAt(file, offset, { code: '', message: '' });
  return `${problem.file}:${problem.line}`;
}

const configPattern =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`[^`]*`|\b(?<name>NamingStrategy|DisableForeignKeyConstraintWhenMigrating|IgnoreRelationshipsWhenMigrating)\s*(?::|=(?!=))\s*(?<value>[^\s,}]*)/g;

/** A member of gorm.Config that the program sets, and the text after it. */
interface ConfigSetting extends SourcePosition {
  readonly name: string;
  readonly text: string;
}

function configSettings(program: Program): readonly ConfigSetting[] {
  const files = program.packages
    .flatMap((one) => one.files)
    .filter(({ text }) => text.includes('gorm.io/gorm'));
  return files.flatMap((file) =>
    [...file.text.matchAll(configPattern)].flatMap(({ index, groups = {} }) => {
      const { name, value } = groups;
      if (name === undefined || value === 'false' || value === 'nil') return [];
      return [{ name, file, offset: index, text: file.text.slice(index, index + maxLength) }];
    }),
  );
}

function configWarnings(
  settings: readonly ConfigSetting[],
  applied: AppliedSettings,
): readonly string[] {
  const named = [...Map.groupBy(settings, ({ name }) => name)];
  return named.flatMap(([name, all]) => {
    if (name !== 'NamingStrategy') return keyWarning(name, positionTexts(all), applied);
    const members = all.map(({ text }) => namingMembers(text));
    const isKnown = members.every((one) => one !== undefined);
    const others = new Set(
      members.flatMap((one) => one ?? []).filter((one) => !isApplied(one, applied)),
    );
    if (isKnown && others.size === 0) return [];
    const set = isKnown ? `${[...others].join(', ')} of the NamingStrategy` : 'a NamingStrategy';
    return [
      `The program sets ${set} (${positionTexts(all)}); names were formed without it. The parameters \`table_prefix\`, \`singular_tables\` and \`replacements\` apply TablePrefix, SingularTable and NameReplacer.`,
    ];
  });
}

function keyWarning(name: string, positions: string, applied: AppliedSettings): readonly string[] {
  const isForeignKeys = name === 'DisableForeignKeyConstraintWhenMigrating';
  if (isForeignKeys && applied.skipForeignKeys) return [];
  const hint = isForeignKeys ? 'foreign_keys=skip applies it' : 'it was not applied';
  return [`The program sets ${name} (${positions}); ${hint}.`];
}

/** The longest literal that is read. */
const maxLength = 2000;

/** The members of the literal that NamingStrategy is set to. Undefined if it is set to anything else. */
function namingMembers(text: string): readonly string[] | undefined {
  const literal =
    /^\w+\s*(?::|=)\s*&?\s*(?:\w+\s*\.\s*)?NamingStrategy\s*\{(?<members>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/.exec(
      text,
    );
  const members = literal?.groups?.['members'];
  if (members === undefined) return undefined;
  const code = members.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(/\b(?<name>[A-Z]\w*)\s*:\s*(?<value>[^\s,]*)/g)].flatMap(
    ({ groups = {} }) =>
      /^(?:""|false|nil)$/.test(groups['value'] ?? '') ? [] : [groups['name'] ?? ''],
  );
}

function isApplied(setting: string, { naming }: AppliedSettings): boolean {
  if (setting === 'TablePrefix') return naming.tablePrefix !== undefined;
  if (setting === 'SingularTable') return naming.singularTables === true;
  return setting === 'NameReplacer' && (naming.replacements ?? []).length > 0;
}
