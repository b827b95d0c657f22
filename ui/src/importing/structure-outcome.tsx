import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { sourceQuery } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { CheckField } from '../parts/choice-field.tsx';
import type { ImportResponse } from './call-import.ts';
import { DataOutcome } from './data-outcome.tsx';
import { choose, performImport, useImport } from './import-store.ts';
import { scriptOf, SourceBlock } from './source-block.tsx';
import { Warnings } from './warnings.tsx';
import { importingTexts as texts } from '../texts/importing.ts';
import { formatTitles } from '../texts/formats.ts';

type StructureResponse = Exclude<ImportResponse, { kind: 'data' }>;

interface StructureOutcomeProps {
  readonly response: StructureResponse;
  readonly durationMs: number;
  readonly isDry: boolean;
}

/** The result of an import that creates tables: the tables, their rows, the SQL, and the Go models after the import. */
export function StructureOutcome({
  response,
  durationMs,
  isDry,
}: StructureOutcomeProps): JSX.Element {
  const { body, kind } = response;
  const altered = kind === 'models' ? response.body.tables_altered : [];
  const goCode = kind === 'schema' ? response.body.go_code : '';
  return (
    <div className="structure-outcome">
      {body.verified === false && <Warnings warnings={[texts.notTested]} />}
      {kind === 'dump' ? (
        <DataOutcome response={response.body} durationMs={durationMs} isDry={isDry} />
      ) : (
        <Warnings warnings={body.warnings} />
      )}
      <TableNames
        title={isDry ? texts.tablesToCreate : texts.tablesCreated}
        names={body.tables_created}
        isCreated={!isDry}
      />
      {kind === 'dump' && response.body.routines_created.length > 0 && (
        <RoutineNames
          title={isDry ? texts.routinesToCreate : texts.routinesCreated}
          names={response.body.routines_created}
        />
      )}
      {altered.length > 0 && (
        <TableNames
          title={isDry ? texts.tablesToAlter : texts.tablesAltered}
          names={altered}
          isCreated
        />
      )}
      {kind === 'models' && <Models response={response} isDry={isDry} />}
      {!isDry && goCode !== '' && <SourceBlock title={formatTitles.go} text={goCode} />}
      {!isDry && kind === 'models' && (
        <CreatedGoModels names={[...body.tables_created, ...altered]} />
      )}
      {body.statements.length > 0 && (
        <SourceBlock title={formatTitles.sql} text={scriptOf(body.statements)} />
      )}
    </div>
  );
}

/** The created tables, exported as Go models. They show what the database preserved of the imported models. */
function CreatedGoModels({ names }: { readonly names: readonly string[] }): JSX.Element | null {
  const { data: text = '' } = useQuery({
    ...sourceQuery('go', ...names),
    enabled: names.length > 0,
  });
  return text === '' ? null : <SourceBlock title={formatTitles.go} text={text} />;
}

interface TableNamesProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly isCreated: boolean;
}

function TableNames({ title, names, isCreated }: TableNamesProps): JSX.Element {
  return (
    <section aria-label={title}>
      <h2 className="m">
        {title} <span className="t3">{names.length}</span>
      </h2>
      {names.length === 0 && <p className="t2">{texts.none}</p>}
      <ul className="table-names">
        {names.map((name) => (
          <li key={name} className="badge">
            <Icon name="table" size="xs" />
            {isCreated ? (
              <Link className="link" to="/tables/$table" params={{ table: name }}>
                {name}
              </Link>
            ) : (
              name
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function RoutineNames({ title, names }: Omit<TableNamesProps, 'isCreated'>): JSX.Element {
  return (
    <section aria-label={title}>
      <h2 className="m">
        {title} <span className="t3">{names.length}</span>
      </h2>
      <ul className="table-names">
        {names.map((name) => (
          <li key={name} className="badge">
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ModelsProps {
  readonly response: Extract<ImportResponse, { kind: 'models' }>;
  readonly isDry: boolean;
}

/** The models. Before the import, the user can select other structs. */
function Models({ response: { body }, isDry }: ModelsProps): JSX.Element {
  return (
    <section aria-label={texts.models}>
      <h2 className="m">
        {texts.models} <span className="t3">{body.models.length}</span>
      </h2>
      <ul className="table-names">
        {body.models.map(({ struct, table }) => (
          <li key={`${struct} ${table}`} className="badge">
            {texts.modelTable({ struct, table })}
          </li>
        ))}
      </ul>
      {isDry && <StructChoices structs={body.structs} />}
    </section>
  );
}

type Structs = ModelsProps['response']['body']['structs'];

function isImported({ imported }: Structs[number]): boolean {
  return imported;
}

/** A check box for each struct. Each change repeats the dry run. */
function StructChoices({ structs }: { readonly structs: Structs }): JSX.Element {
  const { choices } = useImport();
  const select = (struct: string, isOn: boolean): void => {
    const selected =
      choices.structs ?? structs.filter(isImported).map((eachStruct) => eachStruct.struct);
    const otherStructs = selected.filter((eachStruct) => eachStruct !== struct);
    const nextStructs = isOn ? [...otherStructs, struct] : otherStructs;
    // An import without any struct is impossible.
    if (nextStructs.length === 0) return;
    choose({ structs: nextStructs });
    void performImport({ isDry: true });
  };
  return (
    <fieldset className="struct-choices">
      <legend className="t2">{texts.structsToImport}</legend>
      {structs.map(({ struct, imported, doubt }) => (
        <CheckField key={struct} isOn={imported} onChange={(isOn) => select(struct, isOn)}>
          {struct}
          {doubt !== undefined && <span className="t3"> – {doubt}</span>}
        </CheckField>
      ))}
      {choices.structs !== undefined && (
        <button
          className="btn"
          onClick={() => {
            choose({ structs: undefined });
            void performImport({ isDry: true });
          }}
        >
          {texts.detectAgain}
        </button>
      )}
    </fieldset>
  );
}
