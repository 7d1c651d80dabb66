import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { fill, type Params } from '../../../contract/sentence.ts'
import { DOCUMENT_REASONS, type DocumentReason } from '../../../contract/shown-sentences.ts'

export type Verdict = 'clean' | { infected: string }

export interface Scanner {
  /**
   * Scans a file (by its path) or a stream for malware.
   * @throws NotScanned unless the answer is a verdict on every byte
   */
  scan(content: Readable | string): Promise<Verdict>
}

/** The content is neither clean nor infected. Content that could not be scanned is never treated as clean. */
export class NotScanned extends Error {
  /** True if another scan would end the same way. Otherwise, the scanner may only be unavailable. */
  readonly permanent: boolean

  /** The scanner was still busy with the content, or hangs. */
  readonly late: boolean

  constructor(message: string, permanent: boolean, late = false) {
    super(message)
    this.permanent = permanent
    this.late = late
  }
}

class NoAnswer extends Error {}

interface Limits {
  /** clamd skips content larger than its MaxFileSize and still answers OK, so the service must know the limit. */
  maxBytes: number
  /** After this long without a response, the scanner counts as unavailable. */
  patienceMs: number
}

/** Creates a scanner that asks the ClamAV daemon at `tcp://host:port` or `unix:/path`; undefined without an address. */
export function createScanner(clamdUrl: string, limits: Limits): Scanner
export function createScanner(clamdUrl: string | undefined, limits: Limits): Scanner | undefined
export function createScanner(clamdUrl: string | undefined, limits: Limits): Scanner | undefined {
  if (clamdUrl === undefined) return undefined
  const address = addressOf(clamdUrl)
  return {
    async scan(content) {
      const source = typeof content === 'string' ? createReadStream(content) : content
      // The source may fail before it is read; reading it then throws the error.
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
  // clamd answers and hangs up in the middle of too large content. Its answer says more than the broken pipe.
  const sent = send(socket, source, maxBytes).catch((error: unknown) => {
    if (error instanceof NotScanned || reply === '') throw error
  })
  const [text] = await Promise.all([replied, sent])
  return text
}

/** Sends the INSTREAM command: each chunk is preceded by its length, and a length of zero ends the stream. */
async function send(socket: Socket, source: Readable, maxBytes: number): Promise<void> {
  await write(socket, 'zINSTREAM\0')
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw notScanned('more_bytes_than_scanned', { bytes: String(maxBytes) })
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

/** Parses `stream: OK` and `stream: Name FOUND`. @throws NotScanned for any other answer, which is no verdict */
function verdictOf(reply: string): Verdict {
  const answer = reply.replace(/\0[^]*$/, '').trim()
  if (answer === 'stream: OK') return 'clean'
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  if (found !== undefined && !isLimit(found)) return { infected: found }
  if (found !== undefined) throw notScanned('not_scanned_wholly', { found })
  if (/size limit exceeded/i.test(answer)) throw notScanned('larger_than_scanned')
  throw away(new Error(answer === '' ? 'it gave no answer' : answer))
}

/** Whether a finding means that clamd gave up; it reports such findings if AlertExceedsMax or AlertEncrypted is set. */
const isLimit = (found: string): boolean => /^Heuristics\.(Limits\.Exceeded|Encrypted)/.test(found)

/** Another scan would end the same way. */
const notScanned = (reason: DocumentReason, params?: Params) =>
  new NotScanned(fill(DOCUMENT_REASONS[reason], params), true)

function away(error: unknown): NotScanned {
  const reason = error instanceof Error ? error.message : String(error)
  return new NotScanned(`The malware scanner did not answer: ${reason}`, false, error instanceof NoAnswer)
}
