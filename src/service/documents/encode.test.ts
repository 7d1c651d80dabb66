import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SAMPLE_MARKING } from '../testing/documents/sample-reader.ts'
import { encodePage, fromRgba } from './encode.ts'
import { PAGE_WIDTH } from './render/page-size.ts'
import { loadPdfium, openPdf } from './render/pdfium.ts'
import { drawPage } from './render/read-pdf.ts'
import { markPage } from './watermark/mark-page.ts'
import { createOverlays } from './watermark/plan/overlay.ts'

const MEMORANDUM = new URL(
  '../../embedded/demo/documents/Project Harbour/Overview/Information memorandum.pdf',
  import.meta.url,
)

test('the pages of a sealed copy take at most two thirds of what they take as JPEG', async () => {
  const pdfium = await loadPdfium()
  const pdf = openPdf(pdfium, fileURLToPath(MEMORANDUM))
  const overlays = createOverlays()
  for (const number of [1, 2, 3]) {
    const pixels = drawPage(pdfium, pdf, number, PAGE_WIDTH)
    const { jpeg } = await encodePage(fromRgba(pixels.data, pixels))
    const [page, sealed] = await Promise.all([
      markPage(jpeg, 'page', SAMPLE_MARKING, overlays),
      markPage(jpeg, 'sealed', SAMPLE_MARKING, overlays),
    ])
    expect(sealed.length / page.length).toBeLessThan(2 / 3)
  }
  pdf.close()
})
