import { plural, t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import type { api } from '../../../../contract/index.ts'
import { flagName } from '../../../shared/who/flag-name.ts'
import { number } from '../../../ui/words/format.ts'

export type Effect = Reply<typeof api.permissions.change>['effects'][number]

interface EffectsTableProps<Each extends Effect> {
  label: string
  effects: readonly Each[]
  /** Rows drawn; for a longer list the number of further rows is shown. */
  most?: number
  /** Takes one away; without it, none can be. */
  onDiscard?: ((effect: Each) => void) | undefined
}

/** The rights of groups on folders before and after changes. */
export function EffectsTable<Each extends Effect>({ label, effects, most = 200, onDiscard }: EffectsTableProps<Each>) {
  const more = number(effects.length - most)
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={label} tabIndex={0} style={{ maxHeight: 320, overflow: 'auto' }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            <TableCell>{t`Folder`}</TableCell>
            <TableCell>{t`Group`}</TableCell>
            <TableCell>{t`Now`}</TableCell>
            <TableCell>{t`Then`}</TableCell>
            {onDiscard && <TableCell />}
          </TableRow>
        </TableHead>
        <TableBody>
          {effects.slice(0, most).map((effect) => (
            <TableRow key={`${effect.folder_id} ${effect.group_id}`}>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{placeOf(effect)}</TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{effect.group_name}</TableCell>
              <TableCell>{rightsText(effect.before)}</TableCell>
              <TableCell>{rightsBelow(rightsText(effect.after), effect.below)}</TableCell>
              {onDiscard && (
                <TableCell padding="none" align="right">
                  <DiscardButton effect={effect} onDiscard={() => onDiscard(effect)} />
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {effects.length > most && <Typography sx={{ p: 1 }}>{t`and ${more} more`}</Typography>}
    </div>
  )
}

function DiscardButton({ effect, onDiscard }: { effect: Effect; onDiscard: () => void }) {
  const place = placeOf(effect)
  const { group_name } = effect
  return (
    <IconButton
      size="small"
      aria-label={t`Discard the change for ${group_name} on ${place}`}
      title={t`Discard`}
      onClick={onDiscard}
    >
      <X size={16} />
    </IconButton>
  )
}

const placeOf = ({ path }: Effect) => (path === '/' ? t`All Folders` : path)

function rightsText(rights: Effect['before']): string {
  const names = FLAGS.filter((flag) => rights[flag]).map(flagName)
  return names.join(', ') || t({ message: 'Nothing', context: 'right' })
}

function rightsBelow(rights: string, below: number): string {
  if (below === 0) return rights
  return plural(below, { one: `${rights}, also in # folder inside`, other: `${rights}, also in # folders inside` })
}
