import { readFile } from 'node:fs/promises'

export interface Usage {
  /** Processor time since the process began, in milliseconds. */
  cpuMs: number
  residentBytes: number
}

/** Linux counts in hundredths of a second towards programs, and in pages of 4 KiB on the processors that we run on. */
const MS_PER_TICK = 10
const PAGE_BYTES = 4096

/** What a process has used so far; undefined where the system does not tell, or when it is gone. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The name, in parentheses, may hold anything; the third field follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { cpuMs: (field(14) + field(15)) * MS_PER_TICK, residentBytes: field(24) * PAGE_BYTES }
}
