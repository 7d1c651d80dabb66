/**
 * Measures how long the event loop of this process is blocked at most, from when this module is loaded. What counts is the
 * processor time of the main thread between two turns, so a busy machine is not taken for a block.
 */
const TURN_MS = 2

let before = process.threadCpuUsage()
let longestMs = 0

/** Milliseconds of processor time that the loop was blocked at most since this was last asked. */
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
