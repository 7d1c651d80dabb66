import type { Original } from '../blobs/integrity.ts'
import type { Services } from '../http/context.ts'
import type { Content, DirectHeaders } from './open-content.ts'

/** Content as it was uploaded. */
export function plainContent(
  services: Pick<Services, 'blobs' | 'integrity'>,
  { name, type, ...original }: Original & { name: string; type: string },
): Content {
  const { blobs, integrity } = services
  return {
    name,
    type,
    size: original.size,
    etag: `"${original.sha256.toString('hex')}"`,
    vouches: (range) => integrity.vouches(original, range),
    handOver: async () => ({ place: blobs.placeOf(original.blob_id), vouches: await integrity.certifies(original) }),
    ...(blobs.directUrl && { direct: (headers) => direct(services, original, headers) }),
    read: (range) => integrity.read(original, range),
  }
}

async function direct(
  { blobs, integrity }: Pick<Services, 'blobs' | 'integrity'>,
  original: Original,
  headers: DirectHeaders,
): Promise<string> {
  await integrity.certifies(original)
  return (await blobs.directUrl?.(original.blob_id, headers)) ?? ''
}
