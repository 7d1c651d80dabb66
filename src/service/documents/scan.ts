import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'

export type Verdict = 'clean' | { infected: string }

export interface Scanner {
  /**
   * Looks for malware in a file (by its path) or a stream.
   * @throws NotScanned whenever the answer is anything but a verdict on every byte
   */
  scan(content: Readable | string): Promise<Verdict>
}

/** Neither clean nor infected: what could not be scanned is never taken for clean. */
export class NotScanned extends Error {
  /** Scanning again would end the same way; otherwise the scanner may only be away. */
  readonly permanent: boolean

  /** The scanner was still busy with it, or hangs. */
  readonly late: boolean

  constructor(message: string, permanent: boolean, late = false) {
    super(message)
    this.permanent = permanent
    this.late = late
  }
}

class NoAnswer extends Error {}

interface Limits {
  /** clamd passes over what is larger than its MaxFileSize and still answers OK, so that we must know the size. */
  maxBytes: number
  /** Without a sign of life for so long the scanner counts as away. */
  patienceMs: number
}

/** Asks the ClamAV daemon at `tcp://host:port` or `unix:/path`; without an address there is no scanner. */
export function createScanner(clamdUrl: string, limits: Limits): Scanner
export function createScanner(clamdUrl: string | undefined, limits: Limits): Scanner | undefined
export function createScanner(clamdUrl: string | undefined, limits: Limits): Scanner | undefined {
  if (clamdUrl === undefined) return undefined
  const address = addressOf(clamdUrl)
  return {
    async scan(content) {
      const source = typeof content === 'string' ? createReadStream(content) : content
      // It may fail before it is read; the reading tells.
      source.on('error', () => {})
      const socket = connect(address)
      try {
        return verdictOf(await ask(socket, source, limits))
      } catch (error) {
        throw error instanceof NotScanned ? error : away(error)
      } finally {
        socket.destroy()
        source.destroy()
      }
    },
  }
}

/** @throws Error for what is no address of a scanner */
export function addressOf(clamdUrl: string): { path: string } | { host: string; port: number } {
  const socketPath = /^unix:(?:\/\/)?(\/.+)$/.exec(clamdUrl)?.[1]
  if (socketPath !== undefined) return { path: socketPath }
  const [, host, port] = /^tcp:\/\/(\[[^\]]+\]|[^/:]+):(\d+)\/?$/.exec(clamdUrl) ?? []
  if (host === undefined) throw new Error('must be tcp://host:port or unix:/path')
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

async function ask(socket: Socket, source: Readable, { maxBytes, patienceMs }: Limits): Promise<string> {
  let reply = ''
  const replied = new Promise<string>((resolve, reject) => {
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => void (reply += text))
    socket.on('end', () => resolve(reply))
    socket.on('error', (error) => (reply === '' ? reject(error) : resolve(reply)))
    socket.setTimeout(patienceMs, () => reject(new NoAnswer(`no answer within ${patienceMs / 1000} seconds`)))
  })
  // clamd answers and hangs up in the middle of what it finds too large: then its words tell more than the broken pipe.
  const sent = send(socket, source, maxBytes).catch((error: unknown) => {
    if (error instanceof NotScanned || reply === '') throw error
  })
  const [text] = await Promise.all([replied, sent])
  return text
}

/** The INSTREAM command: each chunk behind its length, and a length of nought at the end. */
async function send(socket: Socket, source: Readable, maxBytes: number): Promise<void> {
  await write(socket, 'zINSTREAM\0')
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new NotScanned(`It has more than the ${maxBytes} bytes that the scanner takes.`, true)
    if (chunk.length > 0) await write(socket, Buffer.concat([lengthOf(chunk), chunk]))
  }
  await write(socket, lengthOf(Buffer.alloc(0)))
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return length
}

function write(socket: Socket, data: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.write(data, (error) => (error ? reject(error) : resolve())))
}

/** `stream: OK`, `stream: Name FOUND`; all else is no verdict. */
function verdictOf(reply: string): Verdict {
  const answer = reply.replace(/\0[^]*$/, '').trim()
  if (answer === 'stream: OK') return 'clean'
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  if (found !== undefined && !isLimit(found)) return { infected: found }
  if (found !== undefined) throw new NotScanned(`The scanner could not look into all of it (${found}).`, true)
  if (/size limit exceeded/i.test(answer)) throw new NotScanned('It is larger than the scanner takes.', true)
  throw away(new Error(answer === '' ? 'it gave no answer' : answer))
}

/** What clamd "finds" where it gave up, when it is set to tell so (AlertExceedsMax, AlertEncrypted). */
const isLimit = (found: string): boolean => /^Heuristics\.(Limits\.Exceeded|Encrypted)/.test(found)

function away(error: unknown): NotScanned {
  const reason = error instanceof Error ? error.message : String(error)
  return new NotScanned(`The malware scanner did not answer: ${reason}`, false, error instanceof NoAnswer)
}
