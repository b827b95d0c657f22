/** What a Go package declares, as far as its structs depend on it. */

/** A file as it was given. */
export interface SourceFile {
  /** As the user calls it. */
  readonly name: string;
  readonly text: string;
}

/** A file that was read. */
export interface GoFile extends SourceFile {
  readonly packageName: string;
  /** Paths of imported packages by the name they have in the file; `.` is a dot import's. */
  readonly imports: ReadonlyMap<string, string>;
}

/** A place in a file. */
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
  | { readonly form: 'map' | 'func' | 'chan' | 'interface' };

export interface NamedExpression {
  readonly form: 'name';
  readonly name: string;
  /** What stands before the dot. */
  readonly qualifier: string | undefined;
  readonly args: readonly TypeExpression[];
}

export interface FieldDeclaration {
  /** None for an embedded field. */
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

/** A constant or variable: `value` is its expression's text, `iota` its number within its group. */
export interface ValueDeclaration extends SourcePosition {
  readonly name: string;
  readonly isConstant: boolean;
  readonly type: TypeExpression | undefined;
  readonly value: string | undefined;
  readonly iota: number;
}

/** A function or method; its body is read when somebody asks what it returns. */
export interface FunctionDeclaration extends SourcePosition {
  readonly name: string;
  readonly receiver: Receiver | undefined;
  readonly parameters: readonly Parameter[];
  readonly results: readonly TypeExpression[];
  /** Where the declaration ends in its file. */
  readonly end: number;
}

export interface Parameter {
  readonly name: string;
  readonly type: TypeExpression;
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
