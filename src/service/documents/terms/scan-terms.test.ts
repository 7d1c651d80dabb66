import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { requestOf } from '../../../client/request.ts'
import { api } from '../../../contract/index.ts'
import { type Clamd, CLAMD_MAX_BYTES, EICAR, startClamd } from '../../testing/clamd.ts'
import { draftPdf, issuePdfTerms } from '../../testing/deal/terms.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { applyScanPolicy } from '../../store/documents/scan-policy.ts'
import { createScanner, NotScanned, type Scanner } from '../ingest/scan.ts'
import { scanTerms } from './scan-terms.ts'

const { terms } = api
const URL = 'http://dashboard.test'

const isInstalled = await ensureInstalled('clamav')

const scanner = { clamdMaxBytes: CLAMD_MAX_BYTES, scanRequired: true }
const infected = samplePdf([{ content: `BT (${EICAR.replaceAll(/[()\\]/g, '\\$&')}) Tj ET % ${EICAR}` }])

const draftOf = async (service: TestService) => {
  const world: World = await createWorld(service)
  const call = { params: { id: world.workspace_id }, query: { file_name: 'Terms.pdf' } }
  return {
    refused: (pdf: Buffer) => world.alice.refused(api.terms.setDraftPdf, call, new Uint8Array(pdf)),
    retryAfter: async (pdf: Buffer) => {
      const { path, init } = requestOf(api.terms.setDraftPdf, call, new Uint8Array(pdf))
      return (await world.alice.fetch(path, init)).headers.get('retry-after')
    },
    statusOf: (pdf: Buffer) => world.alice.statusOf(api.terms.setDraftPdf, call, new Uint8Array(pdf)),
  }
}

describe.skipIf(!isInstalled)('K107: a scanned PDF', () => {
  let clamd: Clamd
  let service: TestService
  beforeAll(async () => {
    clamd = await startClamd()
    service = await startTestService({ ...scanner, clamdUrl: clamd.url })
  })
  afterAll(async () => {
    await service.close()
    await clamd.stop()
  })

  it('becomes terms only if it is clean, and was scanned to its end', async () => {
    const draft = await draftOf(service)
    const ruleOf = async (pdf: Buffer) => (await draft.refused(pdf)).details?.[0]?.rule
    expect(await ruleOf(infected)).toBe('terms_clean')
    expect(await ruleOf(Buffer.concat([samplePdf([{}]), Buffer.alloc(CLAMD_MAX_BYTES, ' ')]))).toBe('terms_scannable')
    expect(await draft.statusOf(samplePdf([{}]))).toBe(200)
  })

  it('that a service without a scanner took is issued once a worker has scanned it', async () => {
    const { alice, params, services } = await withoutScanner({ scanRequired: true })
    const { sha256 } = await draftPdf(alice, params.id, samplePdf([{}]))
    expect(await alice.refused(terms.issue, { params, body: { sha256 } })).toMatchObject({
      reason: 'terms_not_scanned',
    })
    await scanTerms({ ...services, scanner: undefined, scanRequired: true }, URL)
    expect(await alice.statusOf(terms.issue, { params, body: { sha256 } })).toBe(409)
    await scanTerms({ ...services, scanner: scannerOf(), scanRequired: true }, URL)
    expect(await alice.statusOf(terms.issue, { params, body: { sha256 } })).toBe(201)
  })

  it('cannot be issued where only the workers require a scan', async () => {
    const { alice, params, services } = await withoutScanner({ scanRequired: false })
    const { sha256 } = await draftPdf(alice, params.id, samplePdf([{}]))
    await applyScanPolicy(services.db, { isScanned: false, isRequired: true })
    expect(await alice.statusOf(terms.issue, { params, body: { sha256 } })).toBe(409)
    await applyScanPolicy(services.db, { isScanned: false, isRequired: false })
    expect(await alice.statusOf(terms.issue, { params, body: { sha256 } })).toBe(201)
  })

  it('in which malware is found later is served to nobody, and the admins are told', async () => {
    const { alice, bob, params, services, get } = await withoutScanner({ scanRequired: false })
    const id = await issuePdfTerms(alice, params.id, infected)
    await draftPdf(alice, params.id, samplePdf([{}]))
    const ofVersion = { params: { ...params, terms_id: id } }
    const { expiring_url } = await bob.call(terms.pages, ofVersion)
    expect(await get(expiring_url)).toBe(200)
    for (let times = 0; times < 2; times++)
      await scanTerms({ ...services, scanner: scannerOf(), scanRequired: false }, URL)
    expect(await get(expiring_url)).toBe(404)
    const accepting = { ...ofVersion, body: { has_read: true, may_accept: true } }
    for (const { reason } of [
      await bob.refused(terms.pages, ofVersion),
      await alice.refused(terms.pages, ofVersion),
      await bob.refused(terms.accept, accepting),
    ])
      expect(reason).toBe('terms_infected')
    expect(await alice.statusOf(terms.draftPages, { params })).toBe(200)
    const { rows } = await sql<{ to: string }>`select payload->>'to' as to from jobs where kind = 'mail'
      and payload->>'text' like '%Malware%Terms.pdf, version 1 of "Terms"%'`.execute(services.db)
    const told = rows.map(({ to }) => to)
    expect(told).toContain(alice.email)
    expect(told).toHaveLength(new Set(told).size)
  })

  const scannerOf = () => createScanner(clamd.url, { maxBytes: CLAMD_MAX_BYTES, patienceMs: 5000 })

  async function withoutScanner(config: { scanRequired: boolean }) {
    const other = await startTestService(config)
    onTestFinished(() => other.close())
    const { alice, bob, workspace_id } = await createWorld(other)
    const get = async (url: string) => (await fetch(other.url + new globalThis.URL(url).pathname)).status
    return { alice, bob, params: { id: workspace_id }, services: other.services, get }
  }
})

test('K107: each PDF is scanned by one of several workers, and one whose scan failed later', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { alice, workspace_id } = await createWorld(service)
  await issuePdfTerms(alice, workspace_id, samplePdf([{}]))
  await draftPdf(alice, workspace_id, samplePdf([{}]))
  let scans = 0
  const counting = (ends: () => 'clean'): Scanner => ({
    async scan(content) {
      scans += 1
      if (typeof content !== 'string') for await (const _ of content);
      return ends()
    },
  })
  const work = (other: Scanner) => scanTerms({ ...service.services, scanner: other, scanRequired: false }, URL)
  const failing = counting(() => {
    throw new NotScanned('away', false)
  })
  for (const scanner of [failing, counting(() => 'clean')])
    await Promise.all([work(scanner), work(scanner), work(scanner)])
  expect(scans).toBe(2)
  await sql`update terms_pdfs set claimed_at = now() - interval '3 minutes'`.execute(service.services.db)
  const clean = counting(() => 'clean')
  for (let times = 0; times < 2; times++) await Promise.all([work(clean), work(clean), work(clean)])
  expect(scans).toBe(4)
})

test('K107: while the scanner is away, no PDF becomes terms', async () => {
  const service = await startTestService({ ...scanner, clamdUrl: 'unix:/nowhere/clamd.sock' })
  try {
    const draft = await draftOf(service)
    expect(await draft.refused(samplePdf([{}]))).toMatchObject({ code: 503, reason: 'scanner_away' })
    expect(await draft.retryAfter(samplePdf([{}]))).toBe('5')
  } finally {
    await service.close()
  }
})
