import { parentPort, workerData } from 'node:worker_threads'

// A thread beside one that may be caught in an endless document: when the parent is gone, nobody would end that.
const LOOK_MS = 1000
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
parentPort?.unref()
