import { Pool } from 'undici'
import { sign } from '../../signing/signature.ts'

export interface Caller {
  /** Makes a signed call below `/api/v1`. @throws Error for any failure */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Makes a signed PUT with bytes as the body. @throws Error for any failure */
  put(path: string, content: Buffer | NodeJS.ReadableStream, size: number): Promise<void>
  /** Reads any URL of the service to its end. @returns the number of bytes, and milliseconds until the first byte */
  read(
    url: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; size: number; firstByte: number; etag: string }>
  signed(): Record<string, string>
  close(): Promise<void>
}

interface Keys {
  apiKey: string
  apiSecret: string
  adminToken: string
}

/** Creates a client that costs as little as possible: its own work counts against the measured service. */
export function createCaller(
  origin: string,
  { apiKey, apiSecret, adminToken }: Keys,
  more: Record<string, string> = {},
  connections = 16,
): Caller {
  const pool = new Pool(origin, { connections, bodyTimeout: 0 })
  const credentials = { key: apiKey, secret: apiSecret, token: adminToken }
  // One signature serves the whole run: a client may reuse it until it expires.
  const headers = { ...sign(credentials, Math.floor(Date.now() / 1000) + 3500), ...more }
  const send = async (
    method: string,
    path: string,
    body: Buffer | string | NodeJS.ReadableStream | null,
    type: Record<string, string>,
  ) => {
    const reply = await pool.request({
      method: method as 'GET',
      path: `/api/v1${path}`,
      headers: { ...headers, ...type },
      body: body as Buffer | null,
    })
    const text = await reply.body.text()
    if (reply.statusCode >= 400) throw new Error(`${method} ${path}: ${text}`)
    return text
  }
  return {
    async call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const text = await send(method, path, body === undefined ? null : JSON.stringify(body), {
        'content-type': 'application/json',
      })
      return (text ? JSON.parse(text) : undefined) as T
    },
    async put(path, content, size) {
      await send('PUT', path, content, { 'content-type': 'application/octet-stream', 'content-length': String(size) })
    },
    async read(url, extra = {}) {
      const { pathname, search } = new URL(url, origin)
      const begun = performance.now()
      const reply = await pool.request({ method: 'GET', path: pathname + search, headers: extra })
      let size = 0
      let firstByte = 0
      for await (const chunk of reply.body) {
        firstByte ||= performance.now() - begun
        size += (chunk as Buffer).length
      }
      return { status: reply.statusCode, size, firstByte, etag: String(reply.headers['etag'] ?? '') }
    },
    signed: () => headers,
    close: () => pool.destroy(),
  }
}
