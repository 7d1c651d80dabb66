import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { ArchiveRestore } from 'lucide-react'
import type { ChangeEvent } from 'react'
import { FileIcon, FolderIcon } from '../../shared/file-icon.tsx'
import { countWords } from '../../shared/names-of.ts'
import { bytes, dayOf, timeAgo } from '../../ui/words/format.ts'
import { UNPRINTED } from '../../ui/print.ts'
import { Time } from '../../ui/words/time.tsx'
import type { TrashItem } from './trash.ts'

interface TrashRowProps {
  item: TrashItem
  chosen: boolean
  /** With `shift` it chooses all lines from the last chosen line on. */
  onChoose: (shift: boolean) => void
  busy: boolean
  disabled: boolean
  onRestore: () => void
}

export function TrashRow(props: TrashRowProps) {
  const { item, chosen, busy, disabled, onRestore } = props
  const { name } = item
  return (
    <TableRow hover selected={chosen} sx={{ height: 44 }}>
      <Choice {...props} />
      <TableCell>
        <Name item={item} />
      </TableCell>
      <TableCell>
        <Place item={item} />
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>
        <Time at={item.deleted_at} relative />
      </TableCell>
      <TableCell>
        <Typography noWrap variant="inherit" title={item.deleted_by_name}>
          {item.deleted_by_name}
        </Typography>
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>{dayOf(item.purged_at)}</TableCell>
      <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
        {bytes(item.size)}
      </TableCell>
      <TableCell align="right" className={UNPRINTED} sx={{ py: 0 }}>
        <Button
          variant="outlined"
          aria-label={t`Restore ${name}`}
          loading={busy}
          disabled={disabled || item.of_gone_draft}
          onClick={onRestore}
        >
          <Trans>Restore</Trans>
        </Button>
      </TableCell>
    </TableRow>
  )
}

/** On narrow screens all facts are below the name. */
export function NarrowTrashRow(props: TrashRowProps) {
  const { item, chosen, busy, disabled, onRestore } = props
  const { name } = item
  const end = dayOf(item.purged_at)
  return (
    <TableRow hover selected={chosen} sx={{ height: 94 }}>
      <Choice {...props} />
      <TableCell sx={{ maxWidth: 0, width: '100%' }}>
        <Name item={item} />
        <Typography component="div" variant="caption" color="textSecondary" sx={{ pl: '30px' }}>
          <Typography noWrap variant="inherit">
            {[timeAgo(item.deleted_at), item.deleted_by_name].filter(Boolean).join(' · ')}
          </Typography>
          <Typography noWrap variant="inherit">
            {placeWords(item)}
          </Typography>
          <div>{t`Kept until ${end}`}</div>
        </Typography>
      </TableCell>
      <TableCell align="right" className={UNPRINTED} sx={{ pl: 0 }}>
        <IconButton
          aria-label={t`Restore ${name}`}
          loading={busy}
          disabled={disabled || item.of_gone_draft}
          onClick={onRestore}
          sx={{ width: 44, height: 44 }}
        >
          <ArchiveRestore size={20} />
        </IconButton>
      </TableCell>
    </TableRow>
  )
}

function Choice({ item: { name }, chosen, onChoose, disabled }: TrashRowProps) {
  const choose = ({ nativeEvent }: ChangeEvent) => onChoose(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
  return (
    <TableCell padding="checkbox" className={UNPRINTED}>
      <Checkbox
        size="small"
        checked={chosen}
        disabled={disabled}
        onChange={choose}
        slotProps={{ input: { 'aria-label': t`Select ${name}` } }}
        sx={{ p: 0.5 }}
      />
    </TableCell>
  )
}

function Name({ item: { kind, file_kind, name, folders, files } }: { item: TrashItem }) {
  const inside = { folders: folders - 1, files }
  return (
    <Line>
      {kind === 'folder' ? <FolderIcon /> : <FileIcon kind={file_kind} />}
      <span className="name" title={name}>
        {name}
      </span>
      {kind === 'folder' && <span className="inside">{contentWords(inside)}</span>}
    </Line>
  )
}

/** "with 3 folders and 12 files". */
function contentWords(inside: { folders: number; files: number }): string {
  if (inside.folders + inside.files === 0) return t({ message: 'empty', context: 'of a folder' })
  const content = countWords(inside)
  return t`with ${content}`
}

/** The folder that contained the item, with a note if that folder is gone. */
function placeWords({ numbered_path: path, in_place, of_gone_draft }: TrashItem): string {
  const place = path === '/' ? t`Top folder` : path
  if (of_gone_draft) return t`${place}, a folder of a draft, which is gone: restore that folder first`
  return in_place ? place : t`${place}, which is gone: goes to the top, with the rights there`
}

function Place({ item }: { item: TrashItem }) {
  const text = placeWords(item)
  return (
    <Typography noWrap variant="inherit" title={text} color={item.in_place ? undefined : 'textSecondary'}>
      {text}
    </Typography>
  )
}

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minWidth: 0,
  '.name': { fontWeight: 500, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '.inside': { color: theme.vars.palette.text.secondary, flexShrink: 0, fontSize: '0.75rem' },
}))
