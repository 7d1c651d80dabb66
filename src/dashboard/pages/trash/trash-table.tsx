import { t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { UNPRINTED } from '../../ui/print.ts'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { PlainButton } from '../../shared/listing/list-surface.tsx'
import { extend, toggle, type Order, type Selection } from '../../shared/listing/selection.ts'
import { BAR_HEIGHT } from './trash-bar.tsx'
import type { TrashItem } from './trash.ts'
import { NarrowTrashRow, TrashRow } from './trash-row.tsx'
import { nextTrashSort, type TrashColumn, type TrashSort } from './trash-view.ts'
import type { useRestore } from './use-restore.ts'

interface TrashTableProps {
  items: readonly TrashItem[]
  /** Shows the facts below the name instead of in columns. */
  narrow: boolean
  sort: TrashSort
  onSort: (sort: TrashSort) => void
  order: Order
  selection: Selection
  onSelect: (selection: Selection) => void
  restoring: ReturnType<typeof useRestore>
}

export function TrashTable(props: TrashTableProps) {
  const { items, narrow, sort, onSort, order, selection, onSelect, restoring } = props
  const chosen = items.filter(({ key }) => selection.chosen.has(key)).length
  const chooseAll = () => {
    const keys = new Set(selection.chosen)
    for (const { key } of items)
      if (chosen === items.length) keys.delete(key)
      else keys.add(key)
    onSelect({ ...selection, chosen: keys })
  }
  const Row = narrow ? NarrowTrashRow : TrashRow
  return (
    <Table size="small" aria-label={t`Recently deleted`} sx={{ tableLayout: narrow ? 'auto' : 'fixed' }}>
      <TableHead>
        <TableRow sx={{ height: BAR_HEIGHT, th: { py: 0 } }}>
          <TableCell padding="checkbox" className={UNPRINTED}>
            <Checkbox
              size="small"
              checked={chosen === items.length}
              indeterminate={chosen > 0 && chosen < items.length}
              onChange={chooseAll}
              slotProps={{ input: { 'aria-label': t`Select everything on this page` } }}
              sx={{ p: 0.5 }}
            />
          </TableCell>
          <Head column="name" label={t`Name`} sort={sort} onSort={onSort} />
          {!narrow && <Head column="path" label={t`Was in`} sort={sort} onSort={onSort} width="20%" />}
          {!narrow && <Head column="deleted" label={t`Deleted`} sort={sort} onSort={onSort} width={140} />}
          {!narrow && <Head column="by" label={t`By`} sort={sort} onSort={onSort} width={150} />}
          {!narrow && <TableCell sx={{ width: 120 }}>{t`Kept until`}</TableCell>}
          {!narrow && <Head column="size" label={t`Size`} sort={sort} onSort={onSort} width={96} right />}
          <TableCell className={UNPRINTED} sx={{ width: narrow ? 56 : 116 }} align="right">
            <VisuallyHidden>{t`Actions`}</VisuallyHidden>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {items.map((item) => (
          <Row
            key={item.deletion_id}
            item={item}
            chosen={selection.chosen.has(item.key)}
            onChoose={(shift) =>
              onSelect(shift ? extend(selection, order, item.key, true) : toggle(selection, item.key))
            }
            busy={restoring.running && restoring.items.some(({ deletion_id }) => deletion_id === item.deletion_id)}
            disabled={restoring.running}
            onRestore={() => restoring.restore([item])}
          />
        ))}
      </TableBody>
    </Table>
  )
}

interface HeadProps {
  column: TrashColumn
  label: string
  sort: TrashSort
  onSort: (sort: TrashSort) => void
  width?: number | string
  right?: boolean
}

function Head({ column, label, sort, onSort, width, right = false }: HeadProps) {
  const isSorted = sort.column === column
  const direction = sort.descending ? 'desc' : 'asc'
  const Icon = sort.descending ? ArrowDown : ArrowUp
  return (
    <TableCell
      sortDirection={isSorted ? direction : false}
      align={right ? 'right' : 'left'}
      {...(width !== undefined && { sx: { width } })}
    >
      <PlainButton type="button" onClick={() => onSort(nextTrashSort(sort, column))}>
        {label}
        {isSorted && <Icon size={13} aria-hidden />}
      </PlainButton>
    </TableCell>
  )
}

/** Placeholders for the lines, in the columns that the lines will have. */
export function LoadingTrash({ narrow }: { narrow: boolean }) {
  return narrow ? (
    <SkeletonRows rows={8} height={94} columns="18px minmax(0, 1fr) 32px" />
  ) : (
    <SkeletonRows rows={10} height={44} columns="18px minmax(0, 2fr) minmax(0, 1fr) 116px 126px 96px 72px 92px" />
  )
}
