import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import { RenderFault } from './faults.ts'

export type Pdfium = WrappedPdfiumModule

/** Returns PDFium's current memory, which moves when it grows. The library's own type omits it. */
export function memoryOf({ pdfium }: Pdfium): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8
}

/** Allocates memory inside PDFium while `use` runs. @throws RenderFault if there is none left */
export function withMemory<T>({ pdfium }: Pdfium, bytes: number, use: (pointer: number) => T): T {
  const pointer = pdfium.wasmExports.malloc(bytes)
  if (pointer === 0) throw new RenderFault('memory')
  try {
    return use(pointer)
  } finally {
    pdfium.wasmExports.free(pointer)
  }
}
