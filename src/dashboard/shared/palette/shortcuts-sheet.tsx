import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { X } from 'lucide-react'
import { useId } from 'react'
import { shortcutText } from '../actions/shortcut.ts'
import { useOffered, type KeyHint } from '../actions/offers.ts'

const everywhere = (): KeyHint[] => [
  { keys: shortcutText({ key: 'k', command: true }), label: t`Commands` },
  { keys: '/', label: t`Search files` },
  { keys: '?', label: t`These shortcuts` },
]

/** All keys: those that work everywhere, and those of the open page. */
export function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const titleId = useId()
  const offered = useOffered().filter(({ keys }) => keys.length > 0)
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} maxWidth={offered.length > 0 ? 'sm' : 'xs'}>
      <DialogTitle id={titleId} sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
        <Trans>Keyboard shortcuts</Trans>
        <IconButton aria-label={t`Close`} onClick={onClose} edge="end">
          <X size={18} />
        </IconButton>
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start', pb: 3 }}>
        <Keys title={t`Everywhere`} keys={everywhere()} />
        {offered.map(({ title, keys }) => (
          <Keys key={title} title={title} keys={keys} />
        ))}
      </DialogContent>
    </Dialog>
  )
}

function Keys({ title, keys }: { title: string; keys: readonly KeyHint[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      <List>
        {keys.map(({ keys: text, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {text.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </List>
    </section>
  )
}

const Heading = styled('h3')(({ theme }) => ({
  margin: '0 0 6px',
  fontSize: '0.75rem',
  fontWeight: 580,
  color: theme.vars.palette.text.secondary,
}))

const List = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(230px, 1fr))',
  gap: '0 32px',
  margin: 0,
  div: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 12,
    minHeight: 32,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  dd: { display: 'flex', gap: 4, margin: 0, whiteSpace: 'nowrap' },
  kbd: {
    padding: '1px 6px',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 6,
    background: theme.vars.palette.background.default,
    font: 'inherit',
    fontSize: '0.75rem',
  },
}))
