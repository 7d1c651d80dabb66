import { DOCUMENT_REASONS } from '../../../../contract/shown-sentences.ts'
import type { Document } from '../../../store/documents/documents.ts'
import { formatOf, formatOfExtension, pagesOf } from '../../formats.ts'

type Facts = Pick<Document, 'blob_id' | 'content_type' | 'status' | 'reason' | 'converted_blob_id' | 'converted_type'>

export type StampSource = { blob_id: string; type: string } | { unstampable: string } | 'not yet'

const isStampable = (type: string): boolean => pagesOf(type).marked === 'itself'

/** Returns the source of a stamped copy: the content, or the PDF or image made of it, which may take a while. */
export function stampSourceOf(document: Facts): StampSource {
  const { blob_id, content_type, status, reason, converted_blob_id, converted_type } = document
  if (status === 'Failed') return { unstampable: reason ?? DOCUMENT_REASONS.unreadable }
  if (isStampable(content_type)) return { blob_id, type: content_type }
  if (converted_blob_id && converted_type && isStampable(converted_type)) {
    return { blob_id: converted_blob_id, type: converted_type }
  }
  if (status === 'Pending' || status === 'Processing') return 'not yet'
  return { unstampable: DOCUMENT_REASONS.cannot_be_marked }
}

/**
 * Returns a name with the extension of the copy's type: "plan.docx" becomes "plan.pdf". What follows the last dot is
 * replaced only if it is the extension of a format: "Release 4.0.7 README" becomes "Release 4.0.7 README.pdf".
 */
export function stampedName(name: string, type: string): string {
  const extensions: readonly string[] = formatOf(type)?.extensions ?? []
  const own = /\.([^./]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (extensions.length === 0 || extensions.includes(own)) return name
  const stem = formatOfExtension(own) ? name.slice(0, -own.length - 1) : name
  return `${stem}.${extensions[0]}`
}
