import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, type RefObject } from 'react'
import { paths } from '../../../paths.ts'
import { SIZES } from '../../../theme.ts'
import { printedRange, usePrinting } from '../../../ui/print.ts'
import { outlineOf, pathNames, ROOT } from '../sheet/folder-tree.ts'
import { type GridGroup, GridRow } from './grid-row.tsx'
import { GROUPS_HEIGHT } from './grid-surface.tsx'
import type { PermissionSheet } from '../sheet/permission-sheet.ts'
import { type AboutCells, statesOf } from '../sheet/sheet-cells.ts'
import { isInDraft } from '../sheet/use-drafts.ts'

const HEAD_ROWS = 2
const HEAD_HEIGHT = GROUPS_HEIGHT + SIZES.gridRow

/** Must keep its identity: otherwise all rows would be measured again at every scroll step. */
const estimateSize = () => SIZES.gridRow

export type RowWindow = Virtualizer<HTMLDivElement, Element>

/** Keeps only the rows in view and the row with the tab stop in the DOM. */
export function useRowWindow(surface: RefObject<HTMLDivElement | null>, rows: readonly number[], stopRow: number) {
  const getItemKey = useCallback((index: number) => rows[index] ?? -1, [rows])
  const isPrinted = usePrinting()
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler is used here
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => surface.current,
    estimateSize,
    getItemKey,
    overscan: 4,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    initialRect: { width: 1000, height: 700 },
    rangeExtractor: (range) => {
      if (isPrinted) return printedRange(range.count)
      const inView = defaultRangeExtractor(range)
      if (stopRow < 0 || stopRow >= range.count || inView.includes(stopRow)) return inView
      return [...inView, stopRow].sort((a, b) => a - b)
    },
  })
}

interface GridRowsProps {
  sheet: PermissionSheet
  groups: readonly GridGroup[]
  rows: readonly number[]
  window: RowWindow
  stop: { folderId: number; column: number }
  /** While rows are filtered, every folder with rows below is shown open. */
  filtered: boolean
  about: AboutCells
  /** The cell under the pointer of an admin. */
  pointed: { folderId: number; groupId: number } | undefined
  workspaceId: number
}

export function GridRows({ sheet, groups, rows, window, stop, filtered, about, pointed, workspaceId }: GridRowsProps) {
  return (
    <div role="rowgroup" className="body" style={{ height: window.getTotalSize() }}>
      {window.getVirtualItems().map(({ index, start }) => {
        const id = rows[index] ?? ROOT
        const node = sheet.tree.nodes.get(id)
        if (!node) return null
        const open = filtered ? sheet.tree.levels.has(id) : sheet.expanded.has(id)
        return (
          <GridRow
            key={id}
            node={node}
            rowIndex={index + 1 + HEAD_ROWS}
            top={start - HEAD_HEIGHT}
            siblings={sheet.tree.levels.get(node.parentId)?.length ?? 1}
            outline={outlineOf(sheet.tree, id)}
            path={pathNames(sheet.tree, id)}
            expanded={node.children > 0 ? open : undefined}
            loading={sheet.loading.has(id)}
            draft={isInDraft(sheet.tree, id, about.drafts)}
            documents={about.documentsIn(id)}
            groups={groups}
            viewedGroup={id === pointed?.folderId ? pointed.groupId : undefined}
            viewAs={id === pointed?.folderId ? paths.viewAs(workspaceId, { group: pointed.groupId }, id) : ''}
            states={statesOf(sheet, groups, id, about)}
            stop={id === stop.folderId ? stop.column : -1}
          />
        )
      })}
    </div>
  )
}
