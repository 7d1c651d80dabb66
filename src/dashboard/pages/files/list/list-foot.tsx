import { plural } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { countWords } from '../../../shared/names-of.ts'
import type { Entry } from '../../../shared/listing/entries.ts'
import { FOOT_HEIGHT } from '../../../shared/listing/list-surface.tsx'
import { sizeOf } from '../../../shared/listing/sort.ts'
import { UNPRINTED } from '../../../ui/print.ts'
import { bytes } from '../../../ui/words/format.ts'
import { useRoomListing } from '../room-listing.tsx'
import { useUnread, type Unread } from '../use-unread.ts'

/** What the list holds, below it. */
export function ListFoot() {
  const { entries, content } = useRoomListing()
  const unread = useUnread()
  if (!content) return null
  const { folders, files } = content.totals
  const hidden = folders + files - entries.length
  return (
    <Foot className={UNPRINTED}>
      {holdsWords(entries, unread)}
      {hidden > 0 && <span>{plural(hidden, { one: '# line filtered out', other: '# lines filtered out' })}</span>}
    </Foot>
  )
}

/** "5 folders and 8 files, 24 MB, 2 files unread". */
function holdsWords(entries: readonly Entry[], unread: Unread): string {
  const files = entries.filter(({ kind }) => kind === 'file')
  const size = files.reduce((sum, file) => sum + sizeOf(file), 0)
  const news = files.filter(({ key }) => unread.has(key)).length
  return [
    countWords({ folders: entries.length - files.length, files: files.length }),
    size > 0 && bytes(size),
    news > 0 && plural(news, { one: '# file unread', other: '# files unread' }),
  ]
    .filter(Boolean)
    .join(', ')
}

const Foot = styled('footer')(({ theme }) => ({
  position: 'absolute',
  inset: 'auto 0 0 0',
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 16,
  height: FOOT_HEIGHT,
  padding: '0 16px',
  boxSizing: 'border-box',
  overflow: 'hidden',
  whiteSpace: 'nowrap',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.text.secondary,
  fontSize: '0.75rem',
}))
