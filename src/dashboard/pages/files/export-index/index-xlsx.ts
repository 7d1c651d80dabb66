import { t } from '@lingui/core/macro'
import { formatWorkbook } from '../../../ui/words/workbook.ts'
import { cellsOf, columnNames, type IndexLine } from './read-index.ts'

const WIDTHS = [12, 60, 50, 10, 14, 8, 24, 40]

export function formatXlsx(title: string, lines: readonly IndexLine[]): Promise<Blob> {
  const row = (at: number) => {
    const line = lines[at]
    return line ? { cells: cellsOf(line), bold: line.kind === 'folder', link: line.link } : { cells: [] }
  }
  return formatWorkbook(title, [{ name: t`Index`, widths: WIDTHS, head: columnNames(), count: lines.length, row }])
}
