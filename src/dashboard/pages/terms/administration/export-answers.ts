import { t } from '@lingui/core/macro'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { saveBlob } from '../../../ui/words/csv.ts'
import { pdfOf, printedFor } from '../../../ui/words/pdf.ts'
import { formatWorkbook } from '../../../ui/words/workbook.ts'
import { type Answer, answerName } from './issued.ts'

interface Workspace {
  id: number
  name: string
}

const columns = () => [
  { label: t`Person`, width: 28 },
  { label: t`E-mail`, width: 34 },
  { label: t`Company`, width: 24 },
  { label: t`Group`, width: 20 },
  { label: t({ message: 'Title', context: 'of terms' }), width: 34 },
  { label: t`Version`, width: 9 },
  { label: t`Answer`, width: 14 },
  { label: t`When (UTC)`, width: 26 },
  { label: t`From`, width: 18 },
  { label: t`Typed name`, width: 28 },
  { label: t({ message: 'File', context: 'of terms' }), width: 34 },
  { label: t`SHA-256 of the text or file`, width: 68 },
]

const cellsOf = (each: Answer) => [
  each.user_name,
  each.email,
  each.company,
  each.group_name,
  each.title,
  each.version,
  answerName(each.answer),
  each.answered_at ?? '',
  each.address,
  each.typed_name,
  each.file_name ?? '',
  each.sha256,
]

/** How each format is made and saved. */
export const EXPORTS = {
  async xlsx({ id, name }: Workspace): Promise<void> {
    const lines = await call(api.terms.listAnswers, { params: { id } })
    const title = t`Answers to the terms of ${name}`
    const sheet = {
      name: t`Answers`,
      widths: columns().map(({ width }) => width),
      head: columns().map(({ label }) => label),
      count: lines.length,
      row: (at: number) => ({ cells: lines.slice(at, at + 1).flatMap(cellsOf) }),
    }
    saveBlob(`${title}.xlsx`, await formatWorkbook(title, [sheet]))
  },
  async pdf({ id, name }: Workspace): Promise<void> {
    const pieces = await call(api.terms.printAnswers, { params: { id }, query: printedFor() })
    saveBlob(`${t`Answers to the terms of ${name}`}.pdf`, pdfOf(pieces))
  },
}
