import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import { expandedRows, matchingRows } from './folder-tree.ts'
import type { PermissionSheet } from './permission-sheet.ts'

/** Returns the ids of the rows to show, and redraws when the sheet changes. A filter searches all folders. */
export function useSheetRows(sheet: PermissionSheet, filter: string, onFailure: (failure: unknown) => void): number[] {
  useSyncExternalStore(sheet.subscribe, sheet.getVersion)
  const { rowsVersion } = sheet
  const isFiltered = filter !== ''
  const readAll = useEffectEvent(() => void sheet.readMissing().catch(onFailure))
  useEffect(() => {
    sheet.showsAll = isFiltered
    if (isFiltered) readAll()
    return () => void (sheet.showsAll = false)
  }, [sheet, isFiltered])
  return useMemo(
    () => (filter === '' ? expandedRows(sheet.tree, sheet.expanded) : matchingRows(sheet.tree, filter)),
    // oxlint-disable-next-line react/exhaustive-deps -- the sheet changes in place and counts its changes
    [sheet, filter, rowsVersion],
  )
}
