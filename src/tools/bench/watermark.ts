import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { UnmarkedImage } from '../../service/documents/pages/page-images.ts'
import { createMarker } from '../../service/documents/watermark/marker.ts'
import { DEFAULT_LOOK } from '../../contract/endpoints/looks/default-look.ts'
import { stampAnyPdf } from '../../service/documents/watermark/carry/stamp-any-pdf.ts'
import { samplePdf } from '../../service/testing/documents/sample-pdf.ts'
import { useStamped } from './stamped-use.ts'

// `npm run bench:watermark` measures the cost of a mark on viewed pages and on downloaded PDFs; with `-- --use`, what a
// stamped copy costs those who read, draw and print it, as a multiple of its original.

const reader = {
  first_name: '太郎',
  last_name: 'Müller',
  email: 'taro@example.com',
  ip: '203.0.113.9',
  time_zone: 'Asia/Tokyo',
  workspace_name: 'Harbour',
  at: new Date(),
}
const marking = { looks: [DEFAULT_LOOK], reader }
const LINES = Array.from(
  { length: 45 },
  (_, line) =>
    `1 0 0 1 50 ${790 - line * 17} Tm (Line ${line}: the quick brown fox jumps over the lazy dog, again and again.) Tj`,
)

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  await work()
  console.log(`${name.padEnd(44)} ${(performance.now() - start).toFixed(0).padStart(6)} ms`)
}

async function markPages(): Promise<void> {
  const marker = createMarker()
  marker.anticipate()
  marker.noteUser()
  const noise = { type: 'gaussian', mean: 200, sigma: 20 } as const
  const drawn = await sharp({ create: { width: 1600, height: 2263, channels: 3, background: '#fff', noise } })
    .jpeg({ quality: 80 })
    .toBuffer()
  const page = drawn as unknown as UnmarkedImage
  await timed('page image, first one of a minute', () => marker.mark(page, 'page', marking))
  for (let run = 0; run < 5; run++) await timed('page image, warm', () => marker.mark(page, 'page', marking))
  await marker.close()
}

async function stampPdfs(folder: string): Promise<void> {
  for (const pages of [10, 300, 1500]) {
    const [source, target] = [join(folder, `${pages}.pdf`), join(folder, `${pages}-stamped.pdf`)]
    const content = `BT /F 10 Tf ${LINES.join(' ')} ET`
    await writeFile(source, samplePdf(Array.from({ length: pages }, () => ({ content }))))
    await timed(`PDF of ${pages} pages`, () => stampAnyPdf({ path: source, type: 'application/pdf' }, target, marking))
    const pictures = join(folder, `${pages}-pictures.pdf`)
    if (pages === 10)
      await timed(`  as pictures`, () =>
        stampAnyPdf({ path: source, type: 'application/pdf' }, pictures, marking, 'pictures'),
      )
    const [before, after] = [(await stat(source)).size, (await stat(target)).size]
    console.log(`  ${(before / 1024).toFixed(0)} KiB before, ${(after / 1024).toFixed(0)} KiB stamped`)
  }
}

const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-'))
try {
  if (process.argv.includes('--use')) await useStamped(folder, marking)
  else {
    await markPages()
    await stampPdfs(folder)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
