import { csvCell } from '../../../contract/csv-cell.ts'
import type { Member } from '../../store/downloads/download-members.ts'

export const MANIFEST_NAME = 'MANIFEST.csv'

const REASONS: Record<NonNullable<Member['left_out']>, string> = {
  right: 'you may view this folder but not download from it',
  drm: 'delivered sealed only, and cannot be sealed',
  watermark: 'delivered with a watermark only, and cannot have one',
  infected: 'infected',
  unscanned: 'not checked for malware yet',
}

/** Starts with a byte order mark; without it, spreadsheets assume another encoding. */
export const MANIFEST_HEAD = '\ufeff"path","size","sha256","included","reason"\r\n'

/**
 * Returns the line of one member; an included folder has none. A file that is left out has no hash, because the hash
 * would tell a reader whether the file equals one from elsewhere.
 */
export function manifestLine({ entry_name, file_id, size, sha256, left_out, left_out_reason }: Member): string {
  if (file_id === null && left_out === null) return ''
  const facts = file_id === null ? ['', ''] : [String(size), left_out === null ? sha256 : '']
  const outcome =
    left_out === null ? ['yes', ''] : ['no', [REASONS[left_out], left_out_reason].filter(Boolean).join(': ')]
  return `${[entry_name ?? '', ...facts, ...outcome].map(cell).join(',')}\r\n`
}

const cell = (text: string): string => `"${csvCell(text).replaceAll('"', '""')}"`
