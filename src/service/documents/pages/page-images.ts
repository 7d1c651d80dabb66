import type { UnmarkedPages } from '../../access/scopes.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Document } from '../../store/documents/documents.ts'
import type { PageCache, PageFile } from './page-cache.ts'
import { DocumentFault, type PageImage, type Renderer, type Work } from '../render.ts'

export type PageSize = 'page' | 'thumbnail'

/** The content that the pages of a document are drawn from: the original, or its conversion. */
export interface PageSource {
  blob_id: string
  type: string
}

declare const unmarked: unique symbol
/** A page image without a mark. Only `bytesOf` opens it. */
export interface UnmarkedImage {
  readonly [unmarked]: true
}

export const bytesOf = (image: UnmarkedImage, _permission: UnmarkedPages): Buffer => image as unknown as Buffer

export interface PageImages {
  /**
   * Returns the JPEG of a page or the WebP of a thumbnail, without checking rights. Drawing counts against the user's
   * share of the renderer, if `work` names a user.
   * @throws DocumentFault for a page that cannot be drawn
   */
  read(source: PageSource, page: number, size: PageSize, work?: Work): Promise<UnmarkedImage>
  /** Removes what was drawn of content. */
  forget(blobId: string): Promise<void>
  close(): Promise<void>
}

interface Means {
  blobs: BlobStore
  cache: PageCache
  renderer: Renderer
  /** Checks content that cannot be drawn for damage. May reject if the content is damaged. */
  examine?: (blobId: string) => Promise<void>
}

export const sourceOf = ({ blob_id, content_type, converted_blob_id, converted_type }: Document): PageSource => ({
  blob_id: converted_blob_id ?? blob_id,
  type: converted_type ?? content_type,
})

const seal = (image: Buffer) => image as unknown as UnmarkedImage

export function createPageImages({ blobs, cache, renderer, examine }: Means): PageImages {
  /** Drawings in progress, which concurrent requests for the same page share. */
  const drawing = new Map<string, Promise<PageImage>>()

  function draw(source: PageSource, page: number, work?: Work): Promise<PageImage> {
    const key = `${source.blob_id} ${page}`
    const known = drawing.get(key)
    if (known) return known
    const image = drawAnew(source, page, work).finally(() => drawing.delete(key))
    drawing.set(key, image)
    return image
  }

  async function drawAnew({ blob_id, type }: PageSource, page: number, work?: Work): Promise<PageImage> {
    const known = await cache.read(blob_id, `${page}.fault`)
    if (known) throw new DocumentFault(known.toString())
    try {
      const image = await blobs.withFile(blob_id, (path) => renderer.page({ path, type }, page, work))
      await Promise.all([keep(blob_id, `${page}.jpg`, image.jpeg), keep(blob_id, `${page}.webp`, image.thumbnail)])
      return image
    } catch (error) {
      if (!work?.signal?.aborted) await examine?.(blob_id)
      // Cache the fault: a page that used up its time once would do so on every request.
      if (error instanceof DocumentFault) await keep(blob_id, `${page}.fault`, error.message)
      throw error
    }
  }

  /** Ignores a write error, on a full disk for example, because a missing cache entry costs only time. */
  const keep = (blobId: string, name: PageFile, content: Buffer | string) =>
    cache.write(blobId, name, content).catch(() => {})

  return {
    async read(source, page, size, work) {
      const cached = await cache.read(source.blob_id, size === 'page' ? `${page}.jpg` : `${page}.webp`)
      if (cached) return seal(cached)
      const image = await draw(source, page, work)
      return seal(size === 'page' ? image.jpeg : image.thumbnail)
    },
    forget: (blobId) => cache.removeAll([blobId]),
    close: () => renderer.close(),
  }
}
