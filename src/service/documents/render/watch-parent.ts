import { parentPort, workerData } from 'node:worker_threads'

// Kills the process when its parent is gone. An endless document may block the main thread, so this is another one.
const LOOK_MS = 1000
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
parentPort?.unref()
