import { writeFileSync } from 'node:fs'
import { memoryOf, type Pdfium, withMemory } from '../../render/pdfium-memory.ts'
import type { OpenPdf } from '../../render/pdfium.ts'

/** Rewrites a document as PDFium understands it. @returns whether that succeeded */
export function savePdf(pdfium: Pdfium, { document }: OpenPdf, target: string): boolean {
  const writer = pdfium.PDFiumExt_OpenFileWriter()
  try {
    if (pdfium.PDFiumExt_SaveAsCopy(document, writer) === 0) return false
    const size = pdfium.PDFiumExt_GetFileWriterSize(writer)
    return withMemory(pdfium, size, (pointer) => {
      const read = pdfium.PDFiumExt_GetFileWriterData(writer, pointer, size)
      writeFileSync(target, memoryOf(pdfium).subarray(pointer, pointer + read))
      return read === size
    })
  } finally {
    pdfium.PDFiumExt_CloseFileWriter(writer)
  }
}
