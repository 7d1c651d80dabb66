import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from './testing/mail-server.ts'
import { createMailer, type Mailer, RefusedByServer, Undeliverable } from './transport.ts'

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
  let open: Set<Socket>
  let mailer: Mailer
  beforeEach(async () => {
    heard = ''
    hangsAt = undefined
    open = new Set()
    server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
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
    const { port } = server.address() as { port: number }
    mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, outbox: '/nonexistent' })
  })
  afterEach(() => {
    mailer.close()
    return new Promise((done) => server.close(done))
  })

  it('the mail is handed over for exactly one recipient', async () => {
    await mailer.send(mail)
    expect(heard.match(/^RCPT TO:.*$/gim)).toEqual([expect.stringContaining('<bob@rooms.test>')])
    expect(heard).toContain('Subject: Hello')
  })

  it.each([/^RCPT/im, /^DATA/im])('an abort at %s ends the sending, and the server never gets the mail', async (at) => {
    const stopping = new AbortController()
    hangsAt = at
    const sending = mailer.send(mail, { signal: stopping.signal }).catch((error: unknown) => error)
    await expect.poll(() => heard, { timeout: 20_000 }).toMatch(hangsAt)
    stopping.abort(new Error('stopped'))
    expect(await sending).toEqual(new Error('stopped'))
    release()
    await expect.poll(() => open.size, { timeout: 20_000 }).toBe(0)
    expect(heard).not.toContain('\r\n.\r\n')
  })

  it('an abort after the server has the whole mail waits for its answer', async () => {
    const stopping = new AbortController()
    hangsAt = /^\.\r\n$/m
    const sending = mailer.send(mail, { signal: stopping.signal })
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('\r\n.\r\n')
    stopping.abort()
    release()
    await sending
  })

  it('a mail that is aborted before it is sent leaves no trace', async () => {
    await expect(mailer.send(mail, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
    expect(heard).toBe('')
  })

  it('sending fails if the server is away', async () => {
    const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', from, outbox: '/nonexistent' })
    await expect(mailer.send(mail)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('many mails', () => {
  let server: MailServer
  let mailer: Mailer
  beforeEach(async () => {
    server = await startMailServer()
    mailer = createMailer({ smtpUrl: server.url, from, outbox: '/nonexistent' })
  })
  afterEach(() => {
    mailer.close()
    return server.close()
  })

  const addresses = Array.from({ length: 300 }, (_, n) => `bob${n}@rooms.test`)
  const outcomes = () =>
    Promise.all(addresses.map((to) => mailer.send({ ...mail, to }).catch((error: unknown) => error)))
  const arrivals = () => server.received.map(({ to }) => to[0]).toSorted()

  it('share a few connections, and each arrives once', async () => {
    expect(await outcomes()).toEqual(addresses.map(() => undefined))
    expect(arrivals()).toEqual(addresses.toSorted())
    expect(server.connected()).toBeLessThanOrEqual(10)
  })

  it('are not lost or doubled by one that is refused, or whose connection breaks off', async () => {
    server.behave({
      recipient: ({ address }) =>
        address === addresses[50] ? [550, 'No such user'] : address === addresses[60] ? [450, 'Later'] : undefined,
      mail: ({ address }) => (address === addresses[70] ? 'drop' : undefined),
    })
    const ended = await outcomes()
    expect(ended[50]).toBeInstanceOf(RefusedByServer)
    expect(ended[60]).toMatchObject({ responseCode: 450 })
    expect(ended[70]).toBeInstanceOf(Undeliverable)
    expect(ended.filter(Boolean)).toHaveLength(3)
    expect(arrivals()).toEqual(addresses.filter((_, n) => n !== 50 && n !== 60).toSorted())
  })

  it('a server that ends idle connections gets the next mail once', async () => {
    await mailer.send(mail)
    server.disconnect()
    await mailer.send(mail)
    expect(server.received).toHaveLength(2)
  })

  it('a closed mailer sends what it began, and leaves no connection', async () => {
    const sending = outcomes()
    await expect.poll(() => server.asked()).toBeGreaterThan(5)
    mailer.close()
    const ended = await sending
    expect(server.received).toHaveLength(ended.filter((each) => each === undefined).length)
    await expect.poll(() => server.open()).toBe(0)
  })
})
