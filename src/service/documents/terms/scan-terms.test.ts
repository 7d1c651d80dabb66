import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { type Clamd, CLAMD_MAX_BYTES, EICAR, startClamd } from '../../testing/clamd.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createWorld, type World } from '../../testing/world.ts'

const isInstalled = await ensureInstalled('clamav')

const scanner = { clamdMaxBytes: CLAMD_MAX_BYTES, scanRequired: true }
const infected = samplePdf([{ content: `BT (${EICAR.replaceAll(/[()\\]/g, '\\$&')}) Tj ET % ${EICAR}` }])

const draftOf = async (service: TestService) => {
  const world: World = await createWorld(service)
  const call = { params: { id: world.workspace_id }, query: { file_name: 'Terms.pdf' } }
  return {
    refused: (pdf: Buffer) => world.alice.refused(api.terms.setDraftPdf, call, new Uint8Array(pdf)),
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
})

test('K107: while the scanner is away, no PDF becomes terms', async () => {
  const service = await startTestService({ ...scanner, clamdUrl: 'unix:/nowhere/clamd.sock' })
  try {
    const draft = await draftOf(service)
    expect(await draft.refused(samplePdf([{}]))).toMatchObject({ code: 503, reason: 'scanner_away' })
  } finally {
    await service.close()
  }
})
