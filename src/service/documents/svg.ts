import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from '../child-environment.ts'
import { FAULTS } from './convert-faults.ts'
import { DocumentFault } from './render/fault.ts'

interface Limits {
  timeLimitMs: number
  signal: AbortSignal | undefined
}

const MAX_PNG_BYTES = 128 * 1024 ** 2

/**
 * Draws an SVG as `page.png` in the folder, in a process that can be killed. The drawing is read from memory, so that it
 * has no place from which a reference to another file could be resolved; librsvg fetches nothing from the network.
 */
export async function rasterizeSvg(source: string, folder: string, limits: Limits): Promise<string> {
  const path = join(folder, 'page.png')
  await writeFile(path, await draw(source, limits))
  return path
}

function draw(source: string, { timeLimitMs, signal }: Limits): Promise<Buffer> {
  const child = spawn(
    process.execPath,
    ['--disable-proto=delete', '--max-old-space-size=256', join(import.meta.dirname, 'svg-child.ts'), source],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: childEnvironment({}),
      timeout: timeLimitMs,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    },
  )
  const chunks: Buffer[] = []
  let length = 0
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_PNG_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve(Buffer.concat(chunks))
      else
        reject(
          new DocumentFault(killedBy === null ? FAULTS.damaged : length > MAX_PNG_BYTES ? FAULTS.size : FAULTS.time),
        )
    })
  })
}
