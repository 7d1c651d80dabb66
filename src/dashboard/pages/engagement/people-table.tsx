import { plural, t } from '@lingui/core/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { number, shortDate } from '../../ui/words/format.ts'
import { duration } from '../../ui/words/duration.ts'
import type { EngagedPerson } from './engaged.ts'

type Person = EngagedPerson & { last_page?: number | null }

interface PeopleTableProps {
  label: string
  people: readonly Person[]
  /** Of the document, where there is one: then the table has the last page of each person. */
  pages?: number
}

const FEW = 8

/** Who read for how long, and when first and last. */
export function PeopleTable({ label, people, pages }: PeopleTableProps) {
  const [all, setAll] = useState(false)
  const shown = all || people.length <= FEW + 2 ? people : people.slice(0, FEW)
  const left = people.length - shown.length
  return (
    <Scroll>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t`Person`}</th>
            <th scope="col">{t`Reading`}</th>
            {pages !== undefined && <th scope="col">{t`Up to page`}</th>}
            <th scope="col">{t`Views`}</th>
            <th scope="col">{t`Downloads`}</th>
            <th scope="col">{t`First`}</th>
            <th scope="col">{t`Last`}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((person) => (
            <tr key={person.user_id}>
              <th scope="row" title={person.user_name}>
                {person.user_name}
              </th>
              <td>{person.ms > 0 ? duration(person.ms) : '–'}</td>
              {pages !== undefined && <td>{person.last_page ?? '–'}</td>}
              <td>{number(person.views)}</td>
              <td>{number(person.downloads)}</td>
              <td>{shortDate(person.first_at)}</td>
              <td>{shortDate(person.last_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Button onClick={() => setAll(true)}>{plural(left, { one: 'Show # more', other: 'Show # more' })}</Button>
      )}
    </Scroll>
  )
}

const Scroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  table: { width: '100%', borderCollapse: 'collapse', fontSize: '0.75rem' },
  'tr > *': {
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    height: 30,
    padding: '2px 6px',
    textAlign: 'right',
    whiteSpace: 'nowrap',
  },
  'thead th:first-of-type, tbody th': {
    textAlign: 'left',
    paddingLeft: 0,
    maxWidth: 190,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  'tbody tr:last-of-type > *': { borderBottom: 0 },
  th: { fontWeight: 600 },
  'thead th': { color: theme.vars.palette.text.secondary },
  td: { fontVariantNumeric: 'tabular-nums' },
}))
