import { MAX_PAGE_TEXT } from '../limits.ts'
import { memoryOf, type Pdfium, withMemory } from '../pdfium-memory.ts'
import type { OpenPdf } from '../pdfium.ts'

/** Text that is drawn over a page: what a form field holds, or a note written on the page. */
export interface PageField {
  text: string
  /** In points of the page: left, top, right, bottom. */
  box: [number, number, number, number]
}

const FREE_TEXT = 3
const WIDGET = 20
/** Flags of annotations that are not drawn: hidden, not viewed. */
const UNSEEN = 0x02 | 0x20
const PASSWORD = 1 << 13
const TEXT_FIELD = 6
const CHOICES = new Set([4, 5])
/** Annotations of a page, and options of all its lists, that are read. */
const MAX_FIELDS = 1000
const MAX_OPTIONS = 20_000
const MAX_VALUE = 20_000

interface Annotation {
  pdfium: Pdfium
  form: number
  annotation: number
  budget: { options: number }
}

/** Returns what the fields of a page show, in the order of the file, without passwords and hidden fields. */
export function readFields(pdfium: Pdfium, { form }: OpenPdf, page: number): PageField[] {
  const fields: PageField[] = []
  const budget = { options: MAX_OPTIONS }
  const count = Math.min(MAX_FIELDS, pdfium.FPDFPage_GetAnnotCount(page))
  let length = 0
  for (let index = 0; index < count && length < MAX_PAGE_TEXT; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const text = shownText({ pdfium, form, annotation, budget }).trim()
    if (text !== '') fields.push({ text, box: boxOf(pdfium, annotation) })
    length += text.length
    pdfium.FPDFPage_CloseAnnot(annotation)
  }
  return fields
}

function shownText(shown: Annotation): string {
  const { pdfium, form, annotation } = shown
  const type = pdfium.FPDFAnnot_GetSubtype(annotation)
  if ((type !== WIDGET && type !== FREE_TEXT) || (pdfium.FPDFAnnot_GetFlags(annotation) & UNSEEN) !== 0) return ''
  if (type === FREE_TEXT) {
    return stringFrom(pdfium, (to, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, 'Contents', to, bytes))
  }
  const kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
  if (CHOICES.has(kind)) return choiceOf(shown)
  if (kind !== TEXT_FIELD || (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) !== 0) return ''
  return valueOf(shown)
}

const valueOf = ({ pdfium, form, annotation }: Annotation): string =>
  stringFrom(pdfium, (to, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, to, bytes))

/** A list shows the labels of the chosen options; a field of its own value shows that. */
function choiceOf(shown: Annotation): string {
  const { pdfium, form, annotation, budget } = shown
  const options = Math.min(budget.options, pdfium.FPDFAnnot_GetOptionCount(form, annotation))
  budget.options -= Math.max(0, options)
  const chosen: string[] = []
  for (let index = 0; index < options; index++) {
    if (!pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index)) continue
    chosen.push(stringFrom(pdfium, (to, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, to, bytes)))
  }
  return chosen.length > 0 ? chosen.join('\n') : valueOf(shown)
}

function stringFrom(pdfium: Pdfium, write: (to: number, bytes: number) => number): string {
  const bytes = write(0, 0)
  if (bytes <= 2 || bytes > MAX_VALUE * 2) return ''
  return withMemory(pdfium, bytes, (to) => {
    write(to, bytes)
    return Buffer.from(memoryOf(pdfium).subarray(to, to + bytes - 2))
      .toString('utf16le')
      .replaceAll(/\r\n?/g, '\n')
  })
}

function boxOf(pdfium: Pdfium, annotation: number): PageField['box'] {
  return withMemory(pdfium, 16, (memory) => {
    const isKnown = pdfium.FPDFAnnot_GetRect(annotation, memory)
    const at = (offset: number) => (isKnown ? pdfium.pdfium.getValue(memory + offset, 'float') : Number.NaN)
    return [at(0), at(4), at(8), at(12)]
  })
}
