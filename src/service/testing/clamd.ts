import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * EICAR, the harmless file that every scanner reports as malware. It is split so that no scanner flags this source
 * file.
 */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** The size limit that clamd is started with, in bytes. */
export const CLAMD_MAX_BYTES = 1024 ** 2

export interface Clamd {
  url: string
  stop(): Promise<void>
}

/** Starts a real clamd with a single signature. */
export async function startClamd(): Promise<Clamd> {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'))
  const socket = join(folder, 'clamd.sock')
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'signatures'))
  await writeFile(join(folder, 'signatures/test.ndb'), `Eicar:0:*:${Buffer.from(EICAR).toString('hex')}\n`)
  const settings = [
    `LocalSocket ${socket}`,
    `DatabaseDirectory ${folder}/signatures`,
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    `StreamMaxLength ${CLAMD_MAX_BYTES}`,
    `MaxFileSize ${CLAMD_MAX_BYTES}`,
  ]
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`)
  const child = spawn('/usr/sbin/clamd', [`--config-file=${folder}/clamd.conf`], { stdio: 'ignore' })
  await listening(child, socket)
  return {
    url: `unix:${socket}`,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listening(child: ChildProcess, socket: string): Promise<void> {
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error(`clamd ended with ${child.exitCode}`)
    await sleep(20)
  }
}
