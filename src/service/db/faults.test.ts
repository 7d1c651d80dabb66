import pg from 'pg'
import { expect, test } from 'vitest'
import { isAway } from './faults.ts'

const failure = (code: string) =>
  Object.assign(new pg.DatabaseError('failed', 0, 'error'), { code, routine: 'ProcessStartupPacket' })
const ofPooler = (message: string) => Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '08P01' })

test.each([
  ['08006', true],
  ['57P01', true],
  ['53300', true],
  ['25006', true],
  ['08P01', false],
  ['23505', false],
])('SQLSTATE %s: the database is away: %s', (code, away) => expect(isAway(failure(code))).toBe(away))

test.each([
  ['server conn crashed?', true],
  ['query_wait_timeout', true],
  ['unsupported startup parameter: options', false],
  ['no such database: rooms', false],
])('PgBouncer says "%s": the database is away: %s', (message, away) => expect(isAway(ofPooler(message))).toBe(away))
