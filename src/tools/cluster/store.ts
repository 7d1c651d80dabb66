import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blobUrlOf } from '../../service/testing/swift/start-swift.ts'
import type { Machine } from './machines.ts'
import type { Access } from './run-swift.ts'

const PORT = 9000
const READY_WITHIN = 120_000

/** Starts OpenStack Swift with its S3 interface. @returns the settings that lead our programs to it */
export async function startStore(machine: Machine, folder: string): Promise<NodeJS.ProcessEnv> {
  const endpoint = `http://${machine.address}:${PORT}`
  const home = join(folder, machine.name)
  const script = join(import.meta.dirname, 'run-swift.ts')
  machine.start({ name: 'swift', command: [process.execPath, script, home, machine.address, String(PORT)] })
  await untilAnswering(machine)
  const { bucket, accessKey, secretKey } = JSON.parse(await readFile(join(home, 'access.json'), 'utf8')) as Access
  return {
    BLOB_URL: blobUrlOf({ endpoint, bucket }, 'cluster'),
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
  }
}

/** Waits until the store serves callers. @throws Error after 120 s */
export async function untilAnswering({ address }: Machine): Promise<void> {
  const isAnswering = () =>
    fetch(`http://${address}:${PORT}/healthcheck`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const end = Date.now() + READY_WITHIN; !(await isAnswering()); await sleep(200))
    if (Date.now() > end) throw new Error(`the store was not ready within ${READY_WITHIN / 1000} s`)
}
