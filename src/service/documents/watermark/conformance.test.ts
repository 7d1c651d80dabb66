import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import type { PdfDelivery } from '../../../contract/endpoints/watermarks.ts'
import { type Envelope, openFile } from '../../../reader/sealed-file.ts'
import type { ContentClaim } from '../../content/content-url.ts'
import { loadPdfium, openPdf } from '../render/pdfium.ts'
import { readText } from '../render/read-pdf.ts'
import { readDocuments, runJobs } from '../../testing/jobs.ts'
import { leastChanged, type Pixels, seenPages } from '../../testing/documents/pixels.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { samplePdf } from '../../testing/documents/sample-pdf.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { damagedPdf, encryptedPdf, oddPdf, samplePictures } from '../../testing/documents/watermark-samples.ts'
import { createWorld, type Person, type World } from '../../testing/world.ts'

// Every way to the bytes of a watermarked group, with samples that made marks vanish: no part may be unmarked.

/** Each cell of a grid must have a mark; the grid is four by four if the picture is large enough for letters. */
const cellsOf = ({ width, height }: Pixels): number =>
  Math.min(4, Math.max(2, Math.floor(Math.sqrt(width * height) / 110)))
/** The smallest fraction of a cell that must differ. */
const SEEN = 0.004

let service: TestService
let world: World
let room: Room
let folder: number
let work: string
const files = new Map<string, number>()
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'strongroom-conformance-'))
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  folder = await room.folder('Marked')
  await room.grant(folder, 'download')
  const body = { workspace_id: room.workspace_id, group: { watermarking: true } }
  await world.alice.call(api.groups.setWatermarking, { params: { id: room.group_id }, body })
  for (const [name, content] of Object.entries(await samples())) {
    files.set(name, (await room.upload(world.alice, folder, name, new Uint8Array(content))).id)
  }
  await readDocuments(service)
})
afterAll(async () => {
  await service.close()
  await rm(work, { recursive: true, force: true })
})

async function samples(): Promise<Record<string, Buffer>> {
  const pictures = Object.entries(samplePictures).map(async ([name, make]) => [name, await make()] as const)
  return {
    'odd.pdf': oddPdf(),
    'damaged.pdf': damagedPdf(),
    'owner.pdf': await encryptedPdf(''),
    ...Object.fromEntries(await Promise.all(pictures)),
  }
}

const NAMES = ['odd.pdf', 'damaged.pdf', 'owner.pdf', ...Object.keys(samplePictures)]

type Action = ContentClaim['action']
type Way = (person: Person, name: string) => Promise<Buffer[]>

/**
 * Fetches a file in every way that a user can; a new way does not compile until it is added here. Alice gets no marks.
 * Sealed files, which exist under DRM only, are opened further below. Terms are no files and bear no mark.
 */
const ways: Record<Exclude<Action, 'download' | 'sealed' | 'terms_page' | 'terms_pdf'> | 'thumbnail', Way> = {
  page: (person, name) => pagesOf(person, name, 'expiring_url'),
  thumbnail: (person, name) => pagesOf(person, name, 'expiring_thumbnail_url'),
  stamped: single,
  zip: async (person, name) => [await zipped(person, name)],
}

const fileId = (name: string): number => files.get(name) ?? 0
const query = () => ({ workspace_id: room.workspace_id })

async function bytesAt(url: string, init?: RequestInit): Promise<Buffer> {
  const response = await fetch(service.url + new URL(url).pathname, init)
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

async function pagesOf(
  person: Person,
  name: string,
  key: 'expiring_url' | 'expiring_thumbnail_url',
): Promise<Buffer[]> {
  const call = { params: { id: fileId(name) }, query: { ...query(), from: 1, count: 50 } }
  const { pages } = await person.call(api.files.pages, call)
  const found: Buffer[] = []
  for (const page of pages) found.push(await bytesAt(page[key]))
  return found
}

async function urlOf(person: Person, name: string): Promise<string> {
  const call = { params: { file_id: fileId(name) }, query: query() }
  return (await person.call(api.downloads.getFile, call)).expiring_url
}

async function single(person: Person, name: string): Promise<Buffer[]> {
  return [await bytesAt(await urlOf(person, name))]
}

async function zipUrl(person: Person, names: readonly string[]): Promise<string> {
  const download = { folder_ids: [], file_ids: names.map(fileId) }
  const { id } = await person.call(api.downloads.create, { body: { ...query(), download } })
  await runJobs(service)
  return (await person.call(api.downloads.get, { params: { id }, query: query() })).expiring_url
}

async function zipped(person: Person, name: string): Promise<Buffer> {
  return Buffer.from(unzipSync(await bytesAt(await zipUrl(person, [name])))[name] ?? [])
}

/** Returns the fraction by which the least marked part of all pages differs from the unmarked page. */
async function leastMarked(marked: readonly Buffer[], plain: readonly Buffer[]): Promise<number> {
  expect(marked.length).toBe(plain.length)
  expect(plain.length).toBeGreaterThan(0)
  const least: number[] = []
  for (const [index, piece] of marked.entries()) {
    const [seen, unmarked] = [await seenPages(piece), await seenPages(plain[index] ?? Buffer.alloc(0))]
    expect(seen.length).toBe(unmarked.length)
    for (const [page, pixels] of seen.entries()) {
      const original = unmarked[page]
      if (!original) throw new Error('a page is missing')
      least.push(leastChanged(pixels, original, cellsOf(pixels)))
    }
  }
  return Math.min(...least)
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each(NAMES)('D3: marks every part of %s', async (name) => {
    expect(await leastMarked(await way(world.bob, name), await way(world.alice, name))).toBeGreaterThan(SEEN)
  })
})

describe('a delivered file', () => {
  it('is unchanged for an exempt user', async () => {
    expect((await single(world.alice, 'odd.pdf'))[0]?.equals(oddPdf())).toBe(true)
  })

  it('D12: is never the original file, even with a URL for it', async () => {
    const { contentUrls } = service.services
    const who = { organization_id: 1, workspace_id: room.workspace_id, user_id: world.bob.id, personal_key_id: null }
    const claim = { ...who, expires: Date.now(), action: 'download', file_id: fileId('odd.pdf'), version: 1 } as const
    await expect(bytesAt(contentUrls.make(claim))).rejects.toThrow('404')
    const exempt = contentUrls.make({ ...claim, user_id: world.alice.id })
    expect((await bytesAt(exempt)).equals(oddPdf())).toBe(true)
  })

  it('D4: states its length, can be resumed and is not cached', async () => {
    for (const url of [await urlOf(world.bob, 'odd.pdf'), await zipUrl(world.bob, ['odd.pdf', 'white.png'])]) {
      const whole = await bytesAt(url)
      const head = await fetch(service.url + new URL(url).pathname, { method: 'HEAD' })
      expect(head.headers.get('content-length')).toBe(String(whole.length))
      expect(head.headers.get('cache-control')).toBe('private, no-store')
      const rest = await bytesAt(url, { headers: { range: 'bytes=1000-' } })
      expect(rest.equals(whole.subarray(1000))).toBe(true)
    }
  })

  it('D9: is marked if it is a copy in another folder', async () => {
    const elsewhere = await room.folder('Elsewhere')
    await room.grant(elsewhere, 'download')
    const body = { ...query(), destination_folder_id: elsewhere }
    const copy = await world.alice.call(api.files.copy, { params: { id: fileId('odd.pdf') }, body })
    files.set('copy.pdf', copy.id)
    expect(
      await leastMarked(await single(world.bob, 'copy.pdf'), await single(world.alice, 'copy.pdf')),
    ).toBeGreaterThan(SEEN)
    expect(
      await leastMarked(
        await pagesOf(world.bob, 'copy.pdf', 'expiring_url'),
        await pagesOf(world.alice, 'copy.pdf', 'expiring_url'),
      ),
    ).toBeGreaterThan(SEEN)
  })

  it('D8: is never unmarked, even by a URL from before the group had a watermark', async () => {
    await room
      .upload(world.alice, folder, 'later.pdf', new Uint8Array(samplePdf([{}])))
      .then(({ id }) => files.set('later.pdf', id))
    const switchTo = (watermarking: boolean) =>
      world.alice.call(api.groups.setWatermarking, {
        params: { id: room.group_id },
        body: { ...query(), group: { watermarking } },
      })
    await switchTo(false)
    const urls = [await urlOf(world.bob, 'later.pdf'), await zipUrl(world.bob, ['later.pdf'])]
    for (const url of urls) await bytesAt(url)
    await switchTo(true)
    for (const url of urls) await expect(bytesAt(url)).rejects.toThrow('404')
  })

  it('D2: shows an earlier version only to a user who manages the files', async () => {
    await room.upload(world.alice, folder, 'odd.pdf', new Uint8Array(samplePdf([{}])))
    await readDocuments(service)
    const call = { params: { id: fileId('odd.pdf') }, query: { ...query(), version: 1 } }
    expect(await world.bob.statusOf(api.files.pages, call)).toBe(404)
    expect(await leastMarked(await single(world.bob, 'odd.pdf'), await single(world.alice, 'odd.pdf'))).toBeGreaterThan(
      SEEN,
    )
  })
})

const setWatermarking = (id: number, group: { watermarking: boolean; pdf_delivery?: PdfDelivery }) =>
  world.alice.call(api.groups.setWatermarking, { params: { id }, body: { ...query(), group } })

describe('under DRM without a watermark', () => {
  const drm = (drm_enabled: boolean) =>
    world.alice.call(api.groups.setDrm, { params: { id: room.group_id }, body: { ...query(), group: { drm_enabled } } })
  beforeAll(async () => {
    await drm(true)
    await setWatermarking(room.group_id, { watermarking: false })
  })
  afterAll(async () => {
    await setWatermarking(room.group_id, { watermarking: true })
    await drm(false)
  })

  it.each(['page', 'thumbnail'] as const)('D3: marks every part of a %s', async (way) => {
    const [marked, plain] = [await ways[way](world.bob, 'white.png'), await ways[way](world.alice, 'white.png')]
    expect(await leastMarked(marked, plain)).toBeGreaterThan(SEEN)
  })
})

describe('PDFs as pictures of their pages', () => {
  const LINE = 'The quick brown fox jumps over the lazy dog'
  beforeAll(async () => {
    const content = new Uint8Array(samplePdf([{}, { entries: '/Rotate 90' }]))
    files.set('plain.pdf', (await room.upload(world.alice, folder, 'plain.pdf', content)).id)
    await readDocuments(service)
  })
  afterAll(() => setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'woven' }))

  /** Returns the text that can be copied from a PDF, and its number of images. */
  async function contentOf(pdf: Buffer): Promise<{ text: string; xobjects: number }> {
    const path = join(work, 'delivered.pdf')
    await writeFile(path, pdf)
    const pdfium = await loadPdfium()
    const open = openPdf(pdfium, path)
    const text = [1, 2].map((page) => readText(pdfium, open, page)).join(' ')
    open.close()
    return { text, xobjects: pdf.toString('latin1').split('/Subtype/Image').length - 1 }
  }

  it.each(['stamped', 'zip'] as const)('K5: contain nothing but pictures, delivered by %s', async (way) => {
    await setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'pictures' })
    const [pdf] = await ways[way](world.bob, 'plain.pdf')
    expect(await contentOf(pdf ?? Buffer.alloc(0))).toEqual({ text: ' ', xobjects: 2 })
    expect(await leastMarked([pdf ?? Buffer.alloc(0)], await single(world.alice, 'plain.pdf'))).toBeGreaterThan(SEEN)
  })

  it('K5: have searchable text if the group wants it', async () => {
    await setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'pictures_with_text' })
    const { text, xobjects } = await contentOf((await single(world.bob, 'plain.pdf'))[0] ?? Buffer.alloc(0))
    expect(text.split(LINE)).toHaveLength(3)
    expect(xobjects).toBe(2)
  })

  it('D8: invalidate the URLs of earlier, weaker copies', async () => {
    await setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'woven' })
    const urls = [await urlOf(world.bob, 'plain.pdf'), await zipUrl(world.bob, ['plain.pdf'])]
    for (const url of urls) await bytesAt(url)
    await setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'pictures' })
    for (const url of urls) await expect(bytesAt(url)).rejects.toThrow('404')
    await setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'woven' })
    for (const url of urls) await bytesAt(url)
  })

  it('K5: are delivered if any group asks for them, whatever the others have set', async () => {
    await setWatermarking(room.group_id, { watermarking: true, pdf_delivery: 'woven' })
    const other = await room.group('Stricter')
    await room.grant(folder, 'download', other)
    await setWatermarking(other, { watermarking: true, pdf_delivery: 'pictures' })
    const strict = await contentOf((await single(world.bob, 'plain.pdf'))[0] ?? Buffer.alloc(0))
    await setWatermarking(other, { watermarking: false })
    const without = await contentOf((await single(world.bob, 'plain.pdf'))[0] ?? Buffer.alloc(0))
    expect([strict.xobjects, without.xobjects]).toEqual([2, 0])
  })

  it('must be allowed by the team', async () => {
    const set = (page_pictures: boolean) =>
      world.alice.call(api.teams.update, { params: { id: world.team_id }, body: { team: { page_pictures } } })
    await set(false)
    const body = { ...query(), group: { watermarking: true, pdf_delivery: 'pictures' as const } }
    const failure = await world.alice.refused(api.groups.setWatermarking, { params: { id: room.group_id }, body })
    await set(true)
    expect(failure).toMatchObject({ code: 422 })
  })

  it('are the default of new groups if the team says so', async () => {
    const set = (pdf_delivery: PdfDelivery) =>
      world.alice.call(api.teams.update, { params: { id: world.team_id }, body: { team: { pdf_delivery } } })
    await set('pictures')
    const body = { group: { name: 'Late', workspace_id: room.workspace_id } }
    const { pdf_delivery } = await world.alice.call(api.groups.create, { body })
    await set('woven')
    expect(pdf_delivery).toBe('pictures')
  })
})

describe('a preview of the mark', () => {
  it.each([
    ['a member of the group', () => world.bob],
    ['somebody from outside', () => world.mallory],
  ])('B14: is refused to %s', async (_, person) => {
    const call = { params: { id: room.group_id }, query: { ...query(), user_id: world.bob.id } }
    expect([403, 404]).toContain(await person().statusOf(api.watermarks.previewForMember, call))
  })

  it('B14: cannot show a user who is not in the group', async () => {
    const call = { params: { id: room.group_id }, query: { ...query(), user_id: world.mallory.id } }
    expect(await world.alice.statusOf(api.watermarks.previewForMember, call)).toBe(404)
  })
})

describe('the image of a page', () => {
  it('G8: has the mark in its pixels, not in a layer that could be removed', async () => {
    const call = { params: { id: fileId('white.png') }, query: query() }
    const { viewer_image } = await world.bob.call(api.files.get, call)
    const response = await fetch(service.url + new URL(viewer_image.expiring_url).pathname)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    const [image] = await seenPages(Buffer.from(await response.arrayBuffer()))
    expect(new Set(image?.data).size).toBeGreaterThan(20)
  })

  it('D4: differs between readers, with another tag, and is not answered with 304', async () => {
    const urlFor = async (person: Person) =>
      (await person.call(api.files.get, { params: { id: fileId('white.png') }, query: query() })).viewer_image
        .expiring_url
    const get = async (person: Person, tag = '') =>
      fetch(service.url + new URL(await urlFor(person)).pathname, { headers: { 'if-none-match': tag } })
    const exempt = await get(world.alice)
    const again = await get(world.bob, exempt.headers.get('etag') ?? '')
    expect(again.status).toBe(200)
    expect(again.headers.get('etag')).not.toBe(exempt.headers.get('etag'))
    expect(Buffer.from(await again.arrayBuffer()).equals(Buffer.from(await exempt.arrayBuffer()))).toBe(false)
  })
})

describe('the text of a mark', () => {
  const at = new Date()
  beforeAll(() => service.setClock(at))
  afterAll(() => service.setClock(undefined))

  async function page(forwarded?: string): Promise<Buffer> {
    const { viewer_image } = await world.bob.call(api.files.get, {
      params: { id: fileId('white.png') },
      query: query(),
    })
    return bytesAt(viewer_image.expiring_url, forwarded ? { headers: { 'x-forwarded-for': forwarded } } : {})
  }

  it('D7: has the client address from the proxy, and nothing that is not an address', async () => {
    const [own, other, listed, forged] = [
      await page(),
      await page('198.51.100.7'),
      await page('6.6.6.6, 198.51.100.7'),
      await page('127.0.0.2 <b>somebody</b>'),
    ]
    expect(other.equals(own)).toBe(false)
    expect(listed.equals(other)).toBe(true)
    expect(forged.equals(own)).toBe(true)
  })

  it('is the same for a minute, and then changes', async () => {
    const before = await page()
    expect((await page()).equals(before)).toBe(true)
    service.setClock(new Date(at.getTime() + 60_000))
    expect((await page()).equals(before)).toBe(false)
    service.setClock(at)
  })

  it.each(['山﨑太郎', 'محمد علي', 'דוד', '김철수', '😀🎉', 'x'.repeat(200), '\u0644\u0627 ~ ℵ', 'ᚠᚢᚦ'])(
    'D3: is drawn for the name %s',
    async (name) => {
      // A name that a user changes appears in the mark only once an admin has seen it.
      const rename = (first_name: string) =>
        service.services.db
          .updateTable('users')
          .set({ first_name, last_name: '' })
          .where('id', '=', world.bob.id)
          .execute()
      await rename('')
      const nameless = await seenPages(await page())
      await rename(name)
      const named = await seenPages(await page())
      await rename('Bob')
      const [a, b] = [nameless[0], named[0]]
      if (!a || !b) throw new Error('there is no page')
      expect(leastChanged(a, b, 1)).toBeGreaterThan(SEEN / 8)
    },
  )
})

describe('a sealed copy', () => {
  const setDrm = (drm_enabled: boolean) =>
    world.alice.call(api.groups.setDrm, { params: { id: room.group_id }, body: { ...query(), group: { drm_enabled } } })
  beforeAll(() => setDrm(true))
  afterAll(() => setDrm(false))

  it.each(['dark.jpg', 'owner.pdf'])('D3: has marks on every page of %s', async (name) => {
    const zip = unzipSync(await bytesAt(await zipUrl(world.bob, [name])))
    const html = new TextDecoder().decode(zip[`${name}.sealed.html`])
    const pages = await unsealed(html)
    expect(await leastMarked(pages, await pagesOf(world.alice, name, 'expiring_url'))).toBeGreaterThan(SEEN)
  })

  /** Returns the pages, opened with the key that the service keeps. */
  async function unsealed(html: string): Promise<Buffer[]> {
    const envelope = JSON.parse(/id="envelope">([^<]*)</.exec(html)?.[1] ?? '') as Envelope
    const { db, vault } = service.services
    const rows = await db.selectFrom('sealed_copies').select(['copy_id', 'key_sealed', 'pages']).execute()
    const copy = rows.find(({ copy_id }) => html.includes(copy_id))
    if (!copy) throw new Error('there is no such copy')
    const key = Buffer.from(vault.sealerFor('sealed copies').open(copy.key_sealed), 'base64')
    const usable = await crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['decrypt'])
    const part = (number: number) => new RegExp(`data-part="${number}">([^<]*)<`).exec(html)?.[1]
    const file = await openFile(envelope, part, usable)
    const blobs = await Promise.all(Array.from({ length: copy.pages }, (_, index) => file.page(index + 1)))
    return Promise.all(blobs.map(async (blob) => Buffer.from(await blob.arrayBuffer())))
  }
})

describe('a file that cannot carry a mark', () => {
  beforeAll(async () => {
    const contents = {
      'locked.pdf': await encryptedPdf('secret'),
      'tool.bin': Buffer.from([0, 1, 2, 3]),
      'broken.pdf': Buffer.from('%PDF-1.7\nnothing'),
    }
    for (const [name, content] of Object.entries(contents)) {
      files.set(name, (await room.upload(world.alice, folder, name, new Uint8Array(content))).id)
    }
    await readDocuments(service)
  })

  it.each([
    ['locked.pdf', 'protected by a password'],
    ['broken.pdf', 'damaged'],
    ['tool.bin', 'cannot carry a watermark'],
  ])('is not delivered: %s', async (name, reason) => {
    const failure = await world.bob.refused(api.downloads.getFile, {
      params: { file_id: fileId(name) },
      query: query(),
    })
    expect(failure).toMatchObject({ code: 422, message: expect.stringContaining(reason) })

    const zip = unzipSync(await bytesAt(await zipUrl(world.bob, [name, 'white.png'])))
    expect(Object.keys(zip).toSorted()).toEqual(['MANIFEST.csv', 'white.png'])
    expect(new TextDecoder().decode(zip['MANIFEST.csv'])).toMatch(new RegExp(`"${name}".*"no".*${reason}`))
  })
})
