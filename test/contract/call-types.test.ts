/** The generated types of the calls are those that TypeScript infers from the contract itself. */
import { expect, expectTypeOf, test } from 'vitest';
import { separatedParameters } from '../../src/contract/client/call-types.ts';
import { routes } from '../../src/contract/routes.ts';
import type { z } from 'zod';
import type { Calls } from '../../src/contract/client/call-types.ts';
import type { Cell } from '../../src/contract/cell.ts';
import type { NamedSchema } from '../../src/contract/named-schema.ts';
import type { QueryParameter } from '../../src/contract/parameter.ts';
import type { Route } from '../../src/contract/route.ts';
import type { ParamsOf, RouteId, Routes } from '../../src/contract/routes.ts';

type CallName<Id extends RouteId> = `${Routes[Id]['method']} ${Routes[Id]['path']}`;

/** The type of a response body. Values without a schema are cells; objects may have unknown members. */
type Received<T> = unknown extends T
  ? Cell
  : T extends readonly (infer Item)[]
    ? readonly Received<Item>[]
    : T extends object
      ? {
          readonly [Name in keyof T]: string extends keyof T
            ? OpenMember<T, Name>
            : Received<T[Name]>;
        }
      : T;

type OpenMember<T, Name extends keyof T> = string extends Name
  ? IsOpen<T> extends true
    ? unknown
    : Received<T[Name]>
  : Received<T[Name]>;

/** Whether an object has named members and others. */
type IsOpen<T> =
  { [Name in keyof T as string extends Name ? never : Name]: 1 } extends Record<string, never>
    ? false
    : true;

type SuccessOf<Responses> = Responses extends { readonly 200: infer Form }
  ? Form
  : Responses extends { readonly 201: infer Form }
    ? Form
    : never;

type BodyOf<Id extends RouteId> = [SuccessOf<Routes[Id]['responses']>] extends [never]
  ? null
  : SuccessOf<Routes[Id]['responses']> extends { readonly json: NamedSchema<infer Schema> }
    ? Received<z.output<Schema>>
    : Blob | null;

type QueryOf<Q> = {
  readonly [Name in keyof Q]?:
    | (Q[Name] extends QueryParameter<infer T>
        ? Q[Name] extends { readonly repeated: true }
          ? readonly T[]
          : T
        : never)
    | undefined;
};

type InferredResponses = { readonly [Id in RouteId as CallName<Id>]: BodyOf<Id> };
type InferredQueries = { readonly [Id in RouteId as CallName<Id>]: QueryOf<Routes[Id]['query']> };
type InferredParams = { readonly [Id in RouteId as CallName<Id>]: ParamsOf<Id> };

type Generated<Member extends 'response' | 'query' | 'params'> = {
  readonly [Name in keyof Calls]: Calls[Name][Member];
};

/** Functions are assignable to each other only if the conditional types of their results are identical. */
interface Tests<A> {
  readonly test: <T>(value: T) => T extends A ? 1 : 2;
}
type IsSame<A, B> = Tests<A> extends Tests<B> ? true : false;

/** The names of calls whose types differ. */
type Differing<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B
    ? IsSame<A[Name], B[Name]> extends true
      ? never
      : Name
    : Name;
}[keyof A | keyof B];

test('responses, query parameters and path parameters have the inferred types', () => {
  expectTypeOf<Differing<Generated<'response'>, InferredResponses>>().toBeNever();
  expectTypeOf<Differing<Generated<'query'>, InferredQueries>>().toBeNever();
  expectTypeOf<Differing<Generated<'params'>, InferredParams>>().toBeNever();
});

test('a name of a parameter is separated by commas wherever it has several values', () => {
  const all = Object.values<Route>(routes).flatMap(({ query }) => Object.entries(query));
  const repeated = all.filter(([, parameter]) => parameter.repeated).map(([name]) => name);
  expect(separatedParameters.size).toBeGreaterThan(4);
  expect(repeated.filter((name) => separatedParameters.has(name))).toEqual([]);
});
