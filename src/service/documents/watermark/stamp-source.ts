import type { Document } from '../../store/documents.ts'
import { isStampableImage } from './stamp-image.ts'

type Facts = Pick<Document, 'blob_id' | 'content_type' | 'status' | 'reason' | 'converted_blob_id' | 'converted_type'>

export type StampSource = { blob_id: string; type: string } | { unstampable: string } | 'not yet'

const isStampable = (type: string): boolean => type === 'application/pdf' || isStampableImage(type)

/** Returns the source of a stamped copy: the content, or the PDF or image made of it, which may take a while. */
export function stampSourceOf(document: Facts): StampSource {
  const { blob_id, content_type, status, reason, converted_blob_id, converted_type } = document
  if (status === 'Failed') return { unstampable: reason ?? 'The file could not be read.' }
  if (isStampable(content_type)) return { blob_id, type: content_type }
  if (converted_blob_id && converted_type && isStampable(converted_type)) {
    return { blob_id: converted_blob_id, type: converted_type }
  }
  if (status === 'Pending' || status === 'Processing') return 'not yet'
  return { unstampable: 'A file of this type cannot carry a watermark.' }
}

const EXTENSIONS: Record<string, readonly string[]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/tiff': ['tif', 'tiff'],
  'image/avif': ['avif'],
}

/** Returns a name with the extension of the copy's type: "plan.docx" becomes "plan.pdf". */
export function stampedName(name: string, type: string): string {
  const [extension, ...others] = EXTENSIONS[type] ?? []
  const own = /\.([^./]{1,10})$/.exec(name)?.[1]
  if (extension === undefined || [extension, ...others].includes(own?.toLowerCase() ?? '')) return name
  return `${own === undefined ? name : name.slice(0, -own.length - 1)}.${extension}`
}
