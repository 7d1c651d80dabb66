import { readdirSync, readFileSync } from 'node:fs'

/** Whether a process that `pid` has started, or one of those that they have started, has this name in `ps`. */
export function runsBelow(pid: number | undefined, name: string): boolean {
  return childrenOf(pid).some((child) => nameOf(child) === name || runsBelow(child, name))
}

/** The processes that a process has started and that still run; none if it has ended. */
export function childrenOf(pid: number | undefined): number[] {
  const tasks = `/proc/${pid}/task`
  try {
    return readdirSync(tasks)
      .flatMap((task) => readFileSync(`${tasks}/${task}/children`, 'utf8').split(' '))
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}
