import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { TERMS_PDF, textOfPages } from '../../../contract/endpoints/deal/terms-pdf.ts'
import { api } from '../../../contract/index.ts'
import { sweepBlobs } from '../../blobs/sweep.ts'
import { scrub } from '../../blobs/scrub.ts'
import { recordDamage, tellOfDamage } from '../../store/documents/damage.ts'
import { sweepStampedFiles } from '../../store/downloads/stamped-files.ts'
import { listExpectedAfter, listUploadedHashes } from '../../store/health/content-health.ts'
import {
  firstObject,
  packedPdf,
  samplePdf,
  type SampleExtras,
  type SamplePage,
} from '../../testing/documents/sample-pdf.ts'
import { encryptedPdf } from '../../testing/documents/watermark-samples.ts'
import { acceptTerms, draftPdf, issuePdfTerms, issueTerms } from '../../testing/deal/terms.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { addMember, createPerson, createWorld, type Person, type World } from '../../testing/world.ts'

const { terms } = api

let service: TestService
let world: World
let room: Room
let params: { id: number }
beforeAll(async () => {
  service = await startTestService()
  world = await createWorld(service)
  const team = { allowed_workspaces: 1000 }
  await world.tina.call(api.teams.update, { params: { id: world.team_id }, body: { team } })
})
afterAll(() => service.close())
beforeEach(async () => {
  room = await createRoom(world)
  params = { id: room.workspace_id }
})

const pageOf = (words: string): SamplePage => ({ content: `BT /F 14 Tf 60 700 Td (${words}) Tj ET` })
const TWO_PAGES = samplePdf([pageOf('Keep it secret'), pageOf('Tell nobody')])
const hashOf = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex')

const issue = (pdf = TWO_PAGES, more = {}) => issuePdfTerms(world.alice, room.workspace_id, pdf, more)
const pagesFor = (person: Person, terms_id: number, query = {}) =>
  person.call(terms.pages, { params: { ...params, terms_id }, query })
const statusFor = (person: Person, terms_id: number, id = params.id) =>
  person.statusOf(terms.pages, { params: { id, terms_id } })
const get = (url: string) => fetch(service.url + new URL(url).pathname)
const statusOf = async (url: string) => (await get(url)).status
const bytesOf = async (url: string) => Buffer.from(await (await get(url)).arrayBuffer())
const refuse = async (pdf: Buffer, file_name = 'Terms.pdf') => {
  const call = { params, query: { file_name } }
  return world.alice.refused(terms.setDraftPdf, call, new Uint8Array(pdf))
}
const ruleOf = async (pdf: Buffer, file_name?: string) => (await refuse(pdf, file_name)).details?.[0]?.rule
const pdfsKept = async () => {
  const { rows } = await sql<{ blob_id: string; pdf: number }>`
    select blob_id, id as pdf from terms_pdfs where workspace_id = ${params.id}`.execute(service.services.db)
  return rows
}

describe('terms that are a PDF', () => {
  it('are drafted with title and hash, and bind nobody yet', async () => {
    const draft = await draftPdf(world.alice, params.id, TWO_PAGES, { file_name: 'Mutual NDA.pdf' })
    expect(draft).toMatchObject({
      title: 'Mutual NDA',
      sha256: hashOf(TWO_PAGES),
      asks_name: false,
      pdf: { file_name: 'Mutual NDA.pdf', size: TWO_PAGES.length, pages: 2 },
    })
    expect(draft.text).toBe(
      'These terms are the PDF "Mutual NDA.pdf" of 2 pages. This text was read from it:\n\nKeep it secret\n\nTell nobody',
    )
    const { pages, total_pages } = await world.alice.call(terms.draftPages, { params })
    expect([total_pages, pages.map(({ text }) => text)]).toEqual([2, ['Keep it secret', 'Tell nobody']])
    expect((await world.bob.call(terms.mine, { params })).terms).toEqual([])
  })

  it('keep their PDF while title and question are changed, and lose it to a text', async () => {
    await draftPdf(world.alice, params.id, TWO_PAGES)
    const body = { title: 'NDA', asks_name: true }
    const changed = await world.alice.call(terms.saveDraft, { params, body })
    expect(changed).toMatchObject({ ...body, sha256: hashOf(TWO_PAGES), pdf: { pages: 2 } })
    const other = await draftPdf(world.alice, params.id, samplePdf([{}]))
    expect(other).toMatchObject({ ...body, pdf: { pages: 1 } })
    const text = await world.alice.call(terms.saveDraft, { params, body: { ...body, text: 'Quiet.' } })
    expect(text).toMatchObject({ text: 'Quiet.', pdf: null })
    expect(await pdfsKept()).toEqual([])
    const { details } = await world.alice.refused(terms.saveDraft, { params, body })
    expect(details).toMatchObject([{ field: 'text', rule: 'required' }])
  })

  it('do not replace a draft that another admin has changed, and keep nothing of the refused PDF', async () => {
    const { digest } = await draftPdf(world.alice, params.id, samplePdf([{}]))
    const text = { title: 'NDA', text: 'Quiet.' }
    const changed = await world.alice.call(terms.saveDraft, { params, body: { ...text, digest } })
    const query = { file_name: 'Terms.pdf', digest }
    const { reason } = await world.alice.refused(terms.setDraftPdf, { params, query }, new Uint8Array(TWO_PAGES))
    expect(reason).toBe('terms_draft_changed')
    expect(await world.alice.statusOf(terms.saveDraft, { params, body: { title: 'NDA', digest } })).toBe(409)
    expect((await world.alice.call(terms.getDraft, { params })).draft).toEqual(changed)
    expect(await pdfsKept()).toEqual([])
    const pdf = await draftPdf(world.alice, params.id, TWO_PAGES, { digest: changed.digest })
    expect(pdf).toMatchObject({ title: 'NDA', pdf: { pages: 2 } })
  })

  it('lose what the previous release writes over them', async () => {
    await draftPdf(world.alice, params.id, TWO_PAGES)
    await sql`update terms_drafts set text = 'Quiet.' where workspace_id = ${params.id}`.execute(service.services.db)
    const { draft } = await world.alice.call(terms.getDraft, { params })
    expect(draft).toMatchObject({ text: 'Quiet.', pdf: null, sha256: hashOf(Buffer.from('Quiet.')) })
    expect(await world.alice.statusOf(terms.draftPages, { params })).toBe(404)
    const { sha256 } = draft ?? { sha256: '' }
    expect(await world.alice.call(terms.issue, { params, body: { sha256 } })).toMatchObject({ pdf: null })
  })

  it('are never issued by the previous release, to which the draft is an empty text', async () => {
    const { sha256 } = await draftPdf(world.alice, params.id, TWO_PAGES)
    const { db } = service.services
    // As that release reads and issues a draft.
    const { rows } = await sql<{ text: string; hash: string }>`
      select d.text, encode(sha256(convert_to(d.text, 'UTF8')), 'hex') as hash from terms_drafts d
      where d.workspace_id = ${params.id} and d.group_id = 0`.execute(db)
    expect(rows).toEqual([{ text: '', hash: hashOf(Buffer.from('')) }])
    const issued = sql`
      with draft as (
        delete from terms_drafts d where d.workspace_id = ${params.id} and d.group_id = 0
          and sha256(convert_to(d.text, 'UTF8')) = decode(${rows[0]?.hash}, 'hex') returning d.*
      )
      insert into terms_versions (workspace_id, group_id, group_name, version, title, text, sha256, asks_name, issued_at,
        issued_by_id)
      select d.workspace_id, d.group_id, '', 1, d.title, d.text, decode(${rows[0]?.hash}, 'hex'), d.asks_name, now(), 1
      from draft d returning id`.execute(db)
    await expect(issued).rejects.toMatchObject({ constraint: 'terms_versions_written' })
    expect(await world.alice.call(terms.listVersions, { params })).toEqual([])
    const empty = sql`update terms_drafts set pdf_id = null where workspace_id = ${params.id}`.execute(db)
    await expect(empty).rejects.toMatchObject({ constraint: 'terms_drafts_written' })
    expect(await world.alice.call(terms.issue, { params, body: { sha256 } })).toMatchObject({ pdf: { pages: 2 } })
  })

  it('are issued as the admin has seen them, and accepted with the hash of exactly their bytes', async () => {
    const { sha256 } = await draftPdf(world.alice, params.id, TWO_PAGES)
    await draftPdf(world.alice, params.id, samplePdf([{}]))
    const { reason } = await world.alice.refused(terms.issue, { params, body: { sha256 } })
    expect(reason).toBe('terms_draft_changed')
    const id = await issue(TWO_PAGES, { file_name: 'NDA.pdf', asks_name: true })
    const own = await world.bob.call(terms.mine, { params })
    expect(own).toMatchObject({
      await: true,
      terms: [{ id, sha256: hashOf(TWO_PAGES), pdf: { file_name: 'NDA.pdf', pages: 2 } }],
    })
    expect(textOfPages(own.terms[0]?.text ?? '')).toBe('Keep it secret\n\nTell nobody')
    const { expiring_url } = await pagesFor(world.bob, id)
    expect(hashOf(await bytesOf(expiring_url))).toBe(hashOf(TWO_PAGES))
    await acceptTerms(world.bob, params.id, id, 'Bob Tester')
    const [answer] = await world.alice.call(terms.listAnswers, { params })
    expect(answer).toMatchObject({ answer: 'accepted', sha256: hashOf(TWO_PAGES), file_name: 'NDA.pdf', version: 1 })
    expect(await world.bob.statusOf(api.workspaces.home, { params })).toBe(200)
  })

  it('are drawn by the service, saved as a file, and read page by page', async () => {
    const id = await issue(TWO_PAGES, { file_name: 'Vertraulichkeit (€).pdf' })
    const { pages, total_pages, expiring_url } = await pagesFor(world.bob, id, { from: 2, count: 1 })
    expect([total_pages, pages.length]).toEqual([2, 1])
    expect(pages[0]).toMatchObject({ page_number: 2, text: 'Tell nobody' })
    const image = await get(pages[0]?.expiring_url ?? '')
    expect([image.headers.get('content-type'), image.headers.get('content-disposition')]).toEqual([
      'image/jpeg',
      'inline; filename=page-2.jpg',
    ])
    const { width, height } = await sharp(await image.arrayBuffer()).metadata()
    expect({ width, height }).toMatchObject({ width: pages[0]?.width, height: pages[0]?.height })
    const saved = await get(expiring_url)
    expect(saved.headers.get('content-type')).toBe('application/pdf')
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; .*Vertraulichkeit/)
    expect(saved.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('compare with the version that was accepted before, also when it was a text', async () => {
    const first = await issueTerms(world.alice, params.id, { text: 'Quiet.' })
    await acceptTerms(world.bob, params.id, first)
    const second = await issue()
    const former = async () => (await world.bob.call(terms.mine, { params })).terms[0]?.former
    expect(await former()).toMatchObject({ id: first, version: 1, text: 'Quiet.', pdf: null })
    await acceptTerms(world.bob, params.id, second)
    await issue(samplePdf([pageOf('Keep it')]))
    expect(await former()).toMatchObject({ id: second, version: 2, pdf: { file_name: 'Terms.pdf', pages: 2 } })
    expect((await former())?.accepted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await statusFor(world.bob, second)).toBe(200)
    expect(await statusFor(world.bob, first)).toBe(404)
  })

  it('never change, and stay whatever becomes of the draft', async () => {
    const id = await issue()
    const { db } = service.services
    const of = sql`where workspace_id = ${params.id}`
    await expect(sql`update terms_pdfs set file_name = 'Other.pdf' ${of}`.execute(db)).rejects.toThrow('never changes')
    await expect(sql`delete from terms_pdfs ${of}`.execute(db)).rejects.toThrow('never changes')
    await expect(sql`update terms_versions set pdf_id = null ${of}`.execute(db)).rejects.toThrow('never changes')
    await draftPdf(world.alice, params.id, samplePdf([{}]))
    await world.alice.call(terms.removeDraft, { params })
    expect(await pdfsKept()).toHaveLength(1)
    const { expiring_url } = await pagesFor(world.bob, id)
    expect(await bytesOf(expiring_url)).toEqual(TWO_PAGES)
  })

  it('go with the draft of a group that is deleted, and stay where they were issued', async () => {
    const group = async () => {
      const body = { group: { name: 'Lenders', workspace_id: params.id } }
      return (await world.alice.call(api.groups.create, { body })).id
    }
    const [drafted, issued] = [await group(), await group()]
    await draftPdf(world.alice, params.id, TWO_PAGES, { group_id: drafted })
    await issue(TWO_PAGES, { group_id: issued })
    expect(await pdfsKept()).toHaveLength(2)
    for (const id of [drafted, issued])
      await world.alice.call(api.groups.remove, { params: { id }, query: { workspace_id: params.id } })
    expect(await pdfsKept()).toHaveLength(1)
    expect(await world.alice.call(terms.listVersions, { params })).toMatchObject([{ pdf: { pages: 2 } }])
  })

  it('are not taken over by templates and workspaces that are made after theirs, as no terms are', async () => {
    await issue()
    const source = { workspace_id: params.id, files: true }
    const body = { workspace: { name: 'Made', team_id: world.team_id, source } }
    const made = await world.alice.call(api.workspaces.create, { body })
    expect(await world.alice.call(terms.listVersions, { params: { id: made.id } })).toEqual([])
    expect((await world.alice.call(terms.getDraft, { params: { id: made.id } })).draft).toBeNull()
  })
})

describe('K80: before terms are accepted, their PDF is served', () => {
  it('to members whom it binds, and nothing else is', async () => {
    const other = await issueTerms(world.alice, params.id, { group_id: await lenders(), text: 'Other.' })
    const id = await issue()
    const { pages, expiring_url } = await pagesFor(world.bob, id)
    for (const url of [...pages.map((page) => page.expiring_url), expiring_url]) expect(await statusOf(url)).toBe(200)
    expect(await statusFor(world.bob, other)).toBe(404)
    expect(await world.bob.statusOf(api.workspaces.home, { params })).toBe(403)
    for (const endpoint of [terms.draftPages, terms.getDraft, terms.listVersions])
      expect(await world.bob.statusOf(endpoint, { params })).toBe(403)
  })

  it('neither to members of other groups, nor to outsiders, nor with the id of another workspace', async () => {
    const id = await issue(TWO_PAGES, { group_id: await lenders() })
    const elsewhere = await createRoom(world)
    expect(await statusFor(world.bob, id)).toBe(404)
    expect(await statusFor(world.mallory, id)).toBe(404)
    expect(await statusFor(world.bob, id, elsewhere.workspace_id)).toBe(404)
    expect(await statusFor(world.alice, id, elsewhere.workspace_id)).toBe(404)
    expect(await statusFor(world.alice, id)).toBe(200)
  })

  it('in the version in force only, unless the member has answered another one', async () => {
    const first = await issue()
    const dora = await createPerson(service, `dora${params.id}`)
    await addMember(world.alice, params.id, room.group_id, dora)
    await world.bob.call(terms.decline, { params: { ...params, terms_id: first } })
    const [ofBob, ofDora] = await Promise.all([world.bob, dora].map((each) => pagesFor(each, first)))
    const second = await issue(samplePdf([{}]))
    expect([await statusFor(world.bob, first), await statusFor(dora, first)]).toEqual([200, 404])
    expect([await statusFor(world.bob, second), await statusFor(dora, second)]).toEqual([200, 200])
    expect(await statusOf(ofBob?.expiring_url ?? '')).toBe(200)
    expect(await statusOf(ofDora?.expiring_url ?? '')).toBe(404)
    expect(await statusOf(ofDora?.pages[0]?.expiring_url ?? '')).toBe(404)
  })

  it('until the member is removed', async () => {
    const id = await issue()
    const { pages, expiring_url } = await pagesFor(world.bob, id)
    const query = { workspace_id: params.id, user_id: world.bob.id }
    await world.alice.call(api.groups.removeMember, { params: { id: room.group_id }, query })
    expect(await Promise.all([expiring_url, pages[0]?.expiring_url ?? ''].map(statusOf))).toEqual([404, 404])
  })

  it('page by page within its pages, and as no draft to anybody but admins', async () => {
    const id = await issue()
    const query = { from: 101, count: 100 }
    expect((await pagesFor(world.bob, id, query)).pages).toEqual([])
    for (const odd of [{ from: 0 }, { from: -1 }, { from: 2 ** 31 }, { count: 101 }])
      expect(await world.bob.statusOf(terms.pages, { params: { ...params, terms_id: id }, query: odd })).toBeOneOf([
        400, 422,
      ])
    await draftPdf(world.alice, params.id, samplePdf([{}]))
    const draft = await world.alice.call(terms.draftPages, { params })
    expect(await statusOf(draft.pages[0]?.expiring_url ?? '')).toBe(200)
    await acceptTerms(world.bob, params.id, id)
    expect(await world.bob.statusOf(terms.draftPages, { params })).toBe(403)
  })

  async function lenders(): Promise<number> {
    const body = { group: { name: 'Lenders', workspace_id: params.id } }
    return (await world.alice.call(api.groups.create, { body })).id
  }
})

describe('K107: a PDF is refused as terms, and leaves nothing behind', () => {
  const actionOf = (action: string): SamplePage => ({
    entries: `/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<<${action}>>>>]`,
  })
  const linkTo = (address: string): SamplePage => actionOf(`/S/URI/URI ${address}`)
  const NAMES = (entries: string) => ({ catalog: `/Names<<${entries}>>` })
  const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>'
  const WAYS: [string, readonly SamplePage[], SampleExtras][] = [
    ['when it opens', [{}], { catalog: `/OpenAction${script}` }],
    ['among its names', [{}], NAMES(`/JavaScript<</Names[(a)${script}]>>`)],
    ['on a page', [{ entries: `/AA<</O${script}>>` }], {}],
    [
      'behind a reference to its type',
      [{ entries: `/AA<</O<</S ${firstObject(1)} 0 R>>>>` }],
      { objects: ['/JavaScript'] },
    ],
    ['with a name in hex', [{}], { catalog: '/OpenAction<</S/J#61vaScript/J#53(1)>>' }],
    [
      'in a link that starts a program',
      [{ entries: '/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(a.exe)>>>>]' }],
      {},
    ],
    [
      'in a form that is sent',
      [{ entries: '/Annots[<</Subtype/Widget/FT/Btn/Rect[0 0 9 9]/A<</S/SubmitForm/F(http://a)>>>>]' }],
      {},
    ],
    ['as an address', [{ entries: '/Annots[<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(javascript:alert)>>>>]' }], {}],
    ['as an address in bytes', [linkTo('<6a61766173637269707400093aff>')], {}],
    ['as an address with characters that readers skip', [linkTo('(java\\tscript:alert)')], {}],
    ['as the base of its addresses', [{}], { catalog: '/URI<</Base(javascript:)>>' }],
    ['that asks for an address when it opens', [{}], { catalog: '/OpenAction<</S/URI/URI(https://a.example)>>' }],
    ['that asks for an address on a page', [{ entries: '/AA<</O<</S/URI/URI(https://a.example)>>>>' }], {}],
    [
      'that asks for an address after another action',
      [{}],
      { catalog: '/OpenAction<</S/Named/N/FirstPage/Next[<</S/URI/URI(https://a.example)>>]>>' },
    ],
    ['as an XFA form', [{}], { catalog: '/AcroForm<</Fields[]/XFA(a)>>' }],
  ]
  test.each(WAYS)('with a script %s', async (_, pages, more) => {
    expect(await ruleOf(samplePdf(pages, more))).toBe('terms_without_scripts')
    expect(await ruleOf(packedPdf(pages, more))).toBe('terms_without_scripts')
  })

  const LOCAL: [string, readonly SamplePage[], SampleExtras][] = [
    ['a file', [linkTo('(file:///etc/passwd)')], {}],
    ['a drive', [linkTo('(C:/a.exe)')], {}],
    ['a share', [linkTo('(\\\\\\\\server\\\\share)')], {}],
    ['a share by its scheme', [linkTo('(smb://server/share)')], {}],
    ['a program by its scheme', [linkTo('(ms-msdt:/id)')], {}],
    ['another PDF', [actionOf('/S/GoToR/F(b.pdf)/D[0/Fit]')], {}],
    ['a PDF in another file', [actionOf('/S/GoToE/F(b.pdf)/D[0/Fit]')], {}],
    ['a thread of another file', [actionOf('/S/Thread/F(b.pdf)/D 0')], {}],
    ['content that is elsewhere', [{}], { objects: ['<</F(b.bin)/Length 0>>stream\n\nendstream'] }],
  ]
  test.each(LOCAL)('with a link to %s', async (_, pages, more) => {
    expect(await ruleOf(samplePdf(pages, more))).toBe('terms_without_foreign_links')
  })

  const HARMLESS: [string, readonly SamplePage[], SampleExtras][] = [
    [
      'links of the web',
      ['https://a.example', 'http://a.example', 'mailto:a@a.example', 'tel:+1', 'www.a.example:8443/b'].map((each) =>
        linkTo(`(${each})`),
      ),
      {},
    ],
    ['links within it', [linkTo('(annex/b.html)'), linkTo('(#part)'), actionOf('/S/GoTo/D[0/Fit]')], {}],
    ['a place where it opens', [{}], { catalog: '/OpenAction[12 0 R/Fit]' }],
    ['fonts with the names of other things', [{ fonts: '/EF 3 0 R/Collection 3 0 R' }], {}],
    ['an empty list of files', [{}], NAMES('/EmbeddedFiles<<>>')],
  ]
  it.each(HARMLESS)('unless it only has %s', async (_, pages, more) => {
    const call = { params, query: { file_name: 'Terms.pdf' } }
    for (const pdf of [samplePdf(pages, more), packedPdf(pages, more)])
      expect(await world.alice.statusOf(terms.setDraftPdf, call, new Uint8Array(pdf))).toBe(200)
  })

  it('that others may read otherwise, because it has to be repaired', async () => {
    const broken = TWO_PAGES.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7')
    expect(await ruleOf(Buffer.from(broken, 'latin1'))).toBe('terms_readable')
  })

  it('with other files in it', async () => {
    const at = firstObject(1)
    const objects = [`<</Type/Filespec/F(a.exe)/EF<</F ${at + 1} 0 R>>>>`, '<</Length 2>>stream\nMZ\nendstream']
    expect(await ruleOf(samplePdf([{}], { ...NAMES(`/EmbeddedFiles<</Names[(a) ${at} 0 R]>>`), objects }))).toBe(
      'terms_without_files',
    )
  })

  it.each(['secret', ''] as const)('with a password, also with an empty one: "%s"', async (password) => {
    expect(await ruleOf(await encryptedPdf(password))).toBe('terms_unlocked')
  })

  it('by its content, whatever its name is', async () => {
    const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1'), Buffer.alloc(2000)])
    expect(await ruleOf(program)).toBe('terms_format')
    expect(await ruleOf(Buffer.from('<html>Terms</html>'))).toBe('terms_format')
    expect(await ruleOf(Buffer.alloc(0))).toBe('terms_format')
    expect(await ruleOf(Buffer.from('%PDF-1.7\nNothing that anybody can read'))).toBe('terms_readable')
    expect(await ruleOf(samplePdf([]))).toBe('terms_readable')
  })

  it('with more pages, text or bytes than the limits', async () => {
    const many = Array.from({ length: TERMS_PDF.pages + 1 }, () => ({}))
    expect(await ruleOf(samplePdf(many))).toBe('terms_pages')
    const wordy = `BT /F 1 Tf 1 800 Td ${`(${'word '.repeat(1800)}) Tj 0 -1 Td `.repeat(20)} ET`
    expect(await ruleOf(samplePdf(Array.from({ length: 6 }, () => ({ content: wordy }))))).toBe('terms_characters')
    const large = Buffer.concat([TWO_PAGES, Buffer.alloc(TERMS_PDF.bytes)])
    expect(await refuse(large)).toMatchObject({ code: 413, reason: 'file_above_limit' })
  })

  /** Half a gigabyte in some kilobytes. */
  const bomb = () => {
    const [inner, filters] = [deflateSync(Buffer.alloc(512 * 1024 ** 2, ' ')), '/Filter[/FlateDecode/FlateDecode]']
    const packed = deflateSync(inner).toString('latin1')
    return { packed, entries: `${filters}/Length ${packed.length}` }
  }

  it('as a bomb, which ends its own process and nothing else', { timeout: 120_000 }, async () => {
    const { packed, entries } = bomb()
    const at = firstObject(1)
    const inContent = samplePdf([{ contents: `${at} 0 R` }], {
      objects: [`<<${entries}>>stream\n${packed}\nendstream`],
    })
    const inObjects = samplePdf([{}], {
      objects: [`<</Type/ObjStm/N 1/First 10${entries}>>stream\n${packed}\nendstream`],
    })
    for (const pdf of [inContent, inObjects]) {
      const call = { params, query: { file_name: 'a.pdf' } }
      expect(pdf.length).toBeLessThan(100_000)
      expect([200, 422]).toContain(await world.alice.statusOf(terms.setDraftPdf, call, new Uint8Array(pdf)))
      expect(await ruleOf(Buffer.from('MZ'))).toBe('terms_format')
      expect(await world.alice.statusOf(terms.setDraftPdf, call, new Uint8Array(TWO_PAGES))).toBe(200)
    }
  })

  it('which keeps neither draft nor bytes nor title', async () => {
    const stored = async () => {
      const ids: string[] = []
      for await (const id of service.services.blobs.listOlderThan(new Date(Date.now() + 60_000))) ids.push(id)
      return ids.length
    }
    const before = await stored()
    expect(await ruleOf(samplePdf([{}], { catalog: `/OpenAction${script}` }))).toBe('terms_without_scripts')
    expect([await stored(), await pdfsKept()]).toEqual([before, []])
    expect((await world.alice.call(terms.getDraft, { params })).draft).toBeNull()
  })

  it('of anybody but admins before a byte of it is read', async () => {
    const call = { params, query: { file_name: 'Terms.pdf' } }
    expect(await world.bob.statusOf(terms.setDraftPdf, call, 'no PDF')).toBe(403)
    expect(await world.mallory.statusOf(terms.setDraftPdf, call, 'no PDF')).toBe(404)
    const groups = await world.alice.call(api.groups.list, { query: { workspace_id: params.id } })
    const built = groups.find(({ kind }) => kind === 'all_members')?.id
    const ofBuiltIn = { params, query: { file_name: 'Terms.pdf', group_id: built } }
    expect(await world.alice.statusOf(terms.setDraftPdf, ofBuiltIn, 'no PDF')).toBe(422)
  })
})

describe('the content of terms', () => {
  const inAMinute = () => new Date(Date.now() + 60_000)

  it('is known to sweeps, backups, moves of the storage and doctor', async () => {
    const { db, blobs } = service.services
    await issue()
    await draftPdf(world.alice, params.id, samplePdf([{}]))
    const kept = await pdfsKept()
    await sweepBlobs(db, blobs, inAMinute())
    expect(await Promise.all(kept.map(({ blob_id }) => blobs.sizeOf(blob_id)))).not.toContain(undefined)
    const ids = kept.map(({ blob_id }) => blob_id)
    expect(await listUnreferencedBefore(ids)).toEqual([])
    expect(await listUploadedHashes(db, ids)).toHaveLength(2)
    const expected = await listExpectedAfter(db, '', 10_000)
    expect(expected.map(({ blob_id }) => blob_id)).toEqual(expect.arrayContaining(ids))
    expect(expected.map(({ blob_id }) => blob_id)).toEqual(expected.map(({ blob_id }) => blob_id).toSorted())

    await world.alice.call(terms.removeDraft, { params })
    await sweepBlobs(db, blobs, inAMinute())
    const sizes = await Promise.all(kept.map(({ blob_id }) => blobs.sizeOf(blob_id)))
    expect(sizes.filter((size) => size === undefined)).toHaveLength(1)
    expect(await pdfsKept()).toHaveLength(1)
    await sweepStampedFiles(db, new Date('2100-01-01'))
    expect(await listUnreferencedBefore(ids)).toHaveLength(1)
  })

  /** As the previous release does, which does not know the PDFs. */
  async function listUnreferencedBefore(blobIds: readonly string[]): Promise<unknown[]> {
    const { rows } = await sql`
      select b.blob_id from unnest(${blobIds}::text[]) b (blob_id)
      where not exists (select from file_versions v where v.blob_id = b.blob_id)
        and not exists (select from download_members m where m.blob_id = b.blob_id)
        and not exists (select from stamped_files s where s.blob_id = b.blob_id)
        and not exists (select from uploads u where u.part_id = b.blob_id and u.file_id is null)
        and not exists (select from documents d join file_versions v on v.blob_id = d.blob_id
          where d.converted_blob_id = b.blob_id)`.execute(service.services.db)
    return rows
  }

  it('is compared with its hash, and not served once it is damaged', async () => {
    const { db, blobs } = service.services
    const id = await issue()
    const { expiring_url } = await pagesFor(world.bob, id)
    const [pdf] = await pdfsKept()
    await blobs.remove(pdf?.blob_id ?? '')
    await blobs.put(pdf?.blob_id ?? '', copied(Buffer.from(TWO_PAGES).fill(0, 100, 110)))
    const options = { before: inAMinute(), bytesPerSecond: Infinity, url: 'http://dashboard.test' }
    await sql`update terms_pdfs set checked_at = '2020-01-01' where workspace_id = ${params.id}`.execute(db)
    await scrub(db, blobs, options)
    expect(await statusOf(expiring_url)).toBe(422)
    const accepting = { params: { ...params, terms_id: id }, body: { has_read: true, may_accept: true } }
    expect(await world.bob.refused(terms.accept, accepting)).toMatchObject({ reason: 'content_damaged' })
    const [mail, ...others] = await mailsOf('%Terms.pdf, version 1 of "Terms"%')
    expect([mail?.to, others]).toEqual([world.alice.email, []])
    expect(mail?.text).toContain('issue new versions')
    expect(mail?.text).not.toContain('Upload it again')
    await blobs.remove(pdf?.blob_id ?? '')
    await blobs.put(pdf?.blob_id ?? '', copied(TWO_PAGES))
    await sql`update terms_pdfs set checked_at = '2020-01-01' where workspace_id = ${params.id}`.execute(db)
    await scrub(db, blobs, options)
    expect(await statusOf(expiring_url)).toBe(200)
    expect(await world.bob.statusOf(terms.accept, accepting)).toBe(201)
  })

  it('is told of in one mail, when more of it is damaged', async () => {
    const { db } = service.services
    await issue(TWO_PAGES, { file_name: 'One.pdf' })
    await issue(samplePdf([{}]), { file_name: 'Two.pdf' })
    await draftPdf(world.alice, params.id, samplePdf([{}]), { file_name: 'Three.pdf' })
    for (const { blob_id } of await pdfsKept()) await recordDamage(db, blob_id, 'bytes', 'http://dashboard.test')
    await tellOfDamage(db, 'http://dashboard.test')
    expect([await mailsOf('%One.pdf, version%'), await mailsOf('%Two.pdf%')]).toMatchObject([[{}], []])
    await sql`update terms_pdfs set damage_told_at = damage_told_at - interval '11 minutes'
      where workspace_id = ${params.id}`.execute(db)
    await tellOfDamage(db, 'http://dashboard.test')
    expect(await mailsOf('%Two.pdf, version 2%Three.pdf, a draft%')).toHaveLength(1)
  })

  async function mailsOf(text: string): Promise<{ to: string; text: string }[]> {
    const { rows } = await sql<{ to: string; text: string }>`
      select payload->>'to' as to, payload->>'text' as text from jobs where kind = 'mail'
        and payload->>'text' like ${text}`.execute(service.services.db)
    return rows
  }

  async function* copied(bytes: Buffer): AsyncGenerator<Buffer> {
    yield bytes
  }
})
