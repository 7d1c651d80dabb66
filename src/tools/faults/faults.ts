import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { sign } from '../../signing/signature.ts'
import { call, type Person, type Room } from './people.ts'
import type { Random } from './random.ts'
import type { FaultyStack, Part } from './stack.ts'

export interface Fault {
  name: string
  /** How often it is chosen. */
  weight: number
  /** Breaks something. What it gives is run when its harm is done, before recovery is measured. */
  strike(stack: FaultyStack, room: Room, random: Random): Promise<(() => Promise<void>) | void>
  /** It needs the machine to be able to do this. */
  isPossible?(stack: FaultyStack): boolean
}

const kill = (part: Part, weight: number): Fault => ({
  name: `kill -9 ${part}`,
  weight,
  async strike(stack) {
    end(stack.pidOf(part), 'SIGKILL')
  },
})

/** Stopped, not ended: it keeps its sockets and answers nothing. */
const hang = (part: Part): Fault => ({
  name: `SIGSTOP ${part}`,
  weight: 1,
  async strike(stack) {
    end(stack.pidOf(part), 'SIGSTOP')
  },
})

function end(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself meanwhile.
  }
}

const killSupervisor: Fault = {
  name: 'kill -9 supervisor',
  weight: 3,
  async strike(stack) {
    end(stack.pidOf('supervisor'), 'SIGKILL')
    return () => stack.startAgain()
  },
}

/** PostgreSQL ends all its connections when one of its processes is killed, and recovers. */
const killBackend: Fault = {
  name: 'kill -9 a database process',
  weight: 3,
  async strike(stack) {
    const postmaster = String(stack.pidOf('database') ?? 0)
    const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', postmaster], { encoding: 'utf8' }).split('\n')
    const backend = list.find((line) => /postgres: (.*: )?strongroom strongroom/.test(line))
    if (backend) end(Number(backend.trim().split(' ')[0]), 'SIGKILL')
  },
}

const fillDisk: Fault = {
  name: 'full disk',
  weight: 2,
  isPossible: ({ capacity }) => capacity !== undefined,
  async strike({ dataDir }) {
    const filler = join(dataDir, '..', 'filler')
    const file = openSync(filler, 'w')
    const block = Buffer.alloc(1024 * 1024)
    try {
      const { bavail, bsize } = statfsSync(dataDir)
      for (let left = bavail * bsize; left > 0; left -= block.length) writeSync(file, block)
      fsyncSync(file)
    } catch {
      // It is full.
    }
    closeSync(file)
    await sleep(1500)
    rmSync(filler)
  },
}

/** Clients that begin an upload and go on too slowly, or never: they keep nobody else waiting. */
const slowClients: Fault = {
  name: 'slow and half-open clients',
  weight: 1,
  async strike(stack, { workspace_id, people }, random) {
    const { token } = people[0] as Person
    const { apiKey: key, apiSecret: secret } = stack.credentials
    const headers = Object.entries(sign({ key, secret, token }, Math.floor(Date.now() / 1000) + 60))
    const path = urlOf(api.files.upload, { query: { workspace_id, folder_id: 0, file_name: 'slow.bin' } })
    const head = [
      `PUT ${path} HTTP/1.1`,
      'Host: x',
      'Content-Length: 1000000',
      ...headers.map((pair) => pair.join(': ')),
    ]
    const { hostname, port } = new URL(stack.apiUrl)
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname).on('error', () => {}))
    for (const socket of sockets) socket.write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(random.below(50_000))}`)
    await sleep(1000)
    for (const socket of sockets) socket.destroy()
  },
}

/** Documents that cannot be read: they are given up, and nothing else waits for them. */
const poison: Fault = {
  name: 'poisoned documents',
  weight: 1,
  async strike(stack, { workspace_id, people }, random) {
    const heads = {
      pdf: '%PDF-1.7\n',
      docx: 'PK\u0003\u0004',
      svg: '<svg xmlns="http://www.w3.org/2000/svg">',
      png: '\x89PNG\r\n\x1a\n',
    }
    for (const [extension, head] of Object.entries(heads)) {
      const bytes = new Uint8Array([...Buffer.from(head, 'latin1'), ...random.bytes(20_000)])
      const query = { workspace_id, folder_id: 0, file_name: `poison${random.below(1e9)}.${extension}` }
      await call(stack, people[0] as Person, api.files.upload, { query }, bytes).catch(() => undefined)
    }
  },
}

export const FAULTS: readonly Fault[] = [
  kill('service', 6),
  kill('worker', 4),
  kill('proxy', 4),
  kill('database', 4),
  killBackend,
  killSupervisor,
  hang('service'),
  hang('worker'),
  hang('proxy'),
  hang('database'),
  fillDisk,
  slowClients,
  poison,
]
