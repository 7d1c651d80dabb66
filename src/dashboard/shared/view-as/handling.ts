import { t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { isUnsealable, type FileEntry } from '../listing/entries.ts'
import type { Reader } from '../listing/folder-query.ts'

type Handling = Reply<typeof api.permissions.viewFileAs>
type File = FileEntry['source']

/** How a reader gets a file. */
export const handlingQuery = (workspace_id: number, id: number, reader: Reader) =>
  read(api.permissions.viewFileAs, { params: { id }, query: { workspace_id, ...reader } })

export const hasPages = ({ infected, viewer_status }: File) => viewer_status === 'Ready' && infected !== true

export function pagesWords(file: File, { marked_pages: marked }: Handling): string {
  if (hasPages(file)) return marked ? t`With their watermark` : t`Without a watermark`
  if (file.infected) return t`None: a virus was found in this file`
  const isComing = file.viewer_status === 'Pending' || file.viewer_status === 'Processing'
  return isComing ? t`None until they are made` : t`None: this file has no pages to show`
}

export function textWords({ text_layer: layer }: Handling): string {
  if (layer === 'select') return t`Can be found, selected and copied`
  return layer === 'find' ? t`Can be found, not copied` : t`None: the pages are pictures`
}

export function downloadWords(file: File, { download, hindrance }: Handling): string {
  if (download === 'none') return t`Not permitted`
  if (hindrance === 'infected') return t`None: a virus was found in this file`
  if (file.damaged) return t`None: the stored file is damaged`
  if (hindrance === 'not_scanned') return t`None until this file is checked for viruses`
  if (hindrance === 'not_prepared') return t`None until this file is prepared for the watermark`
  if (hindrance === 'unmarkable') return t`None: this file cannot carry their watermark`
  if (download === 'sealed' && isUnsealable(file.viewer_status)) return t`None: this file cannot be sealed`
  if (download === 'sealed') return t`A sealed copy`
  return download === 'marked' ? t`A copy with their watermark` : t`The original file`
}
