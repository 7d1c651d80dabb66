import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { type Credentials, HEADERS, sign, signatureOf } from '../../signing/signature.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Attempts within one test, for the table of `npm run test:attack`. */
    attempts?: number
  }
}

/** Authentication headers that must be refused, as sent on the wire: a name may occur twice. */
export interface Forgery {
  what: string
  headers: [name: string, value: string][]
}

type Family = 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6'

/** Forgeries of a caller's headers, by attack case. `other` is another user of the same organization. */
export function forgeries(own: Credentials, other: Credentials): Record<Family, Forgery[]> {
  const now = Math.floor(Date.now() / 1000)
  return {
    A1: missing(own, now),
    A2: expiries(own, now),
    A3: doubledAndMisspelt(own, now),
    A4: spellings(own, now),
    A5: recut(own, now),
    A6: borrowed(own, other, now),
  }
}

const forgery = (what: string, headers: Record<string, string>): Forgery => ({ what, headers: Object.entries(headers) })

/** Headers with a valid signature for this expiry text. */
function signedFor(credentials: Credentials, expires: string): Record<string, string> {
  const { key, token } = credentials
  return {
    [HEADERS.key]: key,
    [HEADERS.token]: token,
    [HEADERS.expires]: expires,
    [HEADERS.signature]: `Method=HMAC-SHA256 Signature=${signatureOf(credentials, expires)}`,
  }
}

function missing(own: Credentials, now: number): Forgery[] {
  const genuine = sign(own, now + 60)
  const names = Object.values(HEADERS)
  const secrets = ['', '0', '0'.repeat(40), '0'.repeat(64), '\0', 'unknown', 'undefined', 'null', own.key, own.token]
  return [
    forgery('no headers', {}),
    ...names.map((name) => ({
      what: `no ${name}`,
      headers: Object.entries(genuine).filter(([each]) => each !== name),
    })),
    ...names.map((name) => forgery(`an empty ${name}`, { ...genuine, [name]: '' })),
    ...secrets.map((secret) => forgery(`the secret ${JSON.stringify(secret)}`, sign({ ...own, secret }, now + 60))),
    forgery('an unknown token', sign({ ...own, token: '0'.repeat(40) }, now + 60)),
    forgery('an unknown key', sign({ ...own, key: '0'.repeat(40) }, now + 60)),
    forgery('a signature of zeros', {
      ...genuine,
      [HEADERS.signature]: `Method=HMAC-SHA256 Signature=${'0'.repeat(64)}`,
    }),
  ]
}

function expiries(own: Credentials, now: number): Forgery[] {
  const soon = String(now + 60)
  const texts = [
    ...[now - 1, now - 3600, 0, -1, -(now + 60), now + 3700, 2 ** 31, 2 ** 32 + now, 2 ** 53, 1e21].map(String),
    `${soon}.0`,
    `${soon}.5`,
    `0x${(now + 60).toString(16)}`,
    `+${soon}`,
    `0${soon}`,
    `${soon} 1`,
    `${soon}e0`,
    `${(now + 60) / 10}e1`,
    `${soon},${soon}`,
    'NaN',
    'Infinity',
    'now',
    new Date((now + 60) * 1000).toISOString(),
    Buffer.from(soon.replace(/./g, (digit) => String.fromCodePoint(0x660 + Number(digit)))).toString('latin1'),
  ]
  return texts.map((text) => forgery(`an expiry of ${text}`, signedFor(own, text)))
}

function doubledAndMisspelt(own: Credentials, now: number): Forgery[] {
  const genuine = sign(own, now + 60)
  const pairs = Object.entries(genuine)
  const hex = signatureOf(own, String(now + 60))
  const misspelt = [
    `method=HMAC-SHA256 Signature=${hex}`,
    `METHOD=HMAC-SHA256 SIGNATURE=${hex}`,
    `Method=hmac-sha256 Signature=${hex}`,
    `Method=HMAC-SHA1 Signature=${hex}`,
    `Method=none Signature=${hex}`,
    `Signature=${hex} Method=HMAC-SHA256`,
    `Method=HMAC-SHA256, Signature=${hex}`,
    `Method=HMAC-SHA256  Signature=${hex}`,
    `Method=HMAC-SHA256\tSignature=${hex}`,
    `Method="HMAC-SHA256" Signature="${hex}"`,
    `Method=HMAC-SHA256 Signature=${hex} Signature=${hex}`,
    hex,
  ]
  return [
    ...pairs.map(([name, value]) => ({ what: `${name} twice`, headers: [...pairs, [name, value]] }) as Forgery),
    ...pairs.map(([name]) => ({ what: `another ${name} behind`, headers: [...pairs, [name, '1']] }) as Forgery),
    ...pairs.map(([name]) => ({ what: `another ${name} before`, headers: [[name, '1'], ...pairs] }) as Forgery),
    ...misspelt.map((value) => forgery(value.replace(hex, '…'), { ...genuine, [HEADERS.signature]: value })),
  ]
}

function spellings(own: Credentials, now: number): Forgery[] {
  const genuine = sign(own, now + 60)
  const hex = signatureOf(own, String(now + 60))
  const wide = Buffer.from(hex.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))).toString(
    'latin1',
  )
  const values = {
    'upper case': hex.toUpperCase(),
    'one digit less': hex.slice(0, -1),
    'half of it': hex.slice(0, 32),
    'nothing of it': '',
    'one digit more': `${hex}0`,
    padded: `${hex}=`,
    'with 0x': `0x${hex}`,
    'with a quote': `"${hex}"`,
    base64: Buffer.from(hex, 'hex').toString('base64'),
    'wide digits': wide,
    'one bit flipped': `${hex.slice(0, -1)}${(Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)}`,
  }
  return Object.entries(values)
    .filter(([, value]) => value !== hex)
    .map(([what, value]) =>
      forgery(`a signature ${what}`, { ...genuine, [HEADERS.signature]: `Method=HMAC-SHA256 Signature=${value}` }),
    )
}

/** Divides the signed text differently: key, token and expiry are concatenated without separators. */
function recut(own: Credentials, now: number): Forgery[] {
  const expires = String(now + 60)
  const whole = own.key + own.token + expires
  const signature = sign(own, now + 60)[HEADERS.signature] ?? ''
  const cuts = [
    [39, 80],
    [41, 80],
    [1, 80],
    [79, 80],
    [40, 79],
    [40, 81],
    [40, 89],
    [20, 60],
  ]
  return cuts.map(([first = 0, second = 0]) =>
    forgery(`the text cut at ${first} and ${second}`, {
      [HEADERS.key]: whole.slice(0, first),
      [HEADERS.token]: whole.slice(first, second),
      [HEADERS.expires]: whole.slice(second),
      [HEADERS.signature]: signature,
    }),
  )
}

function borrowed(own: Credentials, other: Credentials, now: number): Forgery[] {
  const [mine, theirs] = [sign(own, now + 60), sign(other, now + 60)]
  const later = sign(own, now + 120)
  return [
    forgery("another user's token", { ...mine, [HEADERS.token]: other.token }),
    forgery("another user's signature", { ...mine, [HEADERS.signature]: theirs[HEADERS.signature] ?? '' }),
    forgery('the expiry of another signature', { ...mine, [HEADERS.expires]: later[HEADERS.expires] ?? '' }),
    forgery('the signature of another expiry', { ...mine, [HEADERS.signature]: later[HEADERS.signature] ?? '' }),
    forgery('token and key exchanged', { ...mine, [HEADERS.key]: own.token, [HEADERS.token]: own.key }),
  ]
}

const agent = new Agent({ keepAlive: true })

/** Sends headers exactly as given; `fetch` would merge or refuse them. */
export function sendRaw(
  url: string,
  init: RequestInit & { headers: Record<string, string> },
  forged: readonly [string, string][],
): Promise<{ status: number; type: string | undefined; text: string }> {
  const body = typeof init.body === 'string' ? Buffer.from(init.body) : Buffer.alloc(0)
  const headers = [...Object.entries({ ...init.headers, 'content-length': String(body.length) }), ...forged]
  const { host } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: init.method, agent, headers: ['host', host, ...headers.flat()] }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk: string) => (text += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, type: reply.headers['content-type'], text }))
    })
    sent.on('error', reject).end(body)
  })
}

/** Sends the signature header folded over two lines, which modern HTTP clients never do. @returns the status */
export function sendFolded(url: string, { method }: RequestInit, credentials: Credentials): Promise<number> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const lines = Object.entries(sign(credentials, Math.floor(Date.now() / 1000) + 60)).map(
    ([name, value]) => `${name}: ${value.replace(' ', '\r\n ')}`,
  )
  const head = [`${method} ${pathname}${search} HTTP/1.1`, `host: ${host}`, 'content-length: 0', 'connection: close']
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(`${[...head, ...lines].join('\r\n')}\r\n\r\n`))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', reject).on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)))
  })
}
