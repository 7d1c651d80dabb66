import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Range } from '../blobs/blob-store.ts'
import { ApiError } from '../base/errors.ts'
import { parseRange } from '../content/byte-range.ts'
import { CONTENT_PREFIX } from '../content/content-url.ts'
import type { Services } from './context.ts'
import { type Content, openContent } from '../content/open-content.ts'
import { createLostUrlAudit } from './refusals.ts'
import { sendBytes, sendChunks } from './send-chunks.ts'
import { createUserQueues } from './user-queues.ts'

/** Expiring URLs. They need no signature: only the service makes their tokens, and it checks their claims again. */
export function registerContent(app: FastifyInstance, services: Services): void {
  const queues = createUserQueues(undefined, services.siblings.count)
  const auditLostUrl = createLostUrlAudit(services)
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: `${CONTENT_PREFIX}:token`,
    handler: async (request, reply) => {
      const claim = services.contentUrls.read(request.params.token)
      const ip = services.clientAddresses.find(request)
      const open = () => openContent(services, auditLostUrl, claim, ip)
      const content = await queues.run(String(claim.user_id), reply.raw, open)
      const { accelRedirect } = services.config
      const isHandedOver = accelRedirect !== undefined && services.clientAddresses.isFromFrontServer(request)
      if (isHandedOver && content.handOver && content.size > 0 && request.method === 'GET')
        return handOver({ ...content, handOver: content.handOver }, accelRedirect, reply)
      const isDirect = services.config.blobDirect && request.headers['if-range'] === undefined
      if (isDirect && content.direct && content.size > 0 && request.method === 'GET')
        return redirect({ ...content, direct: content.direct }, request, reply)
      return deliver(content, request, reply)
    },
  })
}

/** Lets the front server send the file, or a range of it, with these headers. */
async function handOver(content: Content & Required<Pick<Content, 'handOver'>>, prefix: string, reply: FastifyReply) {
  const { place, vouches } = await content.handOver()
  // nginx adds an Accept-Ranges of its own.
  const { 'Accept-Ranges': _, ...kept } = headersOf(content)
  const headers = { ...kept, ...(vouches && { ETag: content.etag }) }
  return reply.headers({ ...headers, 'X-Accel-Redirect': `${prefix}/${place}` }).send()
}

async function redirect(
  content: Content & Required<Pick<Content, 'direct'>>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const range = wantedRange(request, content) && request.headers.range
  const { 'Content-Type': type, 'Content-Disposition': disposition, ...kept } = headersOf(content)
  const location = await content.direct({ type, disposition, range })
  return reply
    .headers({ ...kept, Location: location })
    .code(307)
    .send()
}

async function deliver(content: Content, request: FastifyRequest, reply: FastifyReply) {
  const range = wantedRange(request, content)
  const { start, end } = range ?? { start: 0, end: content.size - 1 }
  const size = end - start + 1
  const isBare = request.method === 'HEAD' || size === 0
  const vouches = isBare || !content.vouches || (await content.vouches({ start, end }))
  const bytes = isBare ? undefined : await content.read({ start, end })
  const head = {
    status: range ? 206 : 200,
    headers: {
      ...headersOf(content),
      ...(vouches && { ETag: content.etag }),
      'Content-Length': size,
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${content.size}` }),
    },
  }
  if (!bytes) return reply.code(head.status).headers(head.headers).send()
  return Buffer.isBuffer(bytes) ? sendBytes(reply, head, bytes) : sendChunks(reply, head, bytes)
}

/** An If-Range that does not match this content asks for the whole. */
function wantedRange({ headers }: FastifyRequest, { size, etag }: Content): Range | undefined {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const range = parseRange(headers.range, size)
  if (range !== 'unsatisfiable') return range
  throw new ApiError('no_such_bytes', {}, { headers: { 'Content-Range': `bytes */${size}` } })
}

const NO_PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

/** Users upload the content: a browser must save it unless the service drew it, and must neither sniff nor run it. */
function headersOf({ name, type, inline }: Content) {
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition(name, { type: inline ? 'inline' : 'attachment' }),
    'Content-Security-Policy': NO_PAGE_POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Accept-Ranges': 'bytes',
  }
}
