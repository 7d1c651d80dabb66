import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo } from 'react'
import { PlainButton } from '../../../shared/listing/list-surface.tsx'
import type { Columns } from './list-row.tsx'
import { nextSort, type Sort, type SortColumn } from '../../../shared/listing/sort.ts'

interface ListHeadProps {
  sort: Sort
  columns: Columns
  onSort: (sort: Sort) => void
}

/** The column heads. A click sorts; a third click, or one on the index, restores the order of the room. */
export const ListHead = memo(function ListHead({ sort, columns, onSort }: ListHeadProps) {
  const head = (column: SortColumn, label: string, className?: string) => (
    <div role="columnheader" className={className} aria-sort={directionOf(sort, column)}>
      <PlainButton type="button" onClick={() => onSort(nextSort(sort, column))}>
        {label}
        {sort?.column === column && <Direction descending={sort.descending} />}
      </PlainButton>
    </div>
  )
  return (
    <div role="row" aria-rowindex={1} className="row head">
      <div role="columnheader" className="icon" aria-sort={sort ? 'none' : 'ascending'}>
        <span className="check" />
        <PlainButton type="button" onClick={() => onSort(undefined)}>{t`Index`}</PlainButton>
      </div>
      {head('name', t`Name`)}
      {columns === 'protected' && <div role="columnheader" className="guard">{t`Protection`}</div>}
      {columns === 'with-pages' && head('pages', t`Pages`, 'number')}
      {head('changed', t`Changed`, 'date')}
      {head('size', t`Size`, 'number')}
      <Unseen label={t`Actions`} />
    </div>
  )
})

/** A column head for screen readers only: on screen, the content of the column is clear without a label. */
const Unseen = ({ label }: { label: string }) => (
  <div role="columnheader">
    <span className="unseen">{label}</span>
  </div>
)

function Direction({ descending }: { descending: boolean }) {
  const Icon = descending ? ArrowDown : ArrowUp
  return <Icon size={13} aria-hidden />
}

function directionOf(sort: Sort, column: SortColumn) {
  if (sort?.column !== column) return 'none'
  return sort.descending ? 'descending' : 'ascending'
}
