import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compound, docx, odf, paragraph, relationships, xlsx, zipOf } from '../testing/documents/office-files.ts'
import { extractText } from './text.ts'
import { MAX_TEXT_LENGTH } from './text/keepable.ts'
import { isEncryptedOffice } from './text/office-container.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'text-'))
})
afterAll(() => rm(folder, { recursive: true }))

const OOXML = 'application/vnd.openxmlformats-officedocument'
const TYPES = {
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
}
let number = 0
async function fileOf(content: Buffer | string): Promise<string> {
  const path = join(folder, `file${number++}`)
  await writeFile(path, content)
  return path
}
const textOf = async (type: string, content: Buffer | string) => extractText(await fileOf(content), type)

const words = (text = '') => text.replaceAll(/\s+/g, ' ')

describe('the text of office files', () => {
  test('contains a document with its notes, without deletions and comments', async () => {
    const body =
      paragraph('First &amp; foremost') +
      `<w:p><w:r><w:t>One</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>`
    const footnotes = `<w:footnotes xmlns:w="x">${paragraph('A footnote')}</w:footnotes>`
    const comments = `<w:comments xmlns:w="x">${paragraph('a remark')}</w:comments>`
    const file = docx(body, [], { 'word/footnotes.xml': footnotes, 'word/comments.xml': comments })
    expect(await textOf(TYPES.docx, file)).toBe('First & foremost\nOne\ttwo\nthree\n\nA footnote')
  })

  test('contains the visible sheets, in their order', async () => {
    const cells = `<row><c t="s"><v>0</v></c><c><v>42</v></c><c t="inlineStr"><is><t>inline</t></is></c></row>`
    const file = xlsx(
      [
        { name: 'Costs', rows: cells },
        { name: 'Hidden', rows: cells.replace('42', '43'), state: 'hidden' },
        { name: 'B &amp; C', rows: '<row><c t="s"><v>1</v></c></row>' },
      ],
      ['<t>Rent</t>', '<r><t>Ri</t></r><r><t>ch</t></r><rPh><t>reading</t></rPh>'],
    )
    expect(await textOf(TYPES.xlsx, file)).toBe('Costs\nRent\t42\tinline\n\nB & C\nRich')
  })

  test('contains the visible slides, the tenth after the ninth, without notes', async () => {
    const slide = (text: string, show = '') =>
      `<p:sld xmlns:p="p" xmlns:a="a"${show}><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`
    const file = zipOf({
      'ppt/slides/slide10.xml': slide('Ten'),
      'ppt/slides/slide9.xml': slide('Nine'),
      'ppt/slides/slide11.xml': slide('Eleven', ' show="0"'),
      'ppt/notesSlides/notesSlide1.xml': slide('Note'),
    })
    expect(await textOf(TYPES.pptx, file)).toBe('Nine\n\nTen')
  })

  test('contains OpenDocument text, without annotations and tracked deletions', async () => {
    const tracked =
      '<text:tracked-changes><text:deletion><text:p>deleted</text:p></text:deletion></text:tracked-changes>'
    const body = `${tracked}<text:h>Title</text:h><text:p>a<text:s text:c="3"/>b<text:tab/><office:annotation><text:p>remark</text:p></office:annotation><text:span>c</text:span></text:p>`
    expect(await textOf(TYPES.odt, odf('text', body))).toBe('Title\na   b\tc')
    const table =
      '<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
    expect(await textOf(TYPES.ods, odf('spreadsheet', table))).toBe('x')
  })

  const relation = (type: string, target: string) => relationships([{ id: 'r1', type, target }])
  const run = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
  const chart = (title: string, name: string, ...categories: string[]) =>
    `<c:chartSpace><c:title>${run(title)}</c:title><c:ser><c:tx><c:strCache><c:pt><c:v>${name}</c:v></c:pt></c:strCache></c:tx><c:cat><c:strCache>${categories.map((each) => `<c:pt><c:v>${each}</c:v></c:pt>`).join('')}</c:strCache></c:cat><c:val><c:numCache><c:pt><c:v>4711</c:v></c:pt></c:numCache></c:val></c:ser></c:chartSpace>`

  test('contains the words of charts and diagrams, each once, without their numbers', async () => {
    const file = docx(paragraph('Text'), [], {
      'word/_rels/document.xml.rels': relationships([
        { id: 'r1', type: 'chart', target: 'charts/chart1.xml' },
        { id: 'r2', type: 'diagramData', target: '/word/diagrams/data%201.xml' },
        { id: 'r3', type: 'chart', target: 'http://[' },
      ]),
      'word/charts/chart1.xml': chart('Turnover', 'Rents', 'North', 'South', 'North'),
      'word/diagrams/data 1.xml': `<dgm:dataModel>${run('Holding')}</dgm:dataModel>`,
      'word/charts/chart2.xml': chart('Removed', 'x'),
    })
    expect(await textOf(TYPES.docx, file)).toBe('Text\n\nTurnover\nRents\nNorth\nSouth\nHolding')
  })

  test('contains the headers, shapes and charts of the visible sheets', async () => {
    const rows = '<row><c><v>1</v></c></row></sheetData>'
    const headers = `<headerFooter differentFirst="1"><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12&amp;KFF0000Confidential&amp;RFiles &amp;&amp; more</oddHeader><oddFooter>&amp;CPage &amp;P of &amp;N</oddFooter><firstHeader>Cover</firstHeader><evenHeader>Even</evenHeader></headerFooter><sheetData>`
    const parts = (number: number, word: string) => ({
      [`xl/worksheets/_rels/sheet${number}.xml.rels`]: relation('drawing', `../drawings/drawing${number}.xml`),
      [`xl/drawings/drawing${number}.xml`]: `<xdr:wsDr>${run(`${word} box`)}</xdr:wsDr>`,
      [`xl/drawings/_rels/drawing${number}.xml.rels`]: relation('chart', `../charts/chart${number}.xml`),
      [`xl/charts/chart${number}.xml`]: chart(`${word} chart`, `${word} series`),
    })
    const sheets = [
      { name: 'Costs', rows: rows + headers },
      { name: 'Hidden', rows: rows + headers, state: 'hidden' },
    ]
    const file = xlsx(sheets, [], { ...parts(1, 'Shown'), ...parts(2, 'Hidden') })
    expect(await textOf(TYPES.xlsx, file)).toBe(
      'Costs\n1\n\nConfidential\tFiles & more\nPage  of\nCover\nShown box\n\nShown chart\nShown series',
    )
  })

  test('contains what charts and masters put on the visible slides, without hidden slides and notes', async () => {
    const slide = (text: string, attributes = '') => `<p:sld${attributes}>${run(text)}</p:sld>`
    const master = (kind: string, text: string, attributes = '') =>
      `<p:${kind}${attributes}><p:sp><p:nvPr><p:ph type="title"/></p:nvPr>${run('Click to edit')}</p:sp><p:sp>${run(text)}</p:sp></p:${kind}>`
    const related = (number: number, layout: number) => ({
      [`ppt/slides/_rels/slide${number}.xml.rels`]: relationships([
        { id: 'r1', type: 'slideLayout', target: `../slideLayouts/slideLayout${layout}.xml` },
        { id: 'r2', type: 'chart', target: `../charts/chart${number}.xml` },
        { id: 'r3', type: 'notesSlide', target: `../notesSlides/notesSlide${number}.xml` },
      ]),
      [`ppt/charts/chart${number}.xml`]: chart(`Chart ${number}`, 'Series'),
      [`ppt/notesSlides/notesSlide${number}.xml`]: run('Note'),
    })
    const layouts = (number: number) => ({
      [`ppt/slideLayouts/slideLayout${number}.xml`]: master('sldLayout', `Layout ${number}`),
      [`ppt/slideLayouts/_rels/slideLayout${number}.xml.rels`]: relation('slideMaster', '../slideMasters/m.xml'),
    })
    const file = zipOf({
      'ppt/slides/slide1.xml': slide('One'),
      'ppt/slides/slide2.xml': slide('Two'),
      'ppt/slides/slide3.xml': slide('Hidden', ' show="0"'),
      'ppt/slides/slide4.xml': slide('Bare', ' showMasterSp="0"'),
      ...related(1, 1),
      ...related(2, 1),
      ...related(3, 2),
      ...related(4, 2),
      ...layouts(1),
      ...layouts(2),
      'ppt/slideMasters/m.xml': master('sldMaster', 'Confidential'),
    })
    expect(words(await textOf(TYPES.pptx, file))).toBe(
      'One Chart 1 Series Layout 1 Confidential Two Chart 2 Series Bare Chart 4 Series',
    )
  })

  test('contains the headers of the master pages that OpenDocument uses, and charts', async () => {
    const page = (name: string, header: string, footer: string) =>
      `<style:master-page style:name="${name}"><style:header><text:p>${header}</text:p></style:header><style:footer style:display="false"><text:p>${footer}</text:p></style:footer><draw:frame presentation:class="title"><text:p>Click to edit</text:p></draw:frame></style:master-page>`
    const styles = `<office:document-styles><style:style><text:p>x</text:p></style:style>${page('Standard', 'Confidential <text:page-number>1</text:page-number>', 'Off')}${page('Landscape', 'Wide', 'Off')}${page('Unused', 'Unused', 'Off')}</office:document-styles>`
    const object = (kind: string, text: string) =>
      `<office:document-content><office:${kind}><text:p>${text}</text:p></office:${kind}></office:document-content>`
    const file = odf('text', '<text:p style:master-page-name="Landscape">Body</text:p>', {
      'styles.xml': styles,
      'Object 1/content.xml': object('chart', 'Turnover'),
      'Object 2/content.xml': object('spreadsheet', 'Embedded'),
    })
    expect(words(await textOf(TYPES.odt, file))).toBe('Body Turnover Confidential Wide')
  })

  test('E3: ends quickly where too much would be inflated', async () => {
    const bomb = Buffer.from(
      zipSync(
        { 'word/document.xml': Buffer.concat([Buffer.from('<w:t>start</w:t>'), Buffer.alloc(100 * 1024 ** 2, 32)]) },
        { level: 1 },
      ),
    )
    expect(await textOf(TYPES.docx, bomb)).toBe('start')
  })

  test('is no longer than the limit', async () => {
    const many = zipOf({ 'word/document.xml': `<w:t>${'word '.repeat(1_000_000)}</w:t>` })
    expect((await textOf(TYPES.docx, many))?.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH)
  })

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no zip', Buffer.from('PK\x05\x06 but nothing more')],
    ['a zip cut off', docx(paragraph('text')).subarray(0, 400)],
    ['a zip with its directory somewhere else', Buffer.concat([docx(paragraph('text')).subarray(300)])],
    ['a part without an end of a tag', zipOf({ 'word/document.xml': '<'.repeat(500_000) })],
    [
      'an entity of its own',
      zipOf({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:t>&x;</w:t>' }),
    ],
  ])('of %s is empty, or an entity that is not expanded', async (_, content) => {
    expect(await textOf(TYPES.docx, content)).toMatch(/^(&x;)?$/)
    expect(await textOf(TYPES.xlsx, content)).toBe('')
    expect(await textOf(TYPES.odt, content)).toBe('')
  })

  test('F6: is read beside parts with names that lead elsewhere', async () => {
    const names = ['../../etc/passwd', '/etc/passwd', 'C:/a', 'a\\b']
    const odd = Object.fromEntries(names.map((name) => [name, 'x']))
    expect(await textOf(TYPES.docx, zipOf({ ...odd, 'word/document.xml': paragraph('text') }))).toBe('text')
  })

  test('F6: of a file cut off anywhere is empty', async () => {
    const whole = docx(paragraph('text'))
    for (let length = 0; length < whole.length; length += 13) {
      expect(await textOf(TYPES.docx, whole.subarray(0, length))).toBe('')
    }
  })

  test('E3: of a zip that lists the same bytes a thousand times is read quickly', async () => {
    const slides = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`ppt/slides/slide${at + 1}.xml`, 'x']))
    const content = zipOf({ ...slides, 'ppt/slides/slide1000.xml': ' '.repeat(20 * 1024 ** 2) })
    const last = content.lastIndexOf('PK\x03\x04')
    for (let at = content.indexOf('PK\x01\x02'); at >= 0; at = content.indexOf('PK\x01\x02', at + 4)) {
      content.writeUInt32LE(content.readUInt32LE(content.lastIndexOf('PK\x01\x02') + 20), at + 20)
      content.writeUInt32LE(last, at + 42)
    }
    expect(await textOf(TYPES.pptx, content)).toBe('')
  })

  test('E3: of parts that lead to each other a million times is read in part', async () => {
    const all = (type: string, folder: string) =>
      relationships(Array.from({ length: 1000 }, (_, at) => ({ id: `r${at}`, type, target: `${folder}${at}.xml` })))
    const drawings = Array.from({ length: 1000 }, (_, at) => [
      [`xl/drawings/${at}.xml`, '<x/>'],
      [`xl/drawings/_rels/${at}.xml.rels`, all('chart', '../charts/')],
      [`xl/charts/${at}.xml`, '<t>word</t>'],
    ]).flat()
    const parts = Object.fromEntries(drawings) as Record<string, string>
    parts['xl/worksheets/_rels/sheet1.xml.rels'] = all('drawing', '../drawings/')
    const file = xlsx([{ name: 'A', rows: '<row><c><v>1</v></c></row>' }], [], parts)
    expect(await textOf(TYPES.xlsx, file)).toMatch(/^A\n1/)
  })

  test('F6: of a file with random bytes changed is always a string', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 })
    const files = [
      docx(paragraph('some text')),
      xlsx([{ name: 'A', rows: '<row><c t="s"><v>0</v></c></row>' }], ['<t>x</t>']),
      odf('text', '<text:p>some text</text:p>'),
    ]
    await fc.assert(
      fc.asyncProperty(fc.nat(files.length - 1), changes, async (which, changed) => {
        const content = Buffer.from(files[which] ?? [])
        for (const [at, byte] of changed) content[at % content.length] = byte
        const path = await fileOf(content)
        const type = [TYPES.docx, TYPES.xlsx, TYPES.odt][which] ?? ''
        expect(await extractText(path, type)).toEqual(expect.any(String))
        expect(await isEncryptedOffice(path)).toEqual(expect.any(Boolean))
      }),
      { numRuns: 300 },
    )
  })

  test('is reported as encrypted if it needs a password', async () => {
    const encrypted = odf('text', '', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' })
    expect(await isEncryptedOffice(await fileOf(encrypted))).toBe(true)
    expect(await isEncryptedOffice(await fileOf(compound('EncryptedPackage')))).toBe(true)
    expect(await isEncryptedOffice(await fileOf(compound('WordDocument')))).toBe(false)
    expect(await isEncryptedOffice(await fileOf(docx('')))).toBe(false)
  })
})

describe('the text of plain files', () => {
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from('Größe 契約')],
    ['UTF-8 with a mark', Buffer.from('\ufeffGröße 契約')],
    ['UTF-16 little endian', Buffer.from('\ufeffGröße 契約', 'utf16le')],
    ['UTF-16 big endian', Buffer.from('\ufeffGröße 契約', 'utf16le').swap16()],
  ])('is read from %s', async (_, content) => expect(await textOf('text/plain', content)).toBe('Größe 契約'))

  test('is read from the encoding of older Windows programs', async () => {
    expect(await textOf('text/csv', Buffer.from('Gr\xf6\xdfe;\x80', 'latin1'))).toBe('Größe;€')
  })

  test('is kept without characters that the database cannot hold', async () => {
    expect(await textOf('text/plain', Buffer.from('a\0b\ufeff\uffff', 'utf8'))).toBe('a b\ufeff\uffff')
    expect(await textOf('text/plain', Buffer.from('\ufeffa\ud800b', 'utf16le'))).toBe('a\ufffdb')
  })

  test('of an HTML page is its visible text', async () => {
    const page = `<!doctype html><html><head><title>t</title><style>p{}</style></head><body><!-- <p>no</p> -->
      <script>if (a < b) document.write("<p>no</p>")</script><h1>A&nbsp;heading</h1><p>some <b>bo</b>ld
      text &lt;b&gt; &euro;</p><table><tr><td>1<td>2</table><img alt=x></body>`
    expect(await textOf('text/html', page)).toBe('A heading\n\nsome bold text <b> €\n\n1\t2')
  })

  test('of an HTML page is read in the encoding that the page declares', async () => {
    const page = Buffer.from('<meta charset="shift_jis"><p>\x8c\x5f\x96\xf1', 'latin1')
    expect(await textOf('text/html', page)).toBe('契約')
  })

  test('K2: of a hostile HTML page is read in linear time', async () => {
    for (const piece of ['<', '<!--', '<script>', '<a ', '&', '<a b="', '</', '<![CDATA[']) {
      expect(typeof (await textOf('text/html', piece.repeat(300_000)))).toBe('string')
    }
  })

  test('of a mail is its headers, its text and the names of its attachments', async () => {
    const mail = [
      'From: =?utf-8?q?J=C3=B8rgen?= <j@example.com>',
      'To: Ann <ann@example.com>, b@example.com',
      'Subject: =?utf-8?b?5aWR57SE?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p>Gr=C3=BC=C3=9Fe</p>',
      '--x',
      'Content-Type: application/pdf; name="Lease.pdf"',
      'Content-Disposition: attachment; filename="Lease.pdf"',
      '',
      'xx',
      '--x--',
    ].join('\r\n')
    expect(await textOf('message/rfc822', mail)).toBe(
      'Subject: 契約\nFrom: Jørgen <j@example.com>\nTo: Ann <ann@example.com>, b@example.com\nAttachments: Lease.pdf\n\nGrüße',
    )
  })

  test('E3: of a mail nested without end is its source', async () => {
    const nested = Array.from(
      { length: 500 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    expect(await textOf('message/rfc822', `Subject: x\r\n${nested.join('')}`)).toContain('Subject: x')
  })

  test('is undefined for a PDF, an older office file or a picture', async () => {
    for (const type of ['application/pdf', 'application/msword', 'image/png', 'application/octet-stream']) {
      expect(await textOf(type, 'x')).toBeUndefined()
    }
  })
})
