import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

const WORDS: Record<string, MessageDescriptor> = {
  pdf: msg`PDF document`,
  doc: msg`Word document`,
  docx: msg`Word document`,
  odt: msg`Text document`,
  rtf: msg`Text document`,
  txt: msg`Plain text`,
  md: msg`Plain text`,
  xls: msg`Excel workbook`,
  xlsx: msg`Excel workbook`,
  ods: msg`Spreadsheet`,
  csv: msg`Table (CSV)`,
  ppt: msg`PowerPoint presentation`,
  pptx: msg`PowerPoint presentation`,
  odp: msg`Presentation`,
  dwg: msg`AutoCAD drawing`,
  dxf: msg`Drawing`,
  zip: msg`ZIP archive`,
}

/** Keyed by the part of a content type before the slash. */
const FAMILIES: Record<string, { alone: MessageDescriptor; of: (extension: string) => string }> = {
  image: { alone: msg`Picture`, of: (extension) => t`${extension} picture` },
  video: { alone: msg`Video`, of: (extension) => t`${extension} video` },
  audio: { alone: msg`Recording`, of: (extension) => t`${extension} recording` },
  text: { alone: msg`Text`, of: (extension) => t`${extension} text` },
}

const OTHER = { alone: msg`File`, of: (extension: string) => t`${extension} file` }

/** "PDF document", "PNG picture", "XYZ file". */
export function typeWords(fileName: string, contentType: string): string {
  const dot = fileName.lastIndexOf('.')
  const extension = dot > 0 ? fileName.slice(dot + 1).toLowerCase() : ''
  const known = WORDS[extension]
  if (known) return i18n._(known)
  const family = FAMILIES[contentType.split('/')[0] ?? ''] ?? OTHER
  return extension === '' || extension.length > 5 ? i18n._(family.alone) : family.of(extension.toUpperCase())
}
