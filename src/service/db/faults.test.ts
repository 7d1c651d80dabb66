import pg from 'pg'
import { expect, test } from 'vitest'
import { isAway } from './faults.ts'

const failure = (code: string) => Object.assign(new pg.DatabaseError('failed', 0, 'error'), { code })

test.each([
  ['08006', true],
  ['57P01', true],
  ['53300', true],
  ['08P01', false],
  ['23505', false],
])('SQLSTATE %s: the database is away: %s', (code, away) => expect(isAway(failure(code))).toBe(away))
