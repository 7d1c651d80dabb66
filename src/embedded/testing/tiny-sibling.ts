import { appendFileSync, existsSync } from 'node:fs'

// Stands for a process of the service: busy while a file exists. It writes who is present.
const folder = process.env['TINY_FOLDER'] ?? ''
const slot = process.env['SERVICE_SLOT']
const say = (what: string) => appendFileSync(`${folder}/said`, `${slot}: ${what}\n`)
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.on('message', (message: { present?: number[]; news?: unknown }) => {
  say(message.present ? `present ${message.present.join(' and ')}` : `heard ${String(message.news)}`)
  if (message.present?.length === 2 && slot === '2') process.send?.({ topic: 'greeting', news: 'hello from 2' })
})
process.send?.({ ready: true })
setInterval(() => process.send?.({ busy: existsSync(`${folder}/load`) ? 1 : 0 }), 50)
