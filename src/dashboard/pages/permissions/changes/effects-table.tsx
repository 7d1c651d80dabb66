import { plural, t } from '@lingui/core/macro'
import IconButton from '@mui/material/IconButton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import type { api } from '../../../../contract/index.ts'
import { useScreen } from '../../../shared/listing/use-screen.ts'
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
  const { phone } = useScreen()
  const more = number(effects.length - most)
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={label} tabIndex={0} style={{ maxHeight: 320, overflow: 'auto' }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            <TableCell>{t`Folder`}</TableCell>
            {!phone && <TableCell>{t`Group`}</TableCell>}
            {!phone && <TableCell>{t`Now`}</TableCell>}
            <TableCell>{t`Then`}</TableCell>
            {onDiscard && <TableCell />}
          </TableRow>
        </TableHead>
        <TableBody>
          {effects.slice(0, most).map((effect) => (
            <EffectRow key={`${effect.folder_id} ${effect.group_id}`} {...{ effect, phone, onDiscard }} />
          ))}
        </TableBody>
      </Table>
      {effects.length > most && <Typography sx={{ p: 1 }}>{t`and ${more} more`}</Typography>}
    </div>
  )
}

interface EffectRowProps<Each extends Effect> {
  effect: Each
  /** The group stands below the folder, and the rights of today above those to come. */
  phone: boolean
  onDiscard: ((effect: Each) => void) | undefined
}

function EffectRow<Each extends Effect>({ effect, phone, onDiscard }: EffectRowProps<Each>) {
  const { group_name, before, after, below } = effect
  const now = rightsText(before)
  return (
    <TableRow>
      <TableCell sx={ANYWHERE}>
        {placeOf(effect)}
        {phone && <Quiet>{group_name}</Quiet>}
      </TableCell>
      {!phone && <TableCell sx={ANYWHERE}>{group_name}</TableCell>}
      {!phone && <TableCell>{now}</TableCell>}
      <TableCell>
        {phone && <Quiet>{t`Now: ${now}`}</Quiet>}
        {rightsBelow(rightsText(after), below)}
      </TableCell>
      {onDiscard && (
        <TableCell padding="none" align="right">
          <DiscardButton effect={effect} onDiscard={() => onDiscard(effect)} />
        </TableCell>
      )}
    </TableRow>
  )
}

const ANYWHERE = { overflowWrap: 'anywhere' } as const

const Quiet = styled('div')(({ theme }) => ({ fontSize: '0.75rem', color: theme.vars.palette.text.secondary }))

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

const placeOf = ({ numbered_path: path }: Effect) => (path === '/' ? t`All Folders` : path)

function rightsText(rights: Effect['before']): string {
  const names = FLAGS.filter((flag) => rights[flag]).map(flagName)
  return names.join(', ') || t({ message: 'Nothing', context: 'right' })
}

function rightsBelow(rights: string, below: number): string {
  if (below === 0) return rights
  return plural(below, { one: `${rights}, also in # folder inside`, other: `${rights}, also in # folders inside` })
}
