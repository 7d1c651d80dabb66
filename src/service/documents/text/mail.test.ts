import { describe, expect, test } from 'vitest'
import { outlookFile } from '../../testing/documents/outlook-file.ts'
import { cleanHtml } from './clean-html.ts'
import { isSoundCompound } from './compound-file.ts'
import { readArchive, readMail } from './mail.ts'
import { mailPage } from './mail-page.ts'

const MIME = [
  'From: =?utf-8?q?J=C3=B8rgen?= <j@example.com>',
  'To: Ann <ann@example.com>, b@example.com',
  'Bcc: secret@example.com',
  'Date: Sun, 22 Nov 2026 10:00:00 +0100',
  'Subject: =?iso-2022-jp?b?GyRCN0BMcxsoQg==?= =?x-none?q?a?= <script>',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/html; charset=shift_jis',
  '',
  '<title>no</title><p style="display: none">for the list</p><p>Dear <b>all</p><a href="http://evil.test">here</a>',
  '--x',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="Lease\u202egnp.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.alloc(1500).toString('base64'),
  '--x--',
].join('\r\n')

const MESSAGE = {
  subject: 'Größe 契約',
  body: 'As text',
  html: '<p>As <i>HTML</i></p>',
  sender: { name: 'Ann Adams', email: 'ann@example.com' },
  recipients: [
    { name: 'Bob', email: 'bob@example.com', type: 'to' },
    { name: 'Carol', email: 'carol@example.com', type: 'cc' },
    { name: 'Dave', email: 'dave@example.com', type: 'bcc' },
  ],
  attachments: [
    { name: 'Lease.pdf', content: Buffer.alloc(6000) },
    { name: 'b.txt', content: Buffer.from('abc') },
  ],
} as const satisfies Parameters<typeof outlookFile>[0]

async function pageOf(content: Buffer | string): Promise<string> {
  const mail = await readMail(Buffer.from(content))
  return mail === undefined ? 'unreadable' : mailPage(mail)
}

describe('a message', () => {
  test('in MIME becomes a page with its headers, body and attachments', async () => {
    const page = await pageOf(MIME)
    expect(page).toContain('&#22865;&#32004;')
    expect(page).toContain('&#60;script&#62;')
    expect(page).toMatch(/From<\/td><td>J&#248;rgen &#60;j@example.com&#62;</)
    expect(page).toMatch(/To<\/td><td>Ann &#60;ann@example.com&#62;, b@example.com</)
    expect(page).toContain('2026-11-22 09:00 UTC')
    expect(page).toContain('<p>Dear <b>all</b></p>here')
    expect(page).toMatch(/Attachments \(1\)[^]*Lease gnp.pdf <font color="#666666">1.5 KB/)
  })

  test('of Outlook becomes a page with its headers, body and attachments', async () => {
    const page = await pageOf(outlookFile(MESSAGE))
    expect(page).toContain('Gr&#246;&#223;e &#22865;&#32004;')
    expect(page).toMatch(/From<\/td><td>Ann Adams &#60;ann@example.com&#62;</)
    expect(page).toMatch(/To<\/td><td>Bob &#60;bob@example.com&#62;<[^]*Cc<\/td><td>Carol &#60;carol@example.com&#62;</)
    expect(page).toContain('<p>As <i>HTML</i></p>')
    expect(page).toMatch(/Lease.pdf <[^]*6.0 KB[^]*b.txt <[^]*3 bytes/)
    expect(await pageOf(outlookFile({ ...MESSAGE, html: '<p></p>' }))).toContain('<p>As text</p>')
  })

  test('shows neither blind copies nor hidden texts', async () => {
    for (const content of [MIME, outlookFile(MESSAGE)])
      expect(await pageOf(content)).not.toMatch(/secret@|dave@|for the list|<title>no/i)
  })

  test('G1: shows nothing that loads, runs or is hidden, whatever its parts contain', async () => {
    const hostile =
      '</td></table></body><base href="http://evil.test"><img src=x onerror=alert(1)><iframe src="file:///etc/passwd">' +
      '<link rel=stylesheet href=//evil.test><p style="background:url(http://evil.test)" onclick="x()" align="center">' +
      '<svg><script>1</script></svg><table background="http://evil.test"><td colspan="999999"><object data=x></object>' +
      '<style>@import "http://evil.test"</style><form action=x><input value=y><meta http-equiv=refresh content="0">'
    const parts = [cleanHtml(hostile), await pageOf(outlookFile({ ...MESSAGE, subject: hostile, html: hostile }))]
    for (const part of parts) {
      const tags = (part ?? '').match(/<[^>]*>/g) ?? []
      expect(tags.filter((tag) => /src|href|url|background|on\w+=|style="(?!font|color)|colspan/i.test(tag))).toEqual(
        [],
      )
      expect(
        tags.filter((tag) => /^<\/?(base|img|iframe|link|svg|script|object|style|form|input|a)\b/i.test(tag)),
      ).toEqual([])
    }
    expect(parts[0]).toBe('<p align="center"><table><td></td></table></p>')
  })
})

describe('a hostile message', () => {
  test('E3: with ten thousand attachments lists the first ones and their number', async () => {
    const part = '--x\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nx\r\n'
    const page = await pageOf(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${part.repeat(10_000)}--x--`)
    expect(page).toContain('Attachments (10000)')
    expect(page).toContain('and 9500 more')
    const attachments = Array.from({ length: 3000 }, (_, at) => ({ name: `${at}.pdf`, content: Buffer.from('x') }))
    expect(await pageOf(outlookFile({ attachments }))).toMatch(/Attachments \(3000\)[^]*and 2500 more/)
  })

  test('E3: with endless headers, or nested without end, cannot be read', async () => {
    expect(await pageOf(`Subject: ${'x'.repeat(1_100_000)}\r\n\r\nbody`)).toBe('unreadable')
    const nested = Array.from(
      { length: 500 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    expect(await pageOf(nested.join(''))).toBe('unreadable')
  })

  test('K2: with a long header, name or body is written in linear time', async () => {
    const long = 'a, '.repeat(300_000)
    const page = await pageOf(outlookFile({ ...MESSAGE, subject: long, html: '', body: long }))
    expect(page.length).toBeLessThan(2 * long.length)
    for (const piece of [
      '<p>',
      '<table>',
      '<td>',
      '<div align="',
      '</p>',
      '<b',
      '&',
      '<svg>',
      '<p style="display:none">',
    ])
      expect(cleanHtml(piece.repeat(100_000)).length).toBeLessThan(2_000_000)
  })

  test('G1: with elements that are not ended, or ended too often, is properly nested', () => {
    expect(cleanHtml('<ul><li>a<ul><li>b<li>c</ul><li>d</ul></div>')).toBe(
      '<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>',
    )
    expect(cleanHtml('<table><tr><th>a<td>b</ul></p><tr><td>c<table><td></tr></table>d')).toBe(
      '<table><tr><th>a</th><td>b</td></tr><tr><td>c<table><td></td></table>d</td></tr></table>',
    )
    expect(cleanHtml('<p dir="rtl">a<p onclick="x" align="javascript:">b</table></td>')).toBe(
      '<p dir="rtl">a</p><p>b</p>',
    )
  })

  test('E3: with tables within tables has a limited depth, and everything is closed', () => {
    const deep = cleanHtml(`${'<table><tr><td>'.repeat(1000)}x`)
    expect(deep.match(/<table>/g)).toHaveLength(12)
    expect(deep.match(/<\/table>/g)).toHaveLength(12)
  })

  test('K2: of Outlook with a cycle in its sectors or its directory is unsound', async () => {
    const sound = outlookFile(MESSAGE)
    expect(isSoundCompound(sound)).toBe(true)
    const [table, directory] = [sound.readInt32LE(76), sound.readInt32LE(48)].map((sector) => (sector + 1) * 512)
    const change = (at: number, value: number) => {
      const changed = Buffer.from(sound)
      changed.writeInt32LE(value, at)
      return changed
    }
    const cycles = [
      change((table ?? 0) + 4 * sound.readInt32LE(48), sound.readInt32LE(48)),
      change((directory ?? 0) + 128 + 72, 1),
      change((directory ?? 0) + 76, 0x7fffffff),
      change((directory ?? 0) + 116, sound.readInt32LE(48)),
      change(44, 0x7fffffff),
      change(72, 0x7fffffff),
    ]
    for (const [at, cycle] of cycles.entries()) {
      expect([at, isSoundCompound(cycle)]).toEqual([at, false])
      expect(await pageOf(cycle)).toBe('unreadable')
    }
  })

  test('F6: cut off or changed anywhere is read or refused', async () => {
    const sound = outlookFile(MESSAGE)
    for (let at = 0; at < sound.length; at += 97) {
      const changed = Buffer.from(sound)
      changed.fill(at % 256, at, at + 4)
      expect(typeof (await pageOf(changed))).toBe('string')
      expect(typeof (await pageOf(sound.subarray(0, at)))).toBe('string')
    }
  })
})

describe('a web archive', () => {
  const archive = (parts: string[]) =>
    [
      'From: <Saved by Blink>',
      'Subject: Harbour',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=x',
      '',
    ]
      .concat(...parts.map((part) => ['--x', part]), '--x--')
      .join('\r\n')
  const page = 'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'

  test('is read as the page in it, without what lies beside the page', async () => {
    const picture = 'Content-Type: image/png\r\nContent-Location: http://a.test/b.png\r\n\r\nabc'
    const style = 'Content-Type: text/css\r\n\r\np { color: red }'
    const saved = await readArchive(Buffer.from(archive([`${page}<p>Gr=C3=B6=C3=9Fe</p>`, picture, style])))
    expect(saved?.html.trim()).toBe('<p>Größe</p>')
  })

  test('without a page is not read', async () => {
    expect(await readArchive(Buffer.from(archive(['Content-Type: text/plain\r\n\r\nabc'])))).toBeUndefined()
    expect(await readArchive(Buffer.from('abc'))).toBeUndefined()
  })
})
