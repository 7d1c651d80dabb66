import { csvFormatRows } from 'd3-dsv'
import { csvCell } from '../../../../contract/csv-cell.ts'
import { cellsOf, columnNames, type IndexLine } from './read-index.ts'

export const formatCsv = (lines: readonly IndexLine[]): string =>
  csvFormatRows([columnNames(), ...lines.map((line) => cellsOf(line).map(csvCell))])
