import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Range } from '../blobs/blob-store.ts'
import { ApiError } from '../errors.ts'
import type { FileVersion } from '../store/file-versions.ts'
import { parseRange } from './byte-range.ts'
import { CONTENT_PREFIX } from './content-url.ts'
import type { Services } from './context.ts'
import { openContent } from './open-content.ts'

/** Expiring URLs. They need no signature: their token is made, and its claim checked again, by the service alone. */
export function registerContent(app: FastifyInstance, services: Services): void {
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: `${CONTENT_PREFIX}:token`,
    handler: async (request, reply) => {
      const content = await openContent(services, request.params.token, request.ip)
      return deliver(services, content, request, reply)
    },
  })
}

async function deliver(services: Services, content: FileVersion, request: FastifyRequest, reply: FastifyReply) {
  const etag = `"${content.sha256.toString('hex')}"`
  const range = wantedRange(request, content, etag)
  const { start, end } = range ?? { start: 0, end: content.file_size - 1 }
  const size = end - start + 1
  const isBare = request.method === 'HEAD' || size === 0
  const stream = isBare ? undefined : await services.blobs.read(content.blob_id, { start, end })
  reply.code(range ? 206 : 200).headers({
    ...headersOf(content),
    ETag: etag,
    'Content-Length': size,
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${content.file_size}` }),
  })
  return reply.send(stream)
}

/** If-Range with anything but this very content asks for the whole. */
function wantedRange({ headers }: FastifyRequest, { file_size }: FileVersion, etag: string): Range | undefined {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const range = parseRange(headers.range, file_size)
  if (range !== 'unsatisfiable') return range
  throw new ApiError(416, 'The file has no such bytes.', undefined, { 'Content-Range': `bytes */${file_size}` })
}

/** Content comes from people: a browser must save it and neither show, guess nor run it. */
function headersOf({ title, file_content_type }: FileVersion) {
  return {
    'Content-Type': file_content_type,
    'Content-Disposition': contentDisposition(title),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': 'sandbox',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Accept-Ranges': 'bytes',
  }
}
