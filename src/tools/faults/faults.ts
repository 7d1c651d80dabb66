import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../../contract/index.ts'
import { urlOf } from '../../contract/url.ts'
import { endlessPdf } from '../../service/testing/documents/endless-pdf.ts'
import { damageContent } from './damage.ts'
import { call, type Person, type Room, signedAs } from './people.ts'
import type { Random } from './random.ts'
import { type FaultyStack, type Part, queryOf } from './stack.ts'

export interface Fault {
  name: string
  /** Relative frequency of the fault. */
  weight: number
  /** Breaks something. @returns work to run once the harm is done, before the wait for recovery */
  strike(stack: FaultyStack, room: Room, random: Random): Promise<(() => Promise<void>) | void>
  /** Whether this machine can produce the fault; absent: always. */
  isPossible?(stack: FaultyStack): boolean
}

const kill = (part: Part, weight: number): Fault => ({
  name: `kill -9 ${part}`,
  weight,
  async strike(stack) {
    end(stack.pidOf(part), 'SIGKILL')
  },
})

const REPLACED_WITHIN = 120_000

/** Stops the process without ending it: it keeps its sockets and answers nothing. */
const hang = (part: Part): Fault => ({
  name: `SIGSTOP ${part}`,
  weight: 1,
  async strike(stack) {
    const stopped = stack.pidOf(part)
    end(stopped, 'SIGSTOP')
    // Open connections outlive a stopped postmaster, so an act proves nothing before the supervisor has replaced it.
    if (part === 'database') return () => untilReplaced(stack, part, stopped)
  },
})

async function untilReplaced(stack: FaultyStack, part: Part, pid: number | undefined): Promise<void> {
  const end = performance.now() + REPLACED_WITHIN
  while (stack.pidOf(part) === pid) {
    if (performance.now() > end) throw new Error(`the ${part} still hangs after ${REPLACED_WITHIN / 1000} s`)
    await sleep(100)
  }
}

function end(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
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

/** Kills one database process: PostgreSQL then ends all its connections and recovers. */
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
      // The disk is full.
    }
    closeSync(file)
    await sleep(1500)
    rmSync(filler)
  },
}

/**
 * Clients of service and proxy that stop in the middle of a head, an upload or a download, or close their half of the
 * connection: other clients must not wait for them.
 */
const slowClients: Fault = {
  name: 'slow and half-open clients',
  weight: 1,
  async strike(stack, { workspace_id, people }, random) {
    const signed = Object.entries(signedAs(stack, people[0] as Person))
    const path = urlOf(api.files.upload, { query: { workspace_id, folder_id: 0, file_name: 'slow.bin' } })
    const heads = [
      `PUT ${path} HTTP/1.1`,
      'Host: x',
      'Content-Length: 1000000',
      ...signed.map((pair) => pair.join(': ')),
    ]
    const upload = `${heads.join('\r\n')}\r\n\r\n`
    const reader = `GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(50)
    const openTo = (url: string) => {
      const { hostname, port } = new URL(url)
      return connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => {})
    }
    const sockets = Array.from({ length: 40 }, (_, at) => {
      const socket = openTo(at % 2 === 0 ? stack.apiUrl : stack.url)
      if (at % 3 === 0) socket.write(upload.slice(0, random.below(upload.length)))
      else if (at % 3 === 1) socket.write(upload + 'x'.repeat(random.below(50_000)))
      // Requests much and reads nothing.
      else socket.pause().write(reader)
      if (at % 4 === 0) socket.end()
      return socket
    })
    await sleep(1000)
    for (const socket of sockets) socket.destroy()
  },
}

/** Uploads unreadable documents: the service must give them up, and no other document may wait for them. */
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

const DEATHS = 2
const TAKEN_WITHIN_MS = 20_000

/** Kills the worker repeatedly while it reads one document: other documents must not wait for it. */
const deadlyJob: Fault = {
  name: 'a job that kills its worker',
  weight: 1,
  async strike(stack, { workspace_id, people }, random) {
    const query = { workspace_id, folder_id: 0, file_name: `deadly${random.below(1e9)}.pdf` }
    const bytes = new Uint8Array(endlessPdf())
    const uploaded = await call(stack, people[0] as Person, api.files.upload, { query }, bytes).catch(() => undefined)
    if (!uploaded) return
    const isTaken = `select from jobs j join files f on f.workspace_id = j.workspace_id and f.blob_id = j.payload ->> 'blob_id'
      where f.workspace_id = $1 and f.id = $2 and j.kind = 'ingest' and j.leased_until > now()`
    const values = [workspace_id, uploaded.reply.id]
    for (let death = 0; death < DEATHS; death++) {
      const deadline = Date.now() + TAKEN_WITHIN_MS
      while ((await queryOf(stack, isTaken, values)).length === 0 && Date.now() < deadline) await sleep(20)
      end(stack.pidOf('worker'), 'SIGKILL')
    }
  },
}

/** Moves the clocks of service, worker and proxy by up to an hour, back or forth, then resets them. */
const stepClock: Fault = {
  name: 'clock step',
  weight: 2,
  isPossible: ({ stepClock }) => stepClock !== undefined,
  async strike(stack, _room, random) {
    stack.stepClock?.(random.below(7200) - 3600)
    // libfaketime reads a new offset once a second.
    await sleep(3000)
    stack.stepClock?.(0)
    await sleep(1100)
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
  deadlyJob,
  damageContent,
  stepClock,
]
