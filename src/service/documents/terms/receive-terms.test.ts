import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestOf } from '../../../client/request.ts'
import { api } from '../../../contract/index.ts'
import { issueDraft } from '../../store/terms/versions.ts'
import { lockTerms } from '../../store/terms/drafts.ts'
import { draftPdf } from '../../testing/deal/terms.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { createRoom } from '../../testing/room.ts'
import { isOnDisk, startTestService, type TestService } from '../../testing/start-service.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { DocumentFault, ProcessEnded } from '../render.ts'

const { terms } = api
const PDF = samplePdf([{}, {}])

let service: TestService
let world: World
let params: { id: number }
let whole: Pick<TestService['services'], 'renderer' | 'pages'>
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  whole = { renderer: service.services.renderer, pages: service.services.pages }
  const team = { allowed_workspaces: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
})
afterAll(() => service.close())
beforeEach(async () => {
  params = { id: (await createRoom(world)).workspace_id }
})
afterEach(() => {
  Object.assign(service.services, whole)
  service.setClock(undefined)
})

const replace = (part: Partial<typeof whole>) => Object.assign(service.services, part)
const call = () => ({ params, query: { file_name: 'Terms.pdf' } })
const upload = (pdf = PDF) => world.alice.refused(terms.setDraftPdf, call(), new Uint8Array(pdf))
const countStored = async () => {
  const ids: string[] = []
  for await (const id of service.services.blobs.listOlderThan(new Date(Date.now() + 60_000))) ids.push(id)
  return ids.length
}
const countDrawn = async () => {
  const files = await readdir(join(service.config.dataDir, 'cache', 'pages'), { recursive: true }).catch(() => [])
  return files.filter((name) => name.endsWith('.jpg')).length
}

/** Lets readings wait until they may go on. */
function gated() {
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => (goOn = resolve))
  let begun = () => {}
  const begins = new Promise<void>((resolve) => (begun = resolve))
  const findCarried: typeof whole.renderer.findCarried = async (source, work) => {
    begun()
    await gate
    return whole.renderer.findCarried(source, work)
  }
  replace({ renderer: { ...whole.renderer, findCarried } })
  return { begins, goOn }
}

describe('K107: the reading of a PDF of terms', () => {
  it('is tried again when its process ends, and refused when it ends again, without anything kept', async () => {
    let ends = 1
    const findCarried: typeof whole.renderer.findCarried = async (source, work) => {
      if (ends-- > 0) throw new ProcessEnded()
      return whole.renderer.findCarried(source, work)
    }
    replace({ renderer: { ...whole.renderer, findCarried } })
    expect(await world.alice.statusOf(terms.setDraftPdf, call(), new Uint8Array(PDF))).toBe(200)
    const before = await countStored()
    ends = 2
    expect((await upload()).details?.[0]?.rule).toBe('terms_readable')
    expect(await countStored()).toBe(before)
  })

  it('that fails for another reason keeps nothing either', async () => {
    const before = await countStored()
    const findCarried = () => Promise.reject(new Error('for the test'))
    replace({ renderer: { ...whole.renderer, findCarried } })
    expect(await upload()).toMatchObject({ code: 500 })
    expect(await countStored()).toBe(before)
  })

  it.skipIf(!isOnDisk)('draws every page, and forgets them if one cannot be drawn', async () => {
    const before = await countDrawn()
    await draftPdf(world.alice, params.id, PDF)
    expect(await countDrawn()).toBe(before + 2)
    const read: typeof whole.pages.read = async (source, page, size, work) => {
      if (page === 2) throw new DocumentFault('for the test')
      return whole.pages.read(source, page, size, work)
    }
    replace({ pages: { ...whole.pages, read } })
    expect((await upload()).details?.[0]).toMatchObject({ rule: 'terms_drawable', params: { page: '2' } })
    expect(await countDrawn()).toBe(before + 2)
  })

  it('is of one PDF of a person at a time, and the draft bears the time at which it was read', async () => {
    const { begins, goOn } = gated()
    const first = draftPdf(world.alice, params.id, PDF)
    await begins
    const second = await world.alice.fetch(...pathOf())
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1'])
    const later = new Date(Date.now() + 120_000)
    service.setClock(later)
    goOn()
    expect((await first).updated_at).toBe(later.toISOString())
    service.setClock(undefined)
    Object.assign(service.services, whole)
    await draftPdf(world.alice, params.id, PDF)
  })

  it('ends when nobody waits for it, and leaves the draft as it was', async () => {
    await draftPdf(world.alice, params.id, PDF, { title: 'Before' })
    const before = await countStored()
    const draft = await world.alice.call(terms.getDraft, { params })
    const { begins, goOn } = gated()
    const client = new AbortController()
    const [path, init] = pathOf()
    const given = world.alice.fetch(path, { ...init, signal: client.signal }).catch(() => 'gone')
    await begins
    client.abort()
    expect(await given).toBe('gone')
    await sleep(100)
    goOn()
    await expect.poll(countStored, { timeout: 20_000 }).toBe(before)
    expect(await world.alice.call(terms.getDraft, { params })).toEqual(draft)
  })

  function pathOf(): [string, RequestInit] {
    const { path, init } = requestOf(terms.setDraftPdf, call(), new Uint8Array(PDF))
    return [path, init]
  }
})

describe('while another admin issues the draft', () => {
  const WAYS = {
    'a text is saved': () => world.alice.statusOf(terms.saveDraft, { params, body: { title: 'Next', text: 'Quiet.' } }),
    'it is discarded': () => world.alice.statusOf(terms.removeDraft, { params }),
    'a PDF is uploaded': () => world.alice.statusOf(terms.setDraftPdf, call(), new Uint8Array(samplePdf([{}]))),
  }
  it.each(Object.entries(WAYS))('%s, after it', async (way, act) => {
    const { sha256 } = await draftPdf(world.alice, params.id, PDF)
    const { organization_id } = await sql<{ organization_id: number }>`
      select organization_id from workspaces where id = ${params.id}`
      .execute(service.services.db)
      .then(({ rows: [row] }) => row ?? { organization_id: 0 })
    const workspace = { id: params.id, organization_id, actor: { id: world.alice.id, now: new Date() } } as never
    const acting = await service.services.db.transaction().execute(async (tx) => {
      await lockTerms(tx, workspace)
      const begun = act()
      await expect.poll(countWaiting, { timeout: 50_000 }).toBeGreaterThan(0)
      await issueDraft(tx, { workspace, group: undefined }, { sha256 })
      return { begun }
    })
    expect(await acting.begun).toBe(way === 'it is discarded' ? 204 : 200)
    const { rows } = await sql`select p.id from terms_pdfs p left join terms_drafts d on d.workspace_id = p.workspace_id
      and d.pdf_id = p.id left join terms_versions v on v.workspace_id = p.workspace_id and v.pdf_id = p.id
      where p.workspace_id = ${params.id} and d.pdf_id is null and v.id is null`.execute(service.services.db)
    expect(rows).toEqual([])
    expect(await world.alice.call(terms.listVersions, { params })).toMatchObject([{ pdf: { pages: 2 } }])
  })

  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      service.services.db,
    )
    return rows[0]?.count
  }
})
