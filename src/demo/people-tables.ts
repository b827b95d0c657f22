import type { Table } from '../model/schema.ts';
import {
  column,
  generated,
  id,
  index,
  nullable,
  oneOf,
  references,
  table,
  type,
  unique,
  varchar,
} from './define.ts';

export const roles = ['publisher', 'editor', 'author', 'translator', 'designer', 'sales'] as const;
export type Role = (typeof roles)[number];

/** Some languages put the family name first, and some people have no family name. */
const fullName =
  "CASE name_order WHEN 'family' THEN coalesce(family_name || ' ', '') || given_name " +
  "ELSE given_name || coalesce(' ' || family_name, '') END";

const users = table('users', {
  comment: 'Everyone who works with the house',
  columns: [
    id(),
    column('email', varchar(120)),
    column('given_name', varchar(60)),
    nullable('family_name', varchar(60), { comment: 'NULL where a person has one name only' }),
    column('name_order', varchar(6), { default: "'given'" }),
    generated('full_name', type.text, fullName),
    column('role', varchar(20), { default: "'author'" }),
    nullable('manager_id', type.bigint),
    column('is_active', type.boolean, { default: 'TRUE' }),
    column('created_at', type.timestampWithZone, { default: 'CURRENT_TIMESTAMP' }),
    nullable('last_seen_at', type.timestampWithZone),
  ],
  key: ['id'],
  indexes: [
    unique('users', 'email'),
    index('users_manager_id', [{ column: 'manager_id' }]),
    index('users_lower_email', [{ expression: 'lower(email)' }]),
  ],
  foreignKeys: [references('manager_id', 'users.id', 'restrict')],
  checks: {
    role: oneOf('role', roles),
    name_order: oneOf('name_order', ['given', 'family']),
  },
});

const profiles = table('profiles', {
  comment: 'One profile at most for a user',
  columns: [
    id(),
    column('user_id', type.bigint),
    column('bio', type.text, { default: "''" }),
    nullable('website', varchar(200)),
    nullable('born_on', type.date),
    column('city', varchar(60)),
    column('languages', type.json, { default: "'[]'" }),
    column('settings', type.json, { default: "'{}'" }),
    nullable('avatar', type.binary, { comment: 'PNG, 48 × 48' }),
    column('updated_at', type.timestamp, { default: 'CURRENT_TIMESTAMP' }),
  ],
  key: ['id'],
  indexes: [unique('profiles', 'user_id')],
  foreignKeys: [references('user_id', 'users.id', 'cascade')],
});

export const peopleTables: readonly Table[] = [users, profiles];
