import { appendFileSync } from 'node:fs'

// Writes its pid, so that a test can end it, and the reason for its end.
const file = process.env['TINY_FILE'] ?? ''
const say = (what: string) => appendFileSync(file, `${what} ${process.pid}\n`)
const end = (why: string) => {
  say(why)
  process.exit(0)
}
process.on('SIGTERM', () => end('stopped'))
process.on('disconnect', () => end('alone'))
// Beats before 'started': a program stopped without a beat would get the longer limit of a starting one.
const beat = () => void (process.env['TINY_SILENT'] || process.send?.('alive'))
beat()
say('started')
setInterval(beat, 1000)
