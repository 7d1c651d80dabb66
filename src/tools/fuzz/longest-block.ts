/**
 * Measures the longest block of this process's event loop since the module was loaded. It counts the processor time of
 * the main thread between two turns, so a busy machine does not look like a block.
 */
const TURN_MS = 2

let before = process.threadCpuUsage()
let longestMs = 0

/** Returns the longest block since the last call, in milliseconds of processor time. */
export function longestBlock(): number {
  note()
  const longest = longestMs
  longestMs = 0
  return longest
}

function note(): void {
  const now = process.threadCpuUsage()
  longestMs = Math.max(longestMs, (now.user + now.system - before.user - before.system) / 1000)
  before = now
}

setInterval(note, TURN_MS).unref()
