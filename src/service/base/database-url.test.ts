import { expect, test } from 'vitest'
import { readDatabaseUrl } from './database-url.ts'

test.each([
  ['postgresql://ann:p%40ss@db.example/room', ['postgresql://ann:p%40ss@/room?host=db.example&port=5432']],
  [
    'postgres://ann@one:5433,[::1]:5434,three/room?sslmode=require',
    ['one&port=5433', '%3A%3A1&port=5434', 'three&port=5432'].map(
      (host) => `postgres://ann@/room?sslmode=verify-full&host=${host}`,
    ),
  ],
  [
    'postgresql://ann@/room?host=/run/a,/run/b&port=5432,5433',
    ['a&port=5432', 'b&port=5433'].map((host) => `postgresql://ann@/room?host=%2Frun%2F${host}`),
  ],
  ['postgresql://ann@db:5432', ['postgresql://ann@/?host=db&port=5432']],
])('%s names its servers', (url, urls) => expect(readDatabaseUrl(url)).toEqual({ pooled: false, urls }))

test('a URL says whether a pooler stands in between', () => {
  expect(readDatabaseUrl('postgresql://ann@db/room?pgbouncer=true&target_session_attrs=primary')).toEqual({
    pooled: true,
    urls: ['postgresql://ann@/room?host=db&port=5432'],
  })
})

test.each([
  ['mysql://ann@db/room', 'must have the form'],
  ['postgresql://ann@one:x,two/room', 'must name hosts'],
  ['postgresql://ann@one,,two/room', 'must name hosts'],
  ['postgresql://ann:geheim@db/room?sslmode=verify', 'has sslmode, which must be'],
  ['postgresql://ann@db/room?sslmode=verify-ca', 'needs sslrootcert'],
  ['postgresql://ann@db/room?target_session_attrs=any', 'must be read-write or primary'],
])('%s is refused in one sentence without its password', (url, sentence) => {
  expect(() => readDatabaseUrl(url)).toThrow(sentence)
  expect(() => readDatabaseUrl(url)).not.toThrow('geheim')
})
