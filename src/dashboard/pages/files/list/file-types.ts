import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { FileKind } from '../../../../contract/endpoints/files.ts'

/** "Spreadsheet", or with the extension of the file "XLSX spreadsheet". */
const WORDS: Record<FileKind, { alone: MessageDescriptor; of: (extension: string) => string }> = {
  pdf: { alone: msg`PDF document`, of: () => t`PDF document` },
  document: { alone: msg`Document`, of: (extension) => t`${extension} document` },
  spreadsheet: { alone: msg`Spreadsheet`, of: (extension) => t`${extension} spreadsheet` },
  presentation: { alone: msg`Presentation`, of: (extension) => t`${extension} presentation` },
  image: { alone: msg`Picture`, of: (extension) => t`${extension} picture` },
  message: { alone: msg`E-mail`, of: (extension) => t`${extension} e-mail` },
  drawing: { alone: msg`Drawing`, of: (extension) => t`${extension} drawing` },
  video: { alone: msg`Video`, of: (extension) => t`${extension} video` },
  audio: { alone: msg`Recording`, of: (extension) => t`${extension} recording` },
  archive: { alone: msg`Archive`, of: (extension) => t`${extension} archive` },
  other: { alone: msg`File`, of: (extension) => t`${extension} file` },
}

/** "PDF document", "PNG picture", "XYZ file". */
export function typeWords({ file_name, kind }: { file_name: string; kind: FileKind }): string {
  const dot = file_name.lastIndexOf('.')
  const extension = dot > 0 ? file_name.slice(dot + 1) : ''
  // A newer service may know further kinds.
  const { alone, of } = WORDS[kind] ?? WORDS.other
  return extension === '' || extension.length > 5 ? i18n._(alone) : of(extension.toUpperCase())
}
