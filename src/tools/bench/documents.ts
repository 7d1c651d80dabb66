import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { setTimeout as wait } from 'node:timers/promises'
import { startStack } from '../../../e2e/stack.ts'
import { endlessPdf } from '../../service/testing/documents/endless-pdf.ts'
import { samplePdf } from '../../service/testing/documents/sample-pdf.ts'
import { ROOT } from '../sources.ts'
import { type Caller, createCaller } from './caller.ts'
import { type Figure, report, spread } from './measure.ts'

// `npm run bench:documents [-- images hostile pile]` measures the time from upload to Ready, page images with and
// without marks, how fast a folder is listed while hostile documents are read, and how long another person's document
// takes behind a hundred hostile ones. Prints a table and writes `bench-documents.json`.

const wanted = process.argv.slice(2)
const PAGES = 300
const LOOKED_AT = 20
const LISTED = 300
const LISTINGS = 200
const PILE = 100
const HONEST = 10
const PAUSE_MS = 1000

interface Page {
  expiring_url: string
}

await using ends = new AsyncDisposableStack()
const stack = await startStack({ demo: false, env: { RATE_LIMIT: 'off' } })
ends.defer(() => stack.stop())
const admin = createCaller(stack.apiUrl, stack.credentials)
ends.defer(() => admin.close())

const { workspace_id, folder, member } = await makeRoom()
const figures: Figure[] = []
for (const [name, measure] of Object.entries({ images, hostile, pile: behindAPile })) {
  if (wanted.length === 0 || wanted.includes(name)) figures.push(...(await measure()))
}
await report(figures, join(ROOT, 'bench-documents.json'))

async function makeRoom() {
  const make = async (path: string, body: unknown) => await admin.call<{ id: number }>('POST', path, body)
  const team = await make('/teams', { team: { name: 'Documents' } })
  const workspace_id = (await make('/workspaces', { workspace: { name: 'Documents', team_id: team.id } })).id
  const folder = (await make('/folders', { workspace_id, parent_id: 0, name: 'Documents' })).id
  const group = (await make('/groups', { group: { name: 'Readers', workspace_id } })).id
  const right = { workspace_id, group_id: group, verb: 'grant', folder_action: 'view' }
  await admin.call('PUT', `/permissions/folders/${folder}`, right)
  await admin.call('PUT', `/permissions/folders/${folder}`, { ...right, folder_action: 'upload' })
  await admin.call('PUT', `/groups/${group}/watermarking`, { workspace_id, group: { watermarking: true } })
  const user = { email: 'reader@example.com', first_name: 'Rea', last_name: 'Der' }
  const { id, user_token } = await admin.call<{ id: number; user_token: string }>('POST', '/users', { user })
  await admin.call('POST', `/groups/${group}/memberships`, { workspace_id, user_id: id, send_email: false })
  const member = createCaller(stack.apiUrl, { ...stack.credentials, adminToken: user_token })
  ends.defer(() => member.close())
  return { workspace_id, folder, member }
}

async function upload(name: string, content: Buffer, uploader: Caller = admin): Promise<number> {
  const path = `/files/upload?workspace_id=${workspace_id}&folder_id=${folder}&file_name=${encodeURIComponent(name)}`
  await uploader.put(path, content, content.length)
  const { immediate_subfiles } = await admin.call<{ immediate_subfiles: { id: number; title: string }[] }>(
    'GET',
    `/folders/${folder}?workspace_id=${workspace_id}`,
  )
  return immediate_subfiles.find(({ title }) => title === name)?.id ?? 0
}

/** Returns the milliseconds until every file has a final status, such as Ready or Failed. */
async function untilRead(ids: readonly number[]): Promise<number> {
  const begun = performance.now()
  for (const id of ids) {
    for (;;) {
      const { viewer_status } = await admin.call<{ viewer_status: string }>(
        'GET',
        `/files/${id}?workspace_id=${workspace_id}`,
      )
      if (viewer_status !== 'Pending' && viewer_status !== 'Processing') break
      await wait(20)
    }
  }
  return performance.now() - begun
}

async function images(): Promise<Figure[]> {
  const id = await upload('report.pdf', longPdf())
  const ready = await untilRead([id])
  const cold = await look(admin, id)
  const warm = await look(admin, id)
  // The mark contains the minute, so the first look in a minute draws it anew.
  await look(member, id)
  const marked = await look(member, id)
  return [
    { work: `PDF of ${PAGES} pages: from upload to Ready`, unit: 'ms', ours: ready, goal: '≤ 3,000' },
    ...spread('page image, cold', cold, '≤ 400'),
    ...spread('page image, warm', warm, '≤ 30'),
    ...spread('page image, warm, marked', marked, '≤ 150'),
  ]
}

/** Fetches the page images one after the other. @returns the milliseconds of each */
async function look(caller: Caller, id: number): Promise<number[]> {
  const path = `/files/${id}/pages?workspace_id=${workspace_id}&count=${LOOKED_AT}`
  const { pages } = await caller.call<{ pages: Page[] }>('GET', path)
  const times: number[] = []
  for (const { expiring_url } of pages) {
    const begun = performance.now()
    const { status } = await caller.read(expiring_url)
    if (status !== 200) throw new Error(`${expiring_url} answers ${status}`)
    times.push(performance.now() - begun)
  }
  return times
}

async function hostile(): Promise<Figure[]> {
  for (let at = 0; at < LISTED; at++) await upload(`${at}.bin`, Buffer.from([0, at % 256]))
  await list()
  const idle = await list()
  const bombs = [endlessPdf(), packedPdf(), endlessPdf(), packedPdf()]
  const ids = await Promise.all(bombs.map((content, at) => upload(`bomb ${at}.pdf`, content)))
  const during: number[] = []
  const reading = untilRead(ids)
  const progress = { done: false }
  void reading.finally(() => (progress.done = true))
  while (!progress.done) during.push(...(await list(1)))
  return [
    ...spread(`list ${LISTED} files, idle`, idle),
    ...spread(`list ${LISTED} files, while bombs are read`, during, '< 2 × idle'),
    { work: `${bombs.length} bombs: from upload to Failed`, unit: 'ms', ours: await reading },
  ]
}

/** Measures another person's document while a hundred documents that use up their time limit are read (case K6). */
async function behindAPile(): Promise<Figure[]> {
  const kinds = [
    { extension: 'pdf', content: endlessPdf() },
    { extension: 'svg', content: blurredSvg() },
    { extension: 'txt', content: Buffer.alloc(5_000_000, '\n') },
    { extension: 'pdf', content: packedPdf() },
  ]
  for (let at = 0; at < PILE; at++) {
    const { extension, content } = kinds[at % kinds.length] ?? { extension: '', content: Buffer.alloc(0) }
    await upload(`hostile ${at}.${extension}`, content)
  }
  const times: number[] = []
  for (let at = 0; at < HONEST; at++) {
    const pdf = samplePdf([{ content: `BT /F 12 Tf 50 700 Td (Honest report ${at}.) Tj ET` }])
    const begun = performance.now()
    await untilRead([await upload(`honest ${at}.pdf`, pdf, member)])
    times.push(performance.now() - begun)
    await wait(PAUSE_MS)
  }
  return spread(`PDF of another person behind ${PILE} hostile documents: from upload to Ready`, times, '≤ 5,000')
}

function blurredSvg(): Buffer {
  const blurs = '<feGaussianBlur stdDeviation="500"/>'.repeat(30)
  const filter = `<filter id="f" x="-9" y="-9" width="19" height="19">${blurs}</filter>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">${filter}<rect width="4000" height="4000" filter="url(#f)"/></svg>`,
  )
}

async function list(times = LISTINGS): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < times; at++) {
    const begun = performance.now()
    await member.call('GET', `/folders/${folder}?workspace_id=${workspace_id}`)
    took.push(performance.now() - begun)
  }
  return took
}

function longPdf(): Buffer {
  const lines = Array.from(
    { length: 45 },
    (_, line) => `1 0 0 1 50 ${790 - line * 17} Tm (Line ${line} of a report.) Tj`,
  )
  return samplePdf(Array.from({ length: PAGES }, () => ({ content: `BT /F 10 Tf ${lines.join(' ')} ET` })))
}

/** Makes a PDF of one page whose content unpacks to 300 MiB. */
function packedPdf(): Buffer {
  const nested = deflateSync(deflateSync(Buffer.alloc(300 * 1024 * 1024, 'q Q ')))
  const room = '@'.repeat(nested.length)
  const text = samplePdf([{ content: room }]).toString('latin1')
  const filtered = text.replace('>>stream\n@', '/Filter[/FlateDecode/FlateDecode]>>stream\n@')
  return Buffer.from(filtered.replace(room, nested.toString('latin1')), 'latin1')
}
