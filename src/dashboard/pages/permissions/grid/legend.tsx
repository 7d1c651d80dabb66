import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import { boxStyles } from './box-styles.ts'
import type { CellState } from '../sheet/rights.ts'

const MEANINGS: [CellState, MessageDescriptor][] = [
  ['on', msg`Granted`],
  ['implied', msg`Comes with download or upload`],
  ['mixed', msg`Differs inside`],
  ['off', msg`Not granted`],
]

/** Explains the marks, and the one gesture that cannot be guessed. */
export function Legend({ isStaging }: { isStaging: boolean }) {
  return (
    <footer>
      <List aria-label={t`Legend`}>
        {MEANINGS.map(([state, meaning]) => (
          <li key={state}>
            <span className={`box ${state}`} aria-hidden />
            {i18n._(meaning)}
          </li>
        ))}
        {isStaging && (
          <li>
            <span className="box off staged" aria-hidden />
            {t`Staged, not in force yet`}
          </li>
        )}
        <li className="gesture">
          <Trans>
            <kbd>Alt</kbd> + click or <kbd>Del</kbd> revokes
          </Trans>
        </li>
      </List>
    </footer>
  )
}

const List = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '6px 18px',
  margin: 0,
  padding: '9px 16px 11px',
  listStyle: 'none',
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
  li: { display: 'inline-flex', alignItems: 'center', gap: 7 },
  kbd: {
    padding: '0 5px',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 4,
    font: 'inherit',
    background: theme.vars.palette.background.paper,
  },
  '@media (hover: none)': { '.gesture': { display: 'none' } },
  ...boxStyles(theme),
}))
