import { FORMATS, pagesOf } from '../../service/documents/formats.ts'
import { tableOf } from './markdown-table.ts'

type Row = (typeof FORMATS)[number]

/** Marks the generated section of deploy/documents.md. */
const [BEGIN, END] = ['<!-- Made by `npm run formats` -->', '<!-- End of the generated section -->']

const TOOLS = {
  office: 'LibreOffice',
  heif: 'heif-convert',
  svg: 'librsvg',
  bitmap: 'our own reader',
  layout: 'our own layout',
}
const HEAD = ['format', 'extensions', 'kind', 'pages by', 'text is searched', 'marked download', 'DRM']

/** Returns the document with the present table of formats in its generated section. */
export function withFormats(document: string): string {
  const [before, rest = ''] = document.split(BEGIN)
  const after = rest.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('deploy/documents.md has no generated section')
  return `${before}${BEGIN}\n\n${formatsTable()}\n\n${END}${after}`
}

function formatsTable(): string {
  const byName = Map.groupBy(FORMATS, ({ name }) => name)
  return tableOf([HEAD, ...[...byName.values()].map(rowOf)])
}

function rowOf(formats: readonly Row[]): string[] {
  const [format] = formats
  if (!format) return []
  const { tool, delivery, sealed } = pagesOf(format.type)
  return [
    format.name,
    formats.flatMap(({ extensions }): readonly string[] => extensions).join(', '),
    format.kind,
    format.pages === 'none' ? '–' : toolWords(format, tool),
    format.text !== 'none' ? 'yes' : 'no',
    delivery,
    sealed ? 'yes' : 'no',
  ]
}

function toolWords(format: Row, tool: keyof typeof TOOLS | undefined): string {
  if (tool === undefined) return 'the file itself'
  return 'needsSystemOffice' in format ? `${TOOLS[tool]} of the system` : TOOLS[tool]
}
