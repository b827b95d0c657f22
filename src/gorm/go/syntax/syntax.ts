/** The declarations of a Go package that its structs depend on. */

/** An uploaded file: Go source, or a go.mod. */
export interface SourceFile {
  /** The file name given by the user, with its folder relative to the upload. */
  readonly name: string;
  readonly text: string;
}

/** A parsed file. */
export interface GoFile extends SourceFile {
  readonly packageName: string;
  /** Paths of imported packages by their names in the file. */
  readonly imports: ReadonlyMap<string, string>;
  readonly importSpecs: readonly ImportSpec[];
  /** Paths of packages whose declarations the file uses without a qualifier. */
  readonly dotImports: readonly string[];
}

export interface ImportSpec {
  readonly path: string;
  /** `.` for a dot import. Undefined if the package is used by its own name. */
  readonly alias: string | undefined;
}

/** A position in a file. */
export interface SourcePosition {
  readonly file: GoFile;
  readonly offset: number;
}

export type TypeExpression =
  | NamedExpression
  | { readonly form: 'pointer'; readonly to: TypeExpression }
  | { readonly form: 'slice'; readonly of: TypeExpression }
  | { readonly form: 'array'; readonly of: TypeExpression }
  | { readonly form: 'struct'; readonly fields: readonly FieldDeclaration[] }
  | {
      readonly form: 'map' | 'func' | 'chan' | 'interface';
      /** The type of a map's elements. */
      readonly of?: TypeExpression;
    };

export interface NamedExpression {
  readonly form: 'name';
  readonly name: string;
  /** The package before the dot. */
  readonly qualifier: string | undefined;
  readonly args: readonly TypeExpression[];
}

export interface FieldDeclaration {
  /** Empty for an embedded field. */
  readonly names: readonly string[];
  readonly type: TypeExpression;
  /** The struct tag's text, unquoted. */
  readonly tag: string;
  readonly offset: number;
}

export interface TypeDeclaration extends SourcePosition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly isAlias: boolean;
  readonly type: TypeExpression;
}

/** A constant or variable. `value` is the text of its expression, `iota` its index within the group. */
export interface ValueDeclaration extends SourcePosition {
  readonly name: string;
  readonly isConstant: boolean;
  readonly type: TypeExpression | undefined;
  readonly value: string | undefined;
  readonly iota: number;
}

/** A function or method. Its body is parsed when its result is evaluated. */
export interface FunctionDeclaration extends SourcePosition {
  readonly name: string;
  readonly receiver: Receiver | undefined;
  readonly parameters: readonly Parameter[];
  readonly results: readonly TypeExpression[];
  /** The names of the results. Empty if they have none. */
  readonly resultNames: readonly string[];
  /** The offset of the `{` of the body. Undefined if there is no body. */
  readonly bodyOffset: number | undefined;
  /** The offset of the end of the declaration. */
  readonly end: number;
}

export interface Parameter {
  readonly name: string;
  /** The type of one argument. */
  readonly type: TypeExpression;
  /** `name ...type`: gets all remaining arguments. */
  readonly isVariadic: boolean;
}

export interface Receiver {
  readonly name: string;
  readonly type: string;
  readonly isPointer: boolean;
  readonly parameters: readonly string[];
}

export interface Declarations {
  readonly types: readonly TypeDeclaration[];
  readonly values: readonly ValueDeclaration[];
  readonly functions: readonly FunctionDeclaration[];
}
