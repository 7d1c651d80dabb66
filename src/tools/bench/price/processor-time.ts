import { readdir, readFile } from 'node:fs/promises'

/** Clock ticks of /proc are hundredths of a second on Linux. */
const TICK_MS = 10

/** Milliseconds of processor time of a process with all its threads. */
export async function timeOfProcess(pid: number): Promise<number> {
  const fields = await statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/**
 * The same for all backends of a PostgreSQL server, to the nanosecond: each of them is a short-lived single thread. Of
 * backends that have ended, for instance of an idle pool, the ticks count.
 */
export async function timeOfBackends(postmaster: number): Promise<number> {
  const ended = await statOf(postmaster)
  let total = (Number(ended[13]) + Number(ended[14])) * TICK_MS
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = await statOf(Number(pid))
      if (Number(fields[1]) !== postmaster) continue
      const [onProcessor = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
      total += Number(onProcessor) / 1e6
    } catch {
      // The process has ended since the folder was read.
    }
  }
  return total
}

/** Fields of /proc/<pid>/stat behind the name of the program: state, parent, … */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
