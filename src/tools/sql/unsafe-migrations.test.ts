import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../sources.ts'
import { PREVIOUS_RELEASE } from './previous-release.ts'
import { unsafeForms } from './unsafe-migrations.ts'

const FOLDER = join(ROOT, 'src/service/db/migrations')
/** Earlier migrations ran in one transaction while the service was stopped. */
const LAST_OFFLINE = '0051'

test('migrations of databases in use have only safe forms', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name >= LAST_OFFLINE)
  for (const name of names) expect([name, unsafeForms(await readFile(join(FOLDER, name), 'utf8'))]).toEqual([name, []])
})

test('a table that a migration calls new is made after the last migration of the previous release', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name > PREVIOUS_RELEASE.lastMigration)
  const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')))
  const listOf = (pattern: RegExp) => texts.flatMap((text) => [...text.matchAll(pattern)].map(([, table]) => table))
  const made = new Set(listOf(/^create table (\w+)/gm))
  expect(listOf(/^-- the previous release has no (\w+)$/gm).filter((table) => !made.has(table))).toEqual([])
  expect(await readdir(FOLDER)).toContain(PREVIOUS_RELEASE.lastMigration)
})

test.each([
  'alter table files drop column title;',
  'drop table files;',
  'alter table files rename column title to name;',
  'ALTER TABLE files ALTER COLUMN title SET NOT NULL;',
  'alter table files alter column size type bigint;',
  'alter table files add column owner int not null;',
  'alter table files add column token uuid default gen_random_uuid();',
  'alter table files add constraint positive check (size > 0);',
  'alter table files add constraint owned foreign key (owner) references users (id);',
  'alter table files add unique (workspace_id, title);',
  'create index files_title on files (title);',
  '-- form: concurrent\ncreate index concurrently files_title on files (title);',
  'create unique index concurrently if not exists files_title on files (title);',
  'update files set title = lower(title);',
  '-- form: batches\nupdate files set title = lower(title);',
  '-- form: concurrent\nalter table files add column note text;',
  'with old as (select 1) delete from files where id in (select * from old);',
  'lock table files; create table notes (id int);',
  'set role postgres;',
  '-- the previous release has no notes\ncreate index files_title on files (title);',
  'do $$ begin perform 1; update files set title = null; end $$;',
  'create function one() returns int language sql as $$ select 1; $$; update files set title = lower(title);',
])('%s is refused', (text) => expect(unsafeForms(text)).not.toEqual([]))

test.each([
  'alter table files add column owner int; alter table files add column kind text not null default $$plain$$;',
  '-- the previous release does not use it\nalter table files drop column title;',
  'alter table files add constraint positive check (size > 0) not valid;',
  'alter table files add constraint owned check (owner is not null) not valid;',
  '-- form: concurrent\nalter table files validate constraint positive;',
  '-- form: concurrent\ncreate index concurrently if not exists files_title on files (title);\ncreate unique index concurrently if not exists b on files (id);',
  '-- form: batches\nupdate files set kind = $$x$$ where id in (select id from files where kind is null limit 1000);',
  'create table notes (id int primary key); create index notes_id on notes (id); insert into notes values (1); alter table notes add unique (id);',
  '-- the previous release has no notes\ncreate index notes_id on notes (id);',
  'create or replace function one() returns int language sql as $$ select 1 $$;',
  'create function note(a int) returns void language plpgsql as $$ begin perform 1; update files set title = null; end $$;',
])('%s is accepted', (text) => expect(unsafeForms(text)).toEqual([]))
