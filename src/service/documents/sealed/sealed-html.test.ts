import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fromBase64 } from '../../../reader/codec.ts'
import { createKeyRequest, openPart } from '../../../reader/crypto.ts'
import { type Envelope, openFile } from '../../../reader/sealed-file.ts'
import { sealPart } from './part.ts'
import { sealedHtml } from './sealed-html.ts'
import { challengeOf, wrapKey } from './wrap-key.ts'

const facts = {
  title: 'Merger plan <secret>.pdf',
  reader: 'Bob Tester',
  workspace: 'Harbour',
  created_at: '2026-03-03T10:00:00.000Z',
  pages: [
    { width: 1200, height: 1600 },
    { width: 1600, height: 1200 },
  ],
}
const images = [Buffer.from('the first page'), Buffer.from('the second page')]

async function seal() {
  const key = randomBytes(32)
  const copyId = randomUUID()
  const page = async (number: number) => images[number - 1] ?? Buffer.alloc(0)
  const chunks: Buffer[] = []
  for await (const chunk of sealedHtml({
    key,
    copyId,
    workspaceId: 3,
    service: 'https://rooms.example.com',
    facts,
    page,
  }))
    chunks.push(chunk)
  return { key, copyId, html: Buffer.concat(chunks).toString() }
}

const partOf = (html: string, part: number) => new RegExp(`data-part="${part}">([^<]*)<`).exec(html)?.[1]
const envelopeOf = (html: string) => JSON.parse(/id="envelope">([^<]*)</.exec(html)?.[1] ?? '') as Envelope
const imported = (key: Buffer) => crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['decrypt'])

async function open(html: string, key: Buffer) {
  return openFile(envelopeOf(html), (part) => partOf(html, part), await imported(key))
}

const textOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer()).toString()

describe('a sealed file', () => {
  it('gives its facts and pages to a holder of the key', async () => {
    const { key, html } = await seal()
    const file = await open(html, key)
    expect(file.facts).toEqual(facts)
    expect([await textOf(await file.page(1)), await textOf(await file.page(2))]).toEqual(images.map(String))
  })

  it('reveals nothing of the document without the key', async () => {
    const { html, key } = await seal()
    for (const secret of [
      'Merger',
      '<secret>',
      'Bob',
      'Harbour',
      'first page',
      key.toString('base64'),
      key.toString('hex'),
    ]) {
      expect(html).not.toContain(secret)
    }
    const inParts = [0, 1, 2].map((part) => Buffer.from(partOf(html, part) ?? '', 'base64').toString('latin1')).join('')
    expect(inParts).not.toMatch(/Merger|first page/)
    await expect(open(html, randomBytes(32))).rejects.toThrow(/./)
  })

  it('is different every time', async () => {
    const [one, two] = [await seal(), await seal()]
    expect(partOf(one.html, 1)).not.toBe(partOf(two.html, 1))
    expect(one.copyId).not.toBe(two.copyId)
  })

  it('may only run its own script and send requests to one address', async () => {
    const { html } = await seal()
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.split('; ') ?? []
    const hashOf = (tag: string) => {
      const content = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
    }
    expect(policy.slice(0, 6)).toEqual([
      "default-src 'none'",
      `script-src ${hashOf('script')}`,
      `style-src ${hashOf('style')}`,
      'img-src blob:',
      'font-src data:',
      'connect-src https://rooms.example.com/sealed/key',
    ])
    expect(html).toMatch(/@media print\s*\{\s*html\s*\{\s*display: none/)
    expect(html.match(/<script>/g)).toHaveLength(1)
  })
})

describe('the page of a sealed file', () => {
  it('brings the font of the dashboard in less than 40,000 bytes', async () => {
    const { html } = await seal()
    const faces = [...html.matchAll(/@font-face\{[^}]*base64,([^)]*)\)[^}]*\}/g)]
    const fonts = faces.map(([, data = '']) => Buffer.from(data, 'base64'))
    expect(fonts.map((font) => font.toString('latin1', 0, 4))).toEqual(['wOF2', 'wOF2'])
    expect(faces.map(([face]) => face).join('').length).toBeLessThan(40_000)
    expect(html).toContain("'Inter Variable',")
  })
})

describe('changed content', () => {
  const flip = (sealed: string, at: number) => {
    const bytes = Buffer.from(sealed, 'base64')
    const index = at < 0 ? bytes.length + at : at
    bytes[index] = (bytes[index] ?? 0) ^ 1
    return bytes.toString('base64')
  }

  it.each([
    ['its nonce', 0],
    ['its content', 14],
    ['its tag', -1],
  ])('is not shown: a page with a change to %s', async (_, at) => {
    const { key, html } = await seal()
    const sealed = partOf(html, 1) ?? ''
    const file = await open(html.replace(sealed, flip(sealed, at)), key)
    await expect(file.page(1)).rejects.toThrow(/./)
    expect(await textOf(await file.page(2))).toBe('the second page')
  })

  it('is not shown: the facts', async () => {
    const { key, html } = await seal()
    const sealed = partOf(html, 0) ?? ''
    await expect(open(html.replace(sealed, flip(sealed, 20)), key)).rejects.toThrow(/./)
  })

  it('is not shown: pages that are swapped, missing or cut off', async () => {
    const { key, html } = await seal()
    const [one, two] = [partOf(html, 1) ?? '', partOf(html, 2) ?? '']
    const swapped = html.replace(one, '#').replace(two, one).replace('#', two)
    await expect((await open(swapped, key)).page(1)).rejects.toThrow(/./)
    await expect((await open(html.replace(/<script[^>]*data-part="2"[\s\S]*/, ''), key)).page(2)).rejects.toThrow(
      'missing',
    )
    await expect((await open(html.replace(two, two.slice(0, 8)), key)).page(2)).rejects.toThrow(/./)
  })

  it('is not shown: a page of another copy, even under the same key', async () => {
    const { key, html, copyId } = await seal()
    const foreign = sealPart(key, randomUUID(), 1, Buffer.from('forged')).toString('base64')
    await expect((await open(html.replace(partOf(html, 1) ?? '', foreign), key)).page(1)).rejects.toThrow(/./)
    await expect(open(html.replace(copyId, randomUUID()), key)).rejects.toThrow(/./)
  })
})

describe('the key', () => {
  it('reaches only the page that requested it', async () => {
    const { key, html, copyId } = await seal()
    const [request, other] = [await createKeyRequest(copyId), await createKeyRequest(copyId)]
    const challenge = challengeOf(copyId, request.verifier, request.publicKey)
    expect(challenge.toString('base64url')).toBe(request.challenge)
    const released = wrapKey(key, copyId, request.publicKey, challenge)
    const file = await openFile(envelopeOf(html), (part) => partOf(html, part), await request.unwrap(released))
    expect(file.facts.title).toBe(facts.title)
    await expect(other.unwrap(released)).rejects.toThrow(/./)
  })

  it('is bound to the copy and to the request', async () => {
    const { key, copyId } = await seal()
    const request = await createKeyRequest(copyId)
    const challenge = challengeOf(copyId, request.verifier, request.publicKey)
    await expect(request.unwrap(wrapKey(key, randomUUID(), request.publicKey, challenge))).rejects.toThrow(/./)
    await expect(request.unwrap(wrapKey(key, copyId, request.publicKey, randomBytes(32)))).rejects.toThrow(/./)
    const released = wrapKey(key, copyId, request.publicKey, challenge)
    const changed = { ...released, wrapped_key: `${released.wrapped_key.slice(0, -6)}AAAAAA` }
    await expect(request.unwrap(changed)).rejects.toThrow(/./)
  })

  it('is not wrapped for a value that is not a point on the curve', async () => {
    const { key, copyId } = await seal()
    const off = Buffer.alloc(65, 7).toString('base64url')
    expect(() => wrapKey(key, copyId, off, randomBytes(32))).toThrow(/./)
  })

  it('does not open a part that was sealed as another one', async () => {
    const { key, copyId } = await seal()
    const sealed = fromBase64(sealPart(key, copyId, 'key', Buffer.from('x')).toString('base64'))
    await expect(openPart(await imported(key), copyId, 1, sealed)).rejects.toThrow(/./)
  })
})
