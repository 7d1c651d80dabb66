import { readdir, readFile } from 'node:fs/promises'

/** Clock ticks of /proc are hundredths of a second on Linux. */
const TICK_MS = 10

/** Milliseconds of processor time, to the nanosecond, of a process whose threads live as long as it does. */
export async function timeOfProcess(pid: number): Promise<number> {
  const threads = (await readdir(`/proc/${pid}/task`)).map((thread) => timeOfThread(`${pid}/task/${thread}`))
  return (await Promise.all(threads)).reduce((total, each) => total + each, 0)
}

async function timeOfThread(path: string): Promise<number> {
  const [onProcessor = '0'] = (await readFile(`/proc/${path}/schedstat`, 'utf8')).split(' ')
  return Number(onProcessor) / 1e6
}

/** The same for all backends of a PostgreSQL server. Of those that have ended, for instance of an idle pool, ticks count. */
export async function timeOfBackends(postmaster: number): Promise<number> {
  const ended = await statOf(postmaster)
  let total = (Number(ended[13]) + Number(ended[14])) * TICK_MS
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = await statOf(Number(pid))
      if (Number(fields[1]) !== postmaster) continue
      total += await timeOfThread(pid)
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
