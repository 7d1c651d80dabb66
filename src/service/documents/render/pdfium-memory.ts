import type { WrappedPdfiumModule } from '@embedpdf/pdfium'
import { RenderFault } from './faults.ts'

export type Pdfium = WrappedPdfiumModule

/** Returns PDFium's current memory, which moves when it grows. The library's own type omits it. */
export function memoryOf({ pdfium }: Pdfium): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8
}

interface PerCharacter {
  FPDFText_GetUnicode(text: number, index: number): number
  /** Writes four floats: left, top, right and bottom. @returns 0 if the character has no box */
  FPDFText_GetLooseCharBox(text: number, index: number, memory: number): number
}

/** Returns the functions that are called for every character, without the checks of the library, which cost more. */
export const perCharacter = ({ pdfium }: Pdfium): PerCharacter => pdfium.wasmExports as unknown as PerCharacter

/** Returns PDFium's current memory as floats. */
export function floatsOf({ pdfium }: Pdfium): Float32Array {
  return (pdfium as unknown as { HEAPF32: Float32Array }).HEAPF32
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
