import type { PdfDelivery } from '../../../../contract/endpoints/watermarks.ts'
import type { Marking } from '../../../store/downloads/marks.ts'
import { rmSync } from 'node:fs'
import sharp from 'sharp'
import { encodeJpeg, fromRgba } from '../../encode.ts'
import { RenderFault } from '../../render/faults.ts'
import { PAGE_WIDTH, type PageBox } from '../../render/page-size.ts'
import type { Pdfium } from '../../render/pdfium-memory.ts'
import { loadPdfium, openPdf, type OpenPdf } from '../../render/pdfium.ts'
import { drawImage, readImageBoxes } from '../../render/read-image.ts'
import { drawPage, readBoxes } from '../../render/read-pdf.ts'
import { readLines } from '../../render/read-lines.ts'
import { markPage } from '../mark-page.ts'
import { blend, createOverlays, type Overlays } from '../plan/overlay.ts'
import { planMark } from '../plan/placement.ts'
import { type RasterPage, writeRasterPdf } from './raster-pdf.ts'
import { savePdf } from './save-pdf.ts'
import { type Marker, type Pictures, stampPdf } from './stamp-pdf.ts'

interface Source {
  path: string
  type: string
}

/**
 * Makes a stamped PDF of a PDF or an image. If qpdf does not understand a PDF, PDFium rewrites it first. If qpdf does
 * not understand the rewritten PDF either, its pages are delivered as pictures.
 * @throws RenderFault if not even the pictures can be drawn
 */
export async function stampAnyPdf(
  source: Source,
  target: string,
  marking: Marking,
  delivery: PdfDelivery = 'woven',
): Promise<void> {
  if (source.type !== 'application/pdf') return writeRasterPdf(target, drawImages(source, marking))
  if (delivery !== 'woven') return drawPdf(source.path, target, marking, delivery === 'pictures_with_text')
  const marker: Marker = {
    markFor: (page) => planMark(marking.looks, marking.reader, page),
    openPictures: (path) => openPictures(path, marking),
  }
  const pages = await tried(() => stampPdf(source.path, target, target, marker))
  if (pages?.isWhole) return

  const pdfium = await loadPdfium()
  const pdf = openPdf(pdfium, source.path)
  const saved = `${target}.saved.pdf`
  try {
    const boxes = readBoxes(pdfium, pdf)
    if (pages?.count === boxes.length) return
    const again = savePdf(pdfium, pdf, saved) ? await tried(() => stampPdf(saved, target, target, marker)) : undefined
    if (again?.count === boxes.length) return
    await writeRasterPdf(target, drawPages(pdfium, pdf, boxes, marking))
  } finally {
    pdf.close()
    rmSync(saved, { force: true })
  }
}

/** Writes every page as a picture with the mark in its pixels. */
async function drawPdf(path: string, target: string, marking: Marking, withText: boolean): Promise<void> {
  const pdfium = await loadPdfium()
  const pdf = openPdf(pdfium, path)
  try {
    const boxes = readBoxes(pdfium, pdf)
    await writeRasterPdf(target, drawPages(pdfium, pdf, boxes, marking, withText))
  } finally {
    pdf.close()
  }
}

async function tried<T>(stamp: () => Promise<T>): Promise<T | undefined> {
  try {
    return await stamp()
  } catch (error) {
    if (error instanceof RenderFault) throw error
    return undefined
  }
}

async function* drawPages(
  pdfium: Pdfium,
  pdf: OpenPdf,
  boxes: readonly PageBox[],
  marking: Marking,
  withText = false,
): AsyncGenerator<RasterPage> {
  const overlays = createOverlays()
  for (const [index, box] of boxes.entries()) {
    const picture = await drawMarked(pdfium, pdf, index + 1, marking, overlays)
    const lines = withText ? readLines(pdfium, pdf, index + 1) : []
    yield { box, ...picture, lines }
  }
}

async function drawMarked(
  pdfium: Pdfium,
  pdf: OpenPdf,
  pageNumber: number,
  marking: Marking,
  overlays: Overlays,
): Promise<{ width: number; height: number; jpeg: Buffer }> {
  const { data, width, height } = drawPage(pdfium, pdf, pageNumber, PAGE_WIDTH)
  const pixels = await fromRgba(data, { width, height }).removeAlpha().raw().toBuffer()
  blend(pixels, await overlays.get(marking, { width, height }))
  const jpeg = await encodeJpeg(sharp(pixels, { raw: { width, height, channels: 3 } })).toBuffer()
  return { width, height, jpeg }
}

async function openPictures(path: string, marking: Marking): Promise<Pictures> {
  const pdfium = await loadPdfium()
  const pdf = openPdf(pdfium, path)
  const overlays = createOverlays()
  return {
    count: pdfium.FPDF_GetPageCount(pdf.document),
    draw: (pageNumber) => drawMarked(pdfium, pdf, pageNumber, marking, overlays),
    close: () => pdf.close(),
  }
}

async function* drawImages({ path, type }: Source, marking: Marking): AsyncGenerator<RasterPage> {
  const overlays: Overlays = createOverlays()
  for (const index of (await readImageBoxes(path, type)).keys()) {
    const { jpeg, width, height } = await drawImage(path, index + 1)
    // The page is as wide as a sheet of A4, in points.
    const box = { width: 595, height: (595 * height) / width }
    yield { box, width, height, jpeg: await markPage(jpeg, 'page', marking, overlays), lines: [] }
  }
}
