import { expect, test } from 'vitest'
import { nameOfStatement } from './traced-statement.ts'

test.each([
  ['select id from folders where workspace_id = $1', 'select folders'],
  ['select * from "files" as f inner join "users" on true', 'select files, select users'],
  ['insert into files (workspace_id) values ($1) on conflict do update set title = $2', 'insert files'],
  [
    'with due as materialized (select id from jobs for update skip locked) update jobs set a = $1 from due',
    'update jobs',
  ],
  ['with recursive path as (select 1), up(id) as (select 2) select * from path join up on true', 'with'],
  ['delete from sessions where id = any ($1)', 'delete sessions'],
  ['select extract(epoch from run_at), a is distinct from b from jobs', 'select jobs'],
  ['select * from unnest($1::int[]) join lateral (select 1) x on true', 'select'],
  ['begin', 'begin'],
])('%s is named %s', (text, name) => expect(nameOfStatement(text)).toBe(name))

test('a literal in the text of a statement is not part of its name', () => {
  expect(nameOfStatement(`select 'moved from secret' from folders`)).toBe('select folders')
})
