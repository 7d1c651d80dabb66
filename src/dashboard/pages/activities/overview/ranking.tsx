import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { number } from '../../../ui/format.ts'
import { seriesColours } from './series.ts'

interface Row {
  id: number
  name: ReactNode
  views: number
  downloads: number
}

interface RankingProps {
  /** What the rows are: "File". */
  of: string
  label: string
  rows: readonly Row[]
  empty: string
}

/** Who or what comes first, with a bar for what was viewed and downloaded. */
export function Ranking({ of, label, rows, empty }: RankingProps) {
  if (rows.length === 0) return <Empty>{empty}</Empty>
  const most = Math.max(1, ...rows.map(({ views, downloads }) => views + downloads))
  const share = (value: number) => ({ width: `${(value / most) * 100}%` })
  return (
    <Table aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          <th scope="col" className="number">
            Views
          </th>
          <th scope="col" className="number">
            Downloads
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, views, downloads }) => (
          <tr key={id}>
            <th scope="row">
              {name}
              <div className="bar" aria-hidden>
                <i className="views" style={share(views)} />
                <i className="downloads" style={share(downloads)} />
              </div>
            </th>
            <td className="number">{number(views)}</td>
            <td className="number">{number(downloads)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const Empty = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars.palette.text.secondary }))

const Table = styled('table')(({ theme }) => {
  const colours = seriesColours(theme)
  const { palette } = theme.vars
  return {
    width: '100%',
    tableLayout: 'fixed',
    borderCollapse: 'collapse',
    textAlign: 'left',
    'thead th': { paddingBottom: 4, fontSize: '0.75rem', fontWeight: 580, color: palette.text.secondary },
    '.number': { width: 76, textAlign: 'right' },
    'tbody th': { padding: '5px 0', fontWeight: 500 },
    'tbody th > :first-of-type': {
      display: 'block',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      color: 'inherit',
      textDecoration: 'none',
    },
    'a:hover': { textDecoration: 'underline !important' },
    '.bar': { display: 'flex', gap: 1, height: 4, marginTop: 4, borderRadius: 2, overflow: 'hidden' },
    '.bar i': { display: 'block', borderRadius: 2 },
    '.views': { background: colours.views },
    '.downloads': { background: colours.downloads },
  }
})
