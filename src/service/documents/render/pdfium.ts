import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'
import { installFallbackFonts } from './fallback-fonts.ts'
import { RenderFault } from './faults.ts'
import { memoryOf, type Pdfium } from './pdfium-memory.ts'

let loading: Promise<Pdfium> | undefined

/** Loads PDFium as WebAssembly, so that its memory errors stay inside it. Loads once per process, at first use. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= load()
  return loading
}

async function load(): Promise<Pdfium> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const bytes = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)
  const pdfium = await init({ wasmBinary: bytes })
  pdfium.PDFiumExt_Init()
  installFallbackFonts(pdfium)
  return pdfium
}

/** A document that PDFium reads from disk on demand, so that a gigabyte of scans does not go through memory. */
export interface OpenPdf {
  document: number
  form: number
  close(): void
}

/** PDFium counts bytes in signed 32-bit integers. */
const MAX_BYTES = 2 ** 31 - 1
const ERROR_PASSWORD = 4
/** Size, callback, parameter: 32 bits each. */
const FILE_ACCESS_BYTES = 12

export function openPdf(pdfium: Pdfium, path: string): OpenPdf {
  const { wasmExports, addFunction, removeFunction, setValue } = pdfium.pdfium
  const file = openSync(path, 'r')
  const { size: bytes } = fstatSync(file)
  if (bytes > MAX_BYTES) {
    closeSync(file)
    throw new RenderFault('size')
  }
  const getBlock = addFunction((_: number, position: number, buffer: number, size: number) => {
    const target = memoryOf(pdfium).subarray(buffer >>> 0, (buffer >>> 0) + (size >>> 0))
    return readSync(file, target, 0, size >>> 0, position >>> 0) === size >>> 0 ? 1 : 0
  }, 'iiiii')
  const access = wasmExports.malloc(FILE_ACCESS_BYTES)
  setValue(access, bytes, 'i32')
  setValue(access + 4, getBlock, 'i32')
  setValue(access + 8, 0, 'i32')
  const release = () => {
    wasmExports.free(access)
    removeFunction(getBlock)
    closeSync(file)
  }

  const document = pdfium.FPDF_LoadCustomDocument(access, '')
  if (document === 0) {
    const fault = pdfium.FPDF_GetLastError() === ERROR_PASSWORD ? 'encrypted' : 'damaged'
    release()
    throw new RenderFault(fault)
  }
  const formInfo = pdfium.PDFiumExt_OpenFormFillInfo()
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, formInfo)
  return {
    document,
    form,
    close() {
      pdfium.PDFiumExt_ExitFormFillEnvironment(form)
      pdfium.PDFiumExt_CloseFormFillInfo(formInfo)
      pdfium.FPDF_CloseDocument(document)
      release()
    },
  }
}
