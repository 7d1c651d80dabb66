import { readFile } from 'node:fs/promises'

export interface Usage {
  /** CPU time since the process started, in milliseconds. */
  cpuMs: number
  residentBytes: number
}

/** Linux reports CPU time in hundredths of a second, and memory in pages of 4 KiB on the processors that we support. */
const MS_PER_TICK = 10
const PAGE_BYTES = 4096

/** Returns what a process has used so far; undefined if the system does not tell, or the process is gone. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The second field, a name in parentheses, may contain anything; the third field follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { cpuMs: (field(14) + field(15)) * MS_PER_TICK, residentBytes: field(24) * PAGE_BYTES }
}
