import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ReactNode, useState } from 'react'
import { TWO_LINES } from '../../../ui/words/two-lines.ts'
import { number } from '../../../ui/words/format.ts'
import type { Series } from './periods.ts'
import { SERIES_NAMES, seriesColours } from './series.ts'

/** This many rows are as high as the chart beside them. */
const FIRST_ROWS = 5

interface Row {
  id: number
  name: ReactNode
  views: number
  downloads: number
  others?: number
}

interface RankingProps {
  /** The columns with numbers. */
  series: readonly Series[]
  /** Heading of the row names: "File". */
  of: string
  label: string
  rows: readonly Row[]
  empty: string
}

/** A ranking of files or users, with numbers and bars. */
export function Ranking({ series, of, label, rows, empty }: RankingProps) {
  const [whole, setWhole] = useState(false)
  if (rows.length === 0) return <Empty>{empty}</Empty>
  const many = number(rows.length)
  const most = Math.max(1, ...rows.map((row) => series.reduce((sum, each) => sum + (row[each] ?? 0), 0)))
  return (
    <>
      <Table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            {series.map((each) => (
              <th key={each} scope="col" className="number">
                {i18n._(SERIES_NAMES[each])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, whole ? rows.length : FIRST_ROWS).map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <div className="name">{row.name}</div>
                <div className="bar" aria-hidden>
                  {series.map((each) => (
                    <i key={each} className={each} style={{ width: `${((row[each] ?? 0) / most) * 100}%` }} />
                  ))}
                </div>
              </th>
              {series.map((each) => (
                <td key={each} className="number">
                  {number(row[each] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {rows.length > FIRST_ROWS && !whole && (
        <Button onClick={() => setWhole(true)} aria-label={t`${label}: show ${many}`} sx={{ mt: 0.5, ml: -1.5 }}>
          <Trans>Show {many}</Trans>
        </Button>
      )}
    </>
  )
}

const Empty = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars.palette.text.secondary }))

const Table = styled('table')(({ theme }) => {
  const colours = seriesColours(theme)
  const { palette } = theme.vars
  return {
    width: '100%',
    borderCollapse: 'collapse',
    textAlign: 'left',
    'thead th': { paddingBottom: 4, fontSize: '0.75rem', fontWeight: 580, color: palette.text.secondary },
    'thead th:first-of-type': { width: '100%' },
    '.number': { paddingLeft: 12, textAlign: 'right' },
    'tbody th': { padding: '5px 0', fontWeight: 500 },
    'tbody td': { padding: '5px 0 5px 12px', verticalAlign: 'top' },
    '.name': TWO_LINES,
    a: { color: 'inherit', textDecoration: 'none' },
    'a:hover': { textDecoration: 'underline' },
    '.bar': { display: 'flex', gap: 1, height: 4, marginTop: 4, borderRadius: 2, overflow: 'hidden' },
    '.bar i': { display: 'block', borderRadius: 2 },
    '.bar .views': { background: colours.views },
    '.bar .downloads': { background: colours.downloads },
    '.bar .others': { background: colours.others },
  }
})
