import type { Page } from 'playwright'
import { paths } from '../../../dashboard/paths.ts'
import { samplePdf } from '../../../service/testing/documents/sample-pdf.ts'
import { median } from '../measure.ts'
import type { WebFigure } from './report.ts'
import { makeFolder, makeWorkspace, untilRead } from './room.ts'
import { ADMIN, type Stand } from './stand.ts'

const PAGES = 300
/** Pages far from one another, so that no image of one is there before its word is searched. */
const FOUND_ON = [287, 41, 199, 118, 250, 75, 160]
const LINES = 44

const nameOf = (page: number) => `Quayside${page}`

/** Measures a search in a document of 300 pages: from Enter to the mark, and to the sharp page below it. */
export async function measureFind(stand: Stand): Promise<WebFigure[]> {
  const workspace = await makeWorkspace(stand, 'Find')
  const file = await upload(stand, workspace)
  const page = await stand.open(ADMIN)
  await page.goto(paths.view(workspace, file))
  await sharp(page, 1)
  const field = page.getByRole('textbox', { name: 'Find in the document' })
  await page.keyboard.press('Control+f')
  await field.waitFor()
  const [marks, sharps]: [number[], number[]] = [[], []]
  for (const number of FOUND_ON) {
    await field.fill('')
    await field.fill(nameOf(number))
    const { marked, sharpened } = await enter(page, number)
    marks.push(marked)
    sharps.push(sharpened)
  }
  await page.context().close()
  const work = `a word of ${PAGES} pages, from Enter to`
  return [
    { work: `${work} its mark`, unit: 'ms', ours: median(marks.slice(1)) },
    { work: `${work} its mark on the sharp page`, unit: 'ms', ours: median(sharps.slice(1)), goal: { atMost: 1000 } },
  ]
}

async function upload(stand: Stand, workspace: number): Promise<number> {
  const { admin } = stand
  const folder = await makeFolder(stand, workspace, 'Documents')
  const content = samplePdf(Array.from({ length: PAGES }, (_, at) => ({ content: textOf(at + 1) })))
  const query = `workspace_id=${workspace}&folder_id=${folder}&file_name=Report.pdf`
  await admin.put(`/files/upload?${query}`, content, content.length)
  const [file] = await admin.call<{ id: number }[]>('GET', `/files/search?workspace_id=${workspace}&q=report`)
  await untilRead(stand, workspace, file?.id ?? 0)
  return file?.id ?? 0
}

function textOf(page: number): string {
  const lines = Array.from({ length: LINES }, (_, line) =>
    line === page % LINES
      ? `The harbour plan names ${nameOf(page)} as the next berth`
      : `Line ${line} of page ${page}: berths, cranes and rails of the harbour, in good order`,
  )
  return `BT /F 11 Tf 14 TL 60 780 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
}

/** Waits until the image of a page is there. */
async function sharp(page: Page, number: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const image = document.querySelector(`[data-page="${wanted}"] > img`)
    return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0
  }, number)
}

interface Times {
  marked: number
  sharpened: number
}

declare global {
  interface Window {
    found?: Promise<Times>
  }
}

/** Presses Enter. @returns milliseconds until the mark was there, and until the image below it was */
async function enter(page: Page, number: number): Promise<Times> {
  await page.evaluate((wanted) => {
    window.found = new Promise((resolve) => {
      let [pressed, marked] = [0, 0]
      window.addEventListener('keydown', (event) => (pressed = event.timeStamp), { capture: true, once: true })
      const look = () => {
        const mark = document.querySelector('i.current')
        const image = document.querySelector(`[data-page="${wanted}"] > img`)
        const isSharp = image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0
        if (pressed > 0 && mark && marked === 0) marked = performance.now() - pressed
        if (marked > 0 && isSharp) resolve({ marked, sharpened: performance.now() - pressed })
        else requestAnimationFrame(look)
      }
      look()
    })
  }, number)
  await page.keyboard.press('Enter')
  const found = await page.evaluate(() => window.found)
  if (!found) throw new Error('The page was opened anew.')
  return found
}
