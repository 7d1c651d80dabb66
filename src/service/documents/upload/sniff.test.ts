import { expect, test } from 'vitest'
import { createTypeDetector, detectType } from './detect-type.ts'
import { isViewable } from '../formats.ts'
import { bitmapFile } from '../../testing/documents/bitmap-file.ts'
import { sniff } from './sniff.ts'

const ZIP = Buffer.concat([Buffer.from('504b0304140000000000', 'hex'), Buffer.alloc(40)])
const COMPOUND = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

const PDF = Buffer.from('%PDF-1.7\n%\xb5\xb6\n', 'latin1')

const ODF = 'application/vnd.oasis.opendocument'

const cases: [title: string, head: Buffer | string, name: string, type: string][] = [
  ['a PDF', '%PDF-1.7\n', 'a.pdf', 'application/pdf'],
  ['a PDF behind some lines', 'HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n', 'a.pdf', 'application/pdf'],
  ['a PDF that calls itself a text', '%PDF-1.7\n', 'notes.txt', 'application/pdf'],
  ['a picture that calls itself a PDF', PNG, 'a.pdf', 'image/png'],
  ['an archive', ZIP, 'a.zip', 'application/zip'],
  ['a spreadsheet', ZIP, 'A.XLSX', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['an older spreadsheet', COMPOUND, 'a.xls', 'application/vnd.ms-excel'],
  ['an unknown compound file', COMPOUND, 'a.bin', 'application/x-cfb'],
  ['an Outlook message', COMPOUND, 'a.msg', 'application/vnd.ms-outlook'],
  ['a mailbox of Outlook', Buffer.from('!BDN'.padEnd(600, '\0')), 'a.msg', 'application/vnd.ms-outlook-pst'],
  ['a document of Pages', ZIP, 'a.pages', 'application/vnd.apple.pages'],
  ['a table with tabs', 'a\tb\n', 'a.tsv', 'text/tab-separated-values'],
  ['a table', 'name;price\nharbour;1\n', 'a.csv', 'text/csv'],
  ['a table in an older encoding', Buffer.from('name;preis\nköln;1\n', 'latin1'), 'a.csv', 'text/csv'],
  [
    'a drawing',
    '<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    'a.svg',
    'image/svg+xml',
  ],
  ['a drawing that calls itself a text', '<svg onload="x()">', 'a.txt', 'image/svg+xml'],
  ['a page that calls itself a table', '<!DOCTYPE html><script>', 'a.csv', 'text/html'],
  ['a drawing behind many comments', `${'<!-- -->'.repeat(200)}<?x?><svg>`, 'a.txt', 'image/svg+xml'],
  ['a drawing with entities', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'a', 'image/svg+xml'],
  ['a page behind a comment', '\ufeff <!-- x --> <HTML lang="en">', 'a.txt', 'text/html'],
  ['a comment without an end', '<!-- <svg>', 'a.txt', 'text/plain'],
  ['an element that begins like a drawing', '<svgs>', 'a.txt', 'text/plain'],
  ['other XML', '<?xml version="1.0"?><invoice/>', 'a.xml', 'application/xml'],
  ['a flat drawing', '<?xml version="1.0"?>\n<office:document x="y">', 'a.fodg', `${ODF}.graphics-flat-xml`],
  ['other XML, named as a flat text', '<?xml version="1.0"?><invoice/>', 'a.fodt', 'application/xml'],
  ['a text, named as a flat text', 'hello', 'a.fodt', 'text/plain'],
  ['a Visio drawing', ZIP, 'a.vsdx', 'application/vnd.ms-visio.drawing'],
  ['an older Visio drawing', COMPOUND, 'a.vsd', 'application/vnd.visio'],
  ['a Publisher document', COMPOUND, 'a.pub', 'application/vnd.ms-publisher'],
  ['a binary workbook', ZIP, 'a.xlsb', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  ['a bitmap', bitmapFile(24), 'a', 'image/bmp'],
  ['a text that begins like a bitmap', 'BMW lease contract, number 17', 'a.txt', 'text/plain'],
  ['an enhanced metafile', Buffer.from(`01000000${'00'.repeat(36)}20454d46`, 'hex'), 'a', 'image/emf'],
  ['a metafile with a place', Buffer.from(`d7cdc69a${'00'.repeat(18)}`, 'hex'), 'a', 'image/wmf'],
  ['a metafile', Buffer.from(`010009000003${'00'.repeat(18)}`, 'hex'), 'a.wmf', 'image/wmf'],
  ['a web archive', 'From: <Saved by Blink>\r\nSubject: x\r\n\r\n', 'a.mhtml', 'multipart/related'],
  ['a mail', 'From: a@example.com\r\nSubject: x\r\n\r\n', 'a.eml', 'message/rfc822'],
  ['text without an extension', '契約書', 'README', 'text/plain'],
  ['nothing, named as a text', '', 'a.txt', 'text/plain'],
  ['nothing', '', 'a', 'application/octet-stream'],
  ['a picture whose facts lie at its end', Buffer.from([0x49, 0x49, 42, 0, 0, 90, 0, 0]), 'a.tif', 'image/tiff'],
  ['bytes', Buffer.from([0, 1, 2, 3, 255]), 'a.txt', 'application/octet-stream'],
]

test.each(cases)('%s is detected by its content', async (_title, head, name, type) => {
  expect(await sniff(Buffer.from(head), name)).toBe(type)
})

test.each(cases)('%s is also detected in the thread', async (_title, head, name, type) => {
  expect(await detectType(Buffer.from(head), name)).toBe(type)
})

test.each<[string, (count: number) => string]>([
  ['empty comments', (count) => `${'<!---->'.repeat(count)}x`],
  ['comments that begin comments', (count) => `${'<!--'.repeat(count)}-->x`],
  ['comments and spaces', (count) => `<?xml?>${' <!-- --> '.repeat(count)}x`],
  ['spaces', (count) => `${' '.repeat(8 * count)}x`],
  ['instructions', (count) => `${'<??>'.repeat(count)}x`],
  ['document types', (count) => `<!doctype${' svg'.repeat(count)}`],
])('K2: markup of many %s is sniffed in linear time', async (_, markup) => {
  // The earlier regular expression needed 7 seconds for 28 comments, and twice as long for each further one.
  const before = process.cpuUsage()
  await sniff(Buffer.from(markup(500).slice(0, 4096)), 'a.txt')
  const { user } = process.cpuUsage(before)
  expect(user / 1000).toBeLessThan(1000)
})

const threadThat = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
      const busyFor = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); }
      ${code}`)}`,
  )
const ENDLESS = threadThat(`parentPort.on('message', () => busyFor(Infinity)); parentPort.postMessage('loaded')`)
const SLOW = threadThat(`busyFor(1000)
  parentPort.on('message', () => parentPort.postMessage('image/png')); parentPort.postMessage('loaded')`)

test('a thread that a busy machine loads for longer than a detection may take makes no type unknown', async () => {
  const detect = createTypeDetector({ entry: SLOW, timeLimitMs: 500 })
  expect(await detect(PNG, 'a.png')).toBe('image/png')
})

test('K2: an endless or crashing detection is given up, and its type is unknown', async () => {
  const endless = createTypeDetector({ entry: ENDLESS, timeLimitMs: 200 })
  const types = await Promise.all([endless(PNG, 'a.png'), endless(COMPOUND, 'a.xls')])
  expect(types).toEqual(['application/octet-stream', 'application/octet-stream'])
  const broken = createTypeDetector({ entry: new URL('data:text/javascript,throw new Error("x")') })
  expect(await broken(PNG, 'a.png')).toBe('application/octet-stream')
  // Plain text needs no thread.
  expect(await endless(Buffer.from('name;price'), 'a.csv')).toBe('text/csv')
})

/** What begins formats that are made of letters, and what could make a search of 4,096 bytes begin again and again. */
const BEGINNINGS = ['', 'ID3', 'BM', 'AC10', 'FORM', 'OggS', '!<arch>', 'BEGIN:', '**ACE', 'xxxxftyp', '<?xml ', 'PKPK']
const FILLS = [' ', '0', 'G', 'ID3~~~~~~~', '    ftyp', '    mdat', '<!---->', '<!-- ', '<??>', '<svg', '%PDF', '\n\t']

test('K2: plain text of letters that begin formats is detected without a loop', async () => {
  let longest = 0
  for (const beginning of BEGINNINGS) {
    for (const fill of FILLS) {
      const before = process.cpuUsage()
      await sniff(Buffer.from(beginning + fill.repeat(4096)).subarray(0, 4096), 'a.csv')
      longest = Math.max(longest, process.cpuUsage(before).user)
    }
  }
  // The longest takes about a millisecond.
  expect(longest / 1000).toBeLessThan(50)
})

test('J6: an upload is refused with 503 if the thread cannot start, and a later upload is detected again', async () => {
  const entry = new URL('http://threads.test/')
  const detect = createTypeDetector({ entry })
  const uploads = ['a', 'b'].map((name) => detect(PDF, name))
  const refusal = { status: 'rejected', reason: { status: 503, headers: { 'Retry-After': '1' } } }
  expect(await Promise.allSettled(uploads)).toMatchObject([refusal, refusal])
  entry.href = new URL('./sniff-worker.ts', import.meta.url).href
  expect(await detect(PDF, 'a.pdf')).toBe('application/pdf')
})

test('a text cut off within a character is still a text', async () => {
  expect(await sniff(Buffer.from('契約').subarray(0, 5), 'a')).toBe('text/plain')
})

test('documents, pictures and texts can be viewed, archives cannot', () => {
  expect(['application/pdf', 'image/png', 'text/csv'].every(isViewable)).toBe(true)
  expect(isViewable('application/zip')).toBe(false)
})
