import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMailer } from './transport.ts'

const from = 'Strongroom <no-reply@rooms.test>'
const mail = { to: 'bob@rooms.test', subject: 'Hello', text: 'plain words', html: '<p>plain words</p>' }

describe('without a mail server', () => {
  let folder: string
  let outbox: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outbox-'))
    outbox = join(folder, 'outbox')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const send = (changes: Partial<typeof mail> = {}) =>
    createMailer({ smtpUrl: undefined, from, outbox }).send({ ...mail, ...changes })
  const sent = async () => {
    const names = await readdir(outbox)
    return Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
  }
  const headersOf = (eml: string) => eml.slice(0, eml.indexOf('\n\n'))

  it('a mail becomes one file that only its owner can read', async () => {
    await send()
    const names = await readdir(outbox)
    expect(names).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d-]+Z-[0-9a-f]{8}\.eml$/)])
    expect((await stat(join(outbox, names[0]!))).mode & 0o777).toBe(0o600)
    expect((await stat(outbox)).mode & 0o777).toBe(0o700)
    const [eml] = await sent()
    expect(eml).toContain('To: bob@rooms.test')
    expect(eml).toContain('From: Strongroom <no-reply@rooms.test>')
    expect(eml).toContain('<p>plain words</p>')
  })

  it('concurrent mails do not overwrite each other', async () => {
    await Promise.all(Array.from({ length: 20 }, () => send()))
    expect(await sent()).toHaveLength(20)
  })

  it('a line break in the subject does not start a header', async () => {
    await send({ subject: 'Room "A\r\nBcc: eve@rooms.test\u2028X-Evil: 1"' })
    const [eml] = await sent()
    expect(headersOf(eml!)).not.toMatch(/^(Bcc|X-Evil):/im)
  })

  it('text like an encoded word in the subject is not decoded', async () => {
    const subject = 'Room =?utf-8?B?QmNjOiBldmU=?= of Größe 🚢 & Co'
    await send({ subject })
    const [eml] = await sent()
    expect((await PostalMime.parse(eml ?? '')).subject).toBe(subject)
  })

  it.each([
    'bob@rooms.test\r\nBcc: eve@rooms.test',
    'bob@rooms.test, eve@rooms.test',
    'Bob <bob@rooms.test>',
    'bob@rooms.test\0',
    '-oQ/tmp@',
    '',
  ])('%j is rejected as an address', async (to) => {
    await expect(send({ to })).rejects.toThrow('no e-mail address')
  })
})

describe('with a mail server', () => {
  let server: Server
  let heard: string
  let hangsAt: RegExp | undefined
  let release: () => void
  let last: Socket | undefined
  beforeEach(async () => {
    heard = ''
    hangsAt = undefined
    server = createServer((socket) => {
      last = socket
      socket.on('error', () => {})
      socket.write('220 mail.test\r\n')
      let inData = false
      socket.on('data', (chunk) => {
        heard += chunk.toString()
        if (inData && !heard.endsWith('\r\n.\r\n')) return
        const starts = /^DATA/im.test(chunk.toString()) && !inData
        inData = starts
        const answer = () => socket.write(starts ? '354 go on\r\n' : '250 ok\r\n')
        if (hangsAt?.test(chunk.toString())) release = answer
        else answer()
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  afterEach(() => new Promise((done) => server.close(done)))

  it('the mail is handed over for exactly one recipient', async () => {
    const { port } = server.address() as { port: number }
    await createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outbox: '/nonexistent' }).send(mail)
    expect(heard.match(/^RCPT TO:.*$/gim)).toEqual([expect.stringContaining('<bob@rooms.test>')])
    expect(heard).toContain('Subject: Hello')
  })

  it('an abort before the server has the whole mail ends the sending, and the server never gets its end', async () => {
    const { port } = server.address() as { port: number }
    const stopping = new AbortController()
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outbox: '/nonexistent' })
    hangsAt = /^RCPT/im
    const sending = mailer.send(mail, { signal: stopping.signal }).catch((error: unknown) => error)
    await expect.poll(() => heard, { timeout: 20_000 }).toMatch(hangsAt)
    stopping.abort(new Error('stopped'))
    expect(await sending).toEqual(new Error('stopped'))
    release()
    await expect.poll(() => heard, { timeout: 20_000 }).toMatch(/^DATA/im)
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('Subject: Hello')
    expect(heard).not.toContain('\r\n.\r\n')
    last?.destroy()
  })

  it('sending fails if the server is away', async () => {
    const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from, outbox: '/nonexistent' })
    await expect(mailer.send(mail)).rejects.toThrow('ECONNREFUSED')
  })
})
