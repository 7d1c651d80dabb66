import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { FileIcon, FolderIcon } from '../../shared/file-icon.tsx'
import { bytes, dayOf } from '../../ui/format.ts'
import { countWords } from '../../shared/names-of.ts'

type TrashItem = Reply<typeof api.trash.list>[number]

interface TrashListProps {
  items: readonly TrashItem[]
  /** The deletion that is being taken back. */
  busy: string | undefined
  onRestore: (item: TrashItem) => void
}

export function TrashList({ items, busy, onRestore }: TrashListProps) {
  return (
    <List>
      {items.map((item) => (
        <li key={item.deletion_id}>
          {item.type === 'folder' ? <FolderIcon size={20} /> : <FileIcon name={item.name} size={20} />}
          <div style={{ minWidth: 0, flex: 1 }}>
            <Typography noWrap title={item.name} sx={{ fontWeight: 500 }}>
              {item.name}
            </Typography>
            <Typography variant="caption" color="textSecondary" sx={{ display: 'block' }}>
              {factsOf(item)}
            </Typography>
          </div>
          <Button
            variant="outlined"
            loading={busy === item.deletion_id}
            aria-label={`Restore ${item.name}`}
            onClick={() => onRestore(item)}
          >
            Restore
          </Button>
        </li>
      ))}
    </List>
  )
}

function factsOf({ type, path, in_place, folders, files, size, purged_at }: TrashItem): string {
  const inside = countWords({ folders: folders - 1, files })
  const content = type === 'file' ? bytes(size) : inside === 'nothing' ? 'empty' : `with ${inside}`
  const place = in_place ? `from ${path}` : `from ${path}, which is gone: goes to the top`
  return [place, content, `until ${dayOf(purged_at)}`].join(' · ')
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: { display: 'flex', alignItems: 'center', gap: 12, minHeight: 56 },
  'li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))
