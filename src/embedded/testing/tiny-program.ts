import { appendFileSync } from 'node:fs'

// Writes down its pid, so that a test can end it, and its own end.
const file = process.env['TINY_FILE'] ?? ''
const say = (what: string) => appendFileSync(file, `${what} ${process.pid}\n`)
const end = (why: string) => {
  say(why)
  process.exit(0)
}
process.on('SIGTERM', () => end('stopped'))
process.on('disconnect', () => end('alone'))
// First: one that is stopped before it says so does not count as one that hangs.
const beat = () => void (process.env['TINY_SILENT'] || process.send?.('alive'))
beat()
say('started')
setInterval(beat, 1000)
