import { describe, expect, test } from 'vitest'
import { columnsOf } from './select-list.ts'
import { readStatements, type Statement } from './statements.ts'

describe.each([
  ['src/service/tsconfig.json', 50],
  ['src/embedded/tsconfig.json', 1],
])('%s', (configFile, least) => {
  test('every statement in SQL has exactly the columns of its row type', () => {
    const statements = readStatements(configFile)
    expect(statements.length).toBeGreaterThanOrEqual(least)
    expect(statements.flatMap(problemsOf)).toEqual([])
  })
})

function problemsOf({ place, columns, properties, doubts }: Statement): string[] {
  const missing = properties.filter((name) => !columns.includes(name))
  const unknown = columns.filter((name) => !properties.includes(name))
  const twice = columns.filter((name, index) => columns.indexOf(name) < index)
  return [
    ...doubts,
    ...missing.map((name) => `does not have the column ${name}`),
    ...unknown.map((name) => `has the column ${name}, which the row type lacks`),
    ...twice.map((name) => `has the column ${name} twice`),
  ].map((problem) => `${place} ${problem}`)
}

describe('the columns of a statement', () => {
  const namesOf = (text: string) => columnsOf(text)?.map((column) => ('name' in column ? column.name : column.fragment))

  test.each([
    ['a list', 'select a.id, name, b.size::text, c."order" as "sortOrder" from a', ['id', 'name', 'size', 'sortOrder']],
    ['functions', "select count(*), max(a.at)::date, coalesce(b, 'x, from') as b from a", ['count', 'max', 'b']],
    ['subqueries', 'select (select c from d) as e, exists (select from f) as g', ['e', 'g']],
    ['distinct', 'select distinct on (a.b, c) a.b, c is not distinct from d as same from a', ['b', 'same']],
    ['common tables', 'with a as (select b from c) select d from a union select e from f', ['d']],
    ['an insert', 'with a as (select b) insert into c (d) select b from a returning id, d as e', ['id', 'e']],
    ['an update', 'update a set b = (select c) from d where a.e = d.e returning a.b', ['b']],
    ['a statement without rows', 'delete from a where b', []],
    ['a derived table', '(select a, b from c)', ['a', 'b']],
    ['all columns of a subquery', 'select d.* from (select a, b from c) d', ['a', 'b']],
    ['fragments', 'select §0§, §1§ as a, r.* from b cross join lateral §2§ r where c = §3§', [0, 'a', 2]],
    ['a fragment that begins', '§0§ where a = §1§', [0]],
    ['a fragment that ends', 'with a as (§0§) §1§', [1]],
    ['no names', 'select *, a.*, a + b, case when a then b end from a', [null, null, null, null]],
  ])('%s', (_, text, names) => {
    expect(namesOf(text)).toEqual(names)
  })

  test('are unknown for text that is no statement', () => {
    expect(columnsOf('a.id, a.name')).toBeUndefined()
  })
})
