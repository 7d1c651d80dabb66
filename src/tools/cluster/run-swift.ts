import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { startSwift, type Swift } from '../../service/testing/swift/start-swift.ts'

// Runs on the machine of the store: `run-swift.ts folder address port`. Swift listens on the loopback interface, and this
// program passes the connections of the other machines on to it.

export type Access = Pick<Swift, 'bucket' | 'accessKey' | 'secretKey'>

const [folder = '', address = '', port = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const { endpoint, bucket, accessKey, secretKey } = await startSwift({ keep: folder })
await writeFile(join(folder, 'access.json'), JSON.stringify({ bucket, accessKey, secretKey } satisfies Access))
createServer((caller) => {
  const swift = connect(Number(new URL(endpoint).port), '127.0.0.1')
  const end = () => [caller, swift].forEach((each) => each.destroy())
  for (const each of [caller, swift]) each.on('error', end).on('close', end)
  caller.pipe(swift).pipe(caller)
}).listen(Number(port), address)
