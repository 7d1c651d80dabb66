import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import { RenderFault } from './faults.ts'

export type Pdfium = WrappedPdfiumModule

/** PDFium's memory as it is now: it moves when it grows. The library's own type leaves it out. */
export function memoryOf({ pdfium }: Pdfium): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8
}

/** Memory inside PDFium for as long as it is used. */
export function withMemory<T>({ pdfium }: Pdfium, bytes: number, use: (pointer: number) => T): T {
  const pointer = pdfium.wasmExports.malloc(bytes)
  if (pointer === 0) throw new RenderFault('memory')
  try {
    return use(pointer)
  } finally {
    pdfium.wasmExports.free(pointer)
  }
}
