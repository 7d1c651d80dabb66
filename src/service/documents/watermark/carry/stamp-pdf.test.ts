import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { leastChanged, seenPages } from '../../../testing/documents/pixels.ts'
import { firstObject, packedPdf, samplePdf } from '../../../testing/documents/sample-pdf.ts'
import { SAMPLE_MARKING } from '../../../testing/documents/sample-reader.ts'
import type { Dump } from './pdf-values.ts'
import { type PageSize, planMark } from '../plan/placement.ts'
import { openQpdf } from './qpdf.ts'
import { stampAnyPdf } from './stamp-any-pdf.ts'
import { stampPdf } from './stamp-pdf.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'strongroom-stamp-test-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns what qpdf reads from the stamped file, and the page sizes for which marks were planned. */
async function stamped(pdf: Buffer): Promise<{ text: string; sizes: PageSize[] }> {
  const [source, target, dump] = ['source.pdf', 'target.pdf', 'dump.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(source, pdf)
  const sizes: PageSize[] = []
  await stampPdf(source, target, join(folder, 'work'), {
    markFor(page) {
      sizes.push({ width: page.width, height: page.height })
      return planMark(SAMPLE_MARKING.looks, SAMPLE_MARKING.reader, page)
    },
    openPictures: () => Promise.reject(new Error('every page can be woven')),
  })
  const qpdf = await openQpdf()
  qpdf.run([qpdf.mount(target), '--json-output', '--json-stream-data=none', qpdf.mount(dump)])
  const { qpdf: content } = JSON.parse(await readFile(dump, 'utf8')) as Dump
  return { text: JSON.stringify(content), sizes }
}

/** Ways in which a document has its objects. */
const WAYS = [
  ['as objects of their own', samplePdf],
  ['in object streams', packedPdf],
] as const

test.each(WAYS)('K48: pages %s get the mark', async (_, make) => {
  const pdf = await make([{}, {}, { entries: '/Rotate 90' }])
  await stamped(pdf)
  const [clean, marked] = [await seenPages(pdf), await seenPages(await readFile(join(folder, 'target.pdf')))]
  expect(marked.map((page, index) => leastChanged(page, clean[index] ?? page, 3))).toEqual(
    marked.map(() => expect.toSatisfy((changed: number) => changed > 0.0015)),
  )
})

test.each(WAYS)('K48: other renditions of the pages and embedded files %s are removed', async (_, make) => {
  const at = firstObject(1)
  const catalog = `/Names<</EmbeddedFiles<</Names[(secret) ${at} 0 R]>>/JavaScript 9999 0 R>>/Collection<</Type/Collection>>/AF[${at} 0 R]/AcroForm<</Fields[]/XFA ${at + 1} 0 R>>`
  const page = `/Thumb ${at + 1} 0 R/PieceInfo<</Illustrator<</Private ${at + 1} 0 R>>>>/Annots[${at + 2} 0 R]`
  const { text } = await stamped(
    await make([{ entries: page }], {
      catalog,
      objects: [
        `<</Type/Filespec/F(secret.txt)/EF<</F ${at + 1} 0 R>>>>`,
        '<</Length 6>>stream\nsecret\nendstream',
        `<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS ${at} 0 R>>`,
      ],
    }),
  )
  expect(text).not.toMatch(/EmbeddedFiles|Collection|XFA|NeedsRendering|Thumb|PieceInfo|Filespec|FileAttachment|"\/AF"/)
})

test('a page has nothing outside of its visible part', async () => {
  const { text, sizes } = await stamped(
    samplePdf([{ entries: '/CropBox[100 200 300 500]/TrimBox[0 0 9 9]/BleedBox[0 0 9 9]' }]),
  )
  expect(sizes).toEqual([{ width: 200, height: 300 }])
  expect(text).toContain('"/MediaBox":[100,200,300,500]')
  expect(text).not.toMatch(/TrimBox|BleedBox/)
})

test('pages of about the same size share a mark, rotated pages have their own', async () => {
  const { sizes } = await stamped(
    samplePdf([
      {},
      { box: [0, 0, 596, 841] },
      {},
      { entries: '/Rotate 90' },
      { box: [0, 0, 842, 595] },
      { box: [0, 0, 300, 300] },
    ]),
  )
  expect(sizes).toEqual([
    { width: 595, height: 842 },
    { width: 842, height: 595 },
    { width: 300, height: 300 },
  ])
})

test.each(WAYS)('links %s stay, a box that would cover the mark becomes part of the page', async (_, make) => {
  const at = firstObject(1)
  const { text } = await stamped(
    await make([{ entries: `/Annots[${at} 0 R ${at + 1} 0 R]` }], {
      objects: [
        '<</Type/Annot/Subtype/Link/Rect[0 0 90 90]/A<</S/URI/URI(https://example.com/)>>>>',
        `<</Type/Annot/Subtype/Square/Rect[0 0 500 500]/F 4/AP<</N ${at + 2} 0 R>>>>`,
        '<</Type/XObject/Subtype/Form/BBox[0 0 500 500]/Length 21>>stream\n1 g 0 0 500 500 re f\nendstream',
      ],
    }),
  )
  expect(text).toContain('https://example.com/')
  expect(text).not.toContain('/Square')
})

test('E5: links that run, open or send something are removed', async () => {
  const at = firstObject(1)
  const actions = [
    '<</S/JavaScript/JS(app.alert)>>',
    '<</S/URI/URI(javascript:alert)>>',
    '<</S/URI/URI(\x01 javascript:alert)>>',
    '<</S/URI/URI<FEFF006A006100760061007300630072006900700074003A>>>',
    '<</S/URI/URI(DATA:text/html,alert)>>',
    '<</S/URI/URI(file:///alert)>>',
    '<</S/Launch/F(alert.exe)>>',
    '<</S/SubmitForm/F(https://alert.example)>>',
    '<</S/GoToR/F(alert.pdf)>>',
    '<</S/URI/URI(https://example.com/1)/Next<</S/JavaScript/JS(alert)>>>>',
  ]
  const links = [...actions.map((action) => `/A${action}`), '/AA<</E<</S/JavaScript/JS(alert)>>>>']
  const kept = [
    '/A<</S/URI/URI(https://example.com/2)>>',
    '/A<</S/URI/URI(mailto:bob@example.com)>>',
    '/Dest[10 0 R/Fit]',
  ]
  const all = [...links, ...kept]
  const { text } = await stamped(
    samplePdf([{ entries: `/Annots[${all.map((_, index) => `${at + index} 0 R`).join(' ')}]` }], {
      objects: all.map((link) => `<</Type/Annot/Subtype/Link/Rect[0 0 90 90]${link}>>`),
    }),
  )
  expect(text).not.toMatch(/alert|javascript|Launch|SubmitForm|GoToR|"\/AA"|\/JavaScript|example\.com\/1/i)
  expect(text).toContain('https://example.com/2')
  expect(text).toContain('mailto:bob@example.com')
  expect(text).toContain('"/Dest":')
})

/** A form with a filled field, as XFA and, if it is static, as a page. `looks`: the entries that show the value. */
const xfaForm = (looks: string, catalog: string) => {
  const at = firstObject(1)
  const appearance = '/Tx BMC q BT /F 20 Tf 4 10 Td (Vermilion) Tj ET Q EMC'
  return samplePdf([{ content: 'BT ET', entries: `/Annots[${at} 0 R]` }], {
    catalog: `/AcroForm<</Fields[${at} 0 R]/DR<</Font<</F 3 0 R>>>>/XFA ${at + 1} 0 R${looks}>>${catalog}`,
    objects: [
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(Name)/V(Vermilion)/DA(/F 20 Tf 0 g)/Rect[60 600 300 640]/F 4/P 10 0 R${looks === '' ? `/AP<</N ${at + 2} 0 R>>` : ''}>>`,
      '<</Length 6>>stream\n<xdp/>\nendstream',
      `<</Type/XObject/Subtype/Form/BBox[0 0 240 40]/Resources<</Font<</F 3 0 R>>>>/Length ${appearance.length}>>stream\n${appearance}\nendstream`,
    ],
  })
}

/** The number of almost black pixels where the field of `xfaForm` is. */
async function inkOf(pdf: Buffer): Promise<number> {
  const [page] = await seenPages(pdf)
  if (!page) return 0
  const { data, width, height } = page
  const scale = width / 595
  let ink = 0
  for (let y = Math.round(height - 640 * scale); y < height - 600 * scale; y++)
    for (let x = Math.round(60 * scale); x < 300 * scale; x++)
      if ((data[(y * width + x) * (data.length / width / height)] ?? 255) < 40) ink++
  return ink
}

test.each([
  ['an appearance', ''],
  ['an appearance to be made by the reader', '/NeedAppearances true'],
])('a static XFA form keeps the values that were filled in, with %s', async (_, looks) => {
  const pdf = xfaForm(looks, '')
  const { text } = await stamped(pdf)
  expect(text).not.toContain('XFA')
  const [before, after] = [await inkOf(pdf), await inkOf(await readFile(join(folder, 'target.pdf')))]
  expect(after).toBeGreaterThan(before * 0.5)
  expect(after).toBeGreaterThan(50)
})

test('a dynamic XFA form, whose only page asks to wait, is refused with the reason', async () => {
  const sentence = 'The document is a dynamic XFA form, whose pages only programs such as Adobe Acrobat make.'
  const pdf = xfaForm('', '/NeedsRendering true')
  await expect(stamped(pdf)).rejects.toThrow(sentence)
  const [source, target] = [join(folder, 'form.pdf'), join(folder, 'form-target.pdf')]
  await writeFile(source, pdf)
  for (const delivery of ['woven', 'pictures', 'pictures_with_text'] as const) {
    const stamping = stampAnyPdf({ path: source, type: 'application/pdf' }, target, SAMPLE_MARKING, delivery)
    await expect(stamping).rejects.toThrow(sentence)
  }
})

test('a signature is removed, because stamping breaks it', async () => {
  const at = firstObject(1)
  const field = `<</Type/Annot/Subtype/Widget/FT/Sig/T(Seal)/V ${at + 1} 0 R/Rect[60 60 200 120]/F 4/P 10 0 R>>`
  const { text } = await stamped(
    samplePdf([{ entries: `/Annots[${at} 0 R]` }], {
      catalog: `/Perms<</DocMDP ${at + 1} 0 R>>/AcroForm<</SigFlags 3/Fields[${at} 0 R]>>`,
      objects: [field, '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>'],
    }),
  )
  expect(text).not.toMatch(/DocMDP|Adobe\.PPKLite|"\/SigFlags":3/)
})

test('an empty media box becomes Letter, and a crop box outside of the page is ignored', async () => {
  const { sizes } = await stamped(samplePdf([{ box: [0, 0, 0, 0] }, { entries: '/CropBox[9000 9000 9001 9001]' }]))
  expect(sizes).toEqual([
    { width: 612, height: 792 },
    { width: 595, height: 842 },
  ])
})

test('an image file of several pages becomes a PDF with as many marked pages', async () => {
  const [source, target] = [join(folder, 'fax.tiff'), join(folder, 'fax.pdf')]
  const sheet = (background: string) =>
    sharp({ create: { width: 400, height: 500, channels: 3, background } })
      .png()
      .toBuffer()
  const sheets = await Promise.all(['#ffffff', '#ddeeff'].map(sheet))
  await sharp(sheets, { join: { animated: true } })
    .tiff()
    .toFile(source)
  await stampAnyPdf({ path: source, type: 'image/tiff' }, target, SAMPLE_MARKING)
  const pages = await seenPages(await readFile(target))
  expect(pages).toHaveLength(2)
  for (const { data } of pages) expect(new Set(data).size).toBeGreaterThan(20)
})
