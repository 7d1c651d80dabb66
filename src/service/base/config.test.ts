import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const required = { DATABASE_URL: 'postgresql://x@y/z', MASTER_KEY: 'ab'.repeat(32) }

describe('a rate', () => {
  const rateLimitOf = (RATE_LIMIT: string) => readConfig({ ...required, RATE_LIMIT }).rateLimit

  it.each([
    ['600/min', { count: 600, periodMs: 60_000, burst: 600 }],
    ['20/s:40', { count: 20, periodMs: 1000, burst: 40 }],
    ['1/h', { count: 1, periodMs: 3_600_000, burst: 1 }],
    ['off', undefined],
    ['', { count: 300, periodMs: 1000, burst: 30_000 }],
  ])('%j is understood', (text, rate) => expect(rateLimitOf(text)).toEqual(rate))

  it.each(['600', '0/min', '-1/s', '600/minute', '600 / min', '20/s:0', '20/s:', '1e3/s', '1.5/s', 'OFF'])(
    '%j is refused with one sentence',
    (text) => expect(() => rateLimitOf(text)).toThrow(/^RATE_LIMIT must be .*600\/min, 20\/s:40 or off$/),
  )

  it('has a default for calls and for failed authentication', () => {
    const { rateLimit, authFailureLimit } = readConfig(required)
    expect([rateLimit, authFailureLimit]).toEqual([
      { count: 300, periodMs: 1000, burst: 30_000 },
      { count: 60, periodMs: 60_000, burst: 60 },
    ])
  })
})

describe('the work of a worker', () => {
  const jobKindsOf = (WORKER_KINDS: string) => readConfig({ ...required, WORKER_KINDS }).jobKinds

  it.each([
    ['', ['mail', 'email_code', 'expert_mail', 'open_drafts', 'examine', 'zip', 'ingest']],
    ['convert, zip', ['zip', 'ingest']],
    ['mail', ['mail', 'email_code', 'expert_mail', 'open_drafts', 'examine']],
  ])('%j is understood', (text, kinds) => expect(jobKindsOf(text)).toEqual(kinds))

  it.each(['ingest', 'zip,', 'zip;mail', 'ZIP', '__proto__'])('%j is refused with one sentence', (text) =>
    expect(() => jobKindsOf(text)).toThrow(/^WORKER_KINDS must be some of mail, zip, convert$/),
  )
})
