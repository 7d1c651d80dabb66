import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { TWO_LINES } from '../../ui/words/two-lines.ts'
import { number } from '../../ui/words/format.ts'
import { heatSteps } from './colours.ts'
import { duration } from '../../ui/words/duration.ts'
import type { Cell, EngagedGroup } from './engaged.ts'
import { stepOf } from '../../../contract/engagement/page-times.ts'

export interface HeatRow {
  id: number
  outline: string
  name: ReactNode
  isChosen: boolean
  cells: readonly Cell[]
}

interface HeatTableProps {
  label: string
  of: string
  groups: readonly Pick<EngagedGroup, 'group_id' | 'name'>[]
  rows: readonly HeatRow[]
}

/** Documents or folders against groups: how long each group read each of them. */
export function HeatTable({ label, of, groups, rows }: HeatTableProps) {
  const most = Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ ms }) => ms)))
  return (
    <Scroll>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col" className="outline">{t`Index`}</th>
            <th scope="col" className="name">
              {of}
            </th>
            {groups.map(({ group_id, name }) => (
              <th key={group_id} scope="col" className="cell" title={name}>
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, outline, name, isChosen, cells }) => (
            <tr key={id} className={isChosen ? 'chosen' : ''}>
              <td className="outline">{outline}</td>
              <th scope="row" className="name">
                {name}
              </th>
              {groups.map(({ group_id }) => (
                <td key={group_id} className="cell">
                  <Heat cell={cells.find((cell) => cell.group_id === group_id)} most={most} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Heat({ cell, most }: { cell: Cell | undefined; most: number }) {
  if (!cell) return null
  const { ms, access, views, downloads } = cell
  if (ms > 0) {
    return (
      <span className={`heat step-${stepOf(ms, most)}`} title={titleOf(cell)}>
        {duration(ms)}
      </span>
    )
  }
  if (views + downloads > 0) {
    return (
      <span className="heat opened" title={titleOf(cell)}>
        {views > 0 ? t`opened` : t`downloaded`}
      </span>
    )
  }
  return access ? (
    <span className="heat unread">{t`not opened`}</span>
  ) : (
    <span className="heat none">{t`no access`}</span>
  )
}

function titleOf({ readers, views, downloads, access }: Cell): string {
  const [people, viewed, loaded] = [number(readers), number(views), number(downloads)]
  const facts = t`Readers: ${people}, views: ${viewed}, downloads: ${loaded}`
  return access ? facts : t`${facts}. The group itself has no access.`
}

const Scroll = styled('div')(({ theme }) => {
  const { text, divider, selection, primary, background } = theme.vars.palette
  return {
    containerType: 'inline-size',
    overflowX: 'auto',
    table: { width: '100%', borderCollapse: 'collapse', fontSize: '0.8125rem', tableLayout: 'fixed' },
    'thead th': {
      color: text.secondary,
      fontSize: '0.75rem',
      fontWeight: 600,
      height: 32,
      borderTop: `1px solid ${divider}`,
    },
    'tr > *': { borderBottom: `1px solid ${divider}`, height: 38, padding: '3px 4px', textAlign: 'left' },
    '.outline': { width: 64, paddingLeft: 16, color: text.secondary },
    '.name': { width: 236, fontWeight: 600, overflow: 'hidden' },
    '.cell': { width: 88, textAlign: 'center' },
    'thead .cell span': { ...TWO_LINES, lineHeight: 1.3 },
    '@container (max-width: 660px)': { '.outline': { width: 52 }, '.name': { width: 196 }, '.cell': { width: 86 } },
    '.chosen > *': { background: selection.row },
    '.chosen .outline': { boxShadow: `inset 3px 0 ${primary.main}` },
    '.heat': {
      display: 'grid',
      placeItems: 'center',
      height: 31,
      borderRadius: 4,
      fontWeight: 600,
      fontSize: '0.75rem',
    },
    ...heatSteps(theme),
    '.opened, .unread, .none': { fontWeight: 400, fontSize: '0.6875rem', color: text.secondary },
    '.opened': { border: `1px solid ${divider}` },
    '.unread': { border: `1px dashed ${divider}` },
    '&& tbody tr:last-of-type > *': { borderBottom: `1px solid ${divider}` },
    '@media print': { '.outline': { width: 52 }, '.name': { width: '38%' } },
    [theme.breakpoints.down('sm')]: {
      '.outline': { display: 'none' },
      '.name': { width: 172, paddingLeft: 12, position: 'sticky', left: 0, background: background.paper },
      '.chosen > .name': { background: selection.row },
    },
  }
})
