import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Caller } from './caller.ts'
import { drain } from './drain.ts'
import { byTurns, type Figure, median, rate, time } from './measure.ts'
import { readCpu } from './processes.ts'
import { bytes } from './references.ts'

const MB = 1024 * 1024
const GIB = 1024 * MB
const MEMBERS = 1000
const MEMBER_BYTES = 100 * 1024
const SMALL_BYTES = 10 * 1024
const ROUNDS = 3

interface Setting {
  caller: Caller
  workspace: number
  apiUrl: string
  /** For the files of the references. */
  folder: string
  bigBytes: number
}

/** Downloads of a large and a small file and of a zip, beside a plain server of the same bytes and `zip -0`. */
export async function measureDownloads({ caller, workspace, apiUrl, folder, bigBytes }: Setting): Promise<Figure[]> {
  const files = join(folder, 'served')
  await mkdir(join(files, 'members'), { recursive: true })
  const server = await startFileServer(files)
  try {
    return [...(await oneFile('big.bin', bigBytes)), ...(await smallFile()), ...(await zipOfMany())]
  } finally {
    server.stop()
  }

  async function makeFolder(name: string): Promise<number> {
    return (await caller.call<{ id: number }>('POST', '/folders', { workspace_id: workspace, parent_id: 0, name })).id
  }

  async function upload(into: number, name: string, content: Buffer | NodeJS.ReadableStream, size: number) {
    const path = `/files/upload?workspace_id=${workspace}&folder_id=${into}&file_name=${name}`
    await caller.put(path, content, size)
  }

  async function uploaded(name: string, size: number): Promise<string> {
    await writeFile(join(files, name), bytes(size))
    const into = await makeFolder(name)
    await upload(into, name, bytes(size), size)
    const path = `/folders/${into}?workspace_id=${workspace}`
    const { immediate_subfiles } = await caller.call<{ immediate_subfiles: { id: number }[] }>('GET', path)
    return urlOf(`/downloads/file/${immediate_subfiles[0]?.id}?workspace_id=${workspace}`)
  }

  async function urlOf(path: string): Promise<string> {
    const { expiring_url } = await caller.call<{ expiring_url: string }>('GET', path)
    return apiUrl + new URL(expiring_url).pathname
  }

  async function oneFile(name: string, size: number): Promise<Figure[]> {
    const url = await uploaded(name, size)
    return compare(
      `download ${size / MB} MiB`,
      () => drain(url),
      () => drain(`${server.url}/${name}`),
      '≥ 70 % of it',
    )
  }

  async function smallFile(): Promise<Figure[]> {
    const url = await uploaded('small.bin', SMALL_BYTES)
    const one = (each: string) => () => caller.read(each)
    const price = async (each: string) => (await costOf(() => rate(500, 1, one(each)))).cpu / 600
    const speed = await byTurns(
      () => rate(300, 1, one(url)),
      () => rate(300, 1, () => drain(`${server.url}/small.bin`)),
    )
    const cpu = await byTurns(
      () => price(url),
      async () => (await costOf(() => rate(500, 1, () => drain(`${server.url}/small.bin`)))).cpu / 600,
    )
    const name = 'a plain server of the same file'
    return [
      { work: 'download 10 KiB', unit: 'per s', ours: speed.ours, reference: { name, value: speed.reference } },
      { work: 'download 10 KiB, CPU', unit: 'ms', ours: cpu.ours, reference: { name, value: cpu.reference } },
    ]
  }

  async function zipOfMany(): Promise<Figure[]> {
    const into = await makeFolder('To be zipped')
    const content = Buffer.alloc(MEMBER_BYTES, 'x')
    for (let at = 0; at < MEMBERS; at++) {
      await upload(into, `${at}.txt`, content, content.length)
      await writeFile(join(files, 'members', `${at}.txt`), content)
    }
    const download = { folder_ids: [into] }
    const { id } = await caller.call<{ id: number }>('POST', '/downloads', { workspace_id: workspace, download })
    const url = await untilDone(() => urlOf(`/downloads/${id}?workspace_id=${workspace}`))
    await writeFile(join(files, 'plain.zip'), bytes(MEMBERS * MEMBER_BYTES))
    const firstBytes: number[] = []
    const fetchZip = async () => {
      const { size, firstByte } = await drain(url)
      firstBytes.push(firstByte)
      return { size }
    }
    const work = `zip of ${MEMBERS} × 100 KiB`
    const served = await compare(work, fetchZip, () => drain(`${server.url}/plain.zip`), '')
    const packed = await packWith(join(files, 'members'))
    const [speed] = served
    return [
      ...served,
      ...(packed && speed
        ? [
            {
              work,
              unit: 'MB/s' as const,
              ours: speed.ours,
              reference: { name: packed.name, value: packed.rate },
              goal: '≥ 400 or ≥ 80 % of it',
            },
          ]
        : []),
      { work: 'zip, first byte', unit: 'ms', ours: median(firstBytes), goal: '≤ 25' },
    ]
  }
}

type Read = () => Promise<{ size: number }>

/** Rate and processor time of two downloads, by turns after one warm-up of each. */
async function compare(work: string, ours: Read, reference: Read, goal: string): Promise<Figure[]> {
  const rounds: [Cost, Cost][] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const pair: [Cost, Cost] = [await costOf(ours), await costOf(reference)]
    if (round > 0) rounds.push(pair)
  }
  const middle = (side: 0 | 1, value: (cost: Cost) => number) => median(rounds.map((pair) => value(pair[side])))
  const name = 'a plain createReadStream server'
  const figure = (more: string, unit: Figure['unit'], value: (cost: Cost) => number): Figure => ({
    work: `${work}${more}`,
    unit,
    ours: middle(0, value),
    reference: { name, value: middle(1, value) },
  })
  return [
    { ...figure('', 'MB/s', ({ size, milliseconds }) => size / MB / (milliseconds / 1000)), goal },
    figure(', CPU for a GiB', 'ms', ({ size, cpu }) => cpu / (size / GIB)),
  ]
}

interface Cost {
  size: number
  milliseconds: number
  /** Milliseconds of processor time of all server processes. */
  cpu: number
}

async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const before = readCpu()
  let result: unknown
  const milliseconds = await time(async () => (result = await run()))
  const after = readCpu()
  const cpu = after.node + after.postgres - before.node - before.postgres
  return { size: (result as { size?: number }).size ?? 0, milliseconds, cpu }
}

async function untilDone(open: () => Promise<string>): Promise<string> {
  for (;;) {
    const url = await open().catch((error: Error) => {
      if (!error.message.includes('409')) throw error
      return undefined
    })
    if (url !== undefined) return url
    await new Promise((later) => setTimeout(later, 100))
  }
}

const PYTHON = `
import sys, zipfile, os
with zipfile.ZipFile(sys.stdout.buffer, 'w', zipfile.ZIP_STORED) as z:
    for name in os.listdir('.'): z.write(name)
`

/** How fast a program on this machine packs the files of a folder without compression; undefined without a program. */
async function packWith(folder: string): Promise<{ name: string; rate: number } | undefined> {
  const programs: [string, string[]][] = [
    ['zip', ['-0', '-q', '-r', '-', '.']],
    ['python3', ['-c', PYTHON]],
  ]
  for (const [program, options] of programs) {
    const rates: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const took = await pack(program, options, folder)
      if (took !== undefined && round > 0) rates.push((MEMBERS * MEMBER_BYTES) / MB / (took / 1000))
    }
    if (rates.length > 0) return { name: program === 'zip' ? 'zip -0' : 'zipfile of Python', rate: median(rates) }
  }
  return undefined
}

async function pack(program: string, options: string[], cwd: string): Promise<number | undefined> {
  const begun = performance.now()
  const child = spawn(program, options, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const ended = await once(child, 'close').catch(() => undefined)
  return ended?.[0] === 0 ? performance.now() - begun : undefined
}

async function startFileServer(folder: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'file-server.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url, stop: () => void child.kill() }
}
