import { useMemo, useSyncExternalStore } from 'react'
import { expandedRows, matchingRows } from './folder-tree.ts'
import type { PermissionSheet } from './permission-sheet.ts'

/** The rows to show, by folder id; whoever asks is drawn again whenever the sheet changes. */
export function useSheetRows(sheet: PermissionSheet, filter: string): number[] {
  useSyncExternalStore(sheet.subscribe, sheet.getVersion)
  const { rowsVersion } = sheet
  return useMemo(
    () => (filter === '' ? expandedRows(sheet.tree, sheet.expanded) : matchingRows(sheet.tree, filter)),
    // oxlint-disable-next-line react/exhaustive-deps -- the sheet changes in place and counts its changes
    [sheet, filter, rowsVersion],
  )
}
