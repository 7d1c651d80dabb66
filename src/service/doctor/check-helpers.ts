import { connect } from 'node:net'
import type { Config } from '../base/config.ts'
import { createConverter } from '../documents/convert/convert.ts'
import { addressOf } from '../documents/ingest/scan.ts'
import { openOfficeEngine } from '../documents/convert/engine/office-engine.ts'
import { QUICK } from '../documents/ingest/open-documents.ts'
import { openRenderer } from '../documents/render.ts'
import { type Finding, finding } from './finding.ts'

const ANSWER_MS = 5000

export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) return finding('mail_outbox')
  try {
    const { checkSmtp } = await import('../../mail/delivery.ts')
    await checkSmtp(smtpUrl)
    return finding('mail_accepted')
  } catch (error) {
    return finding('mail_refused', { reason: (error as Error).message })
  }
}

export async function checkScanner({ clamdUrl }: Pick<Config, 'clamdUrl'>): Promise<Finding> {
  if (clamdUrl === undefined) return finding('scanner_off')
  const answer = await ask(addressOf(clamdUrl), 'zPING\0').catch((error: Error) => error)
  if (answer === 'PONG\0') return finding('scanner_answers')
  return typeof answer === 'string' ? finding('scanner_foreign') : finding('scanner_away', { reason: answer.message })
}

function ask(address: ReturnType<typeof addressOf>, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(address, () => socket.write(question))
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer within 5 seconds')))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (answer.length > 100) socket.destroy()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export async function checkConverter({
  converterSandbox: sandboxing,
}: Pick<Config, 'converterSandbox'>): Promise<Finding> {
  const renderer = openRenderer()
  const engine = openOfficeEngine()
  const { cpuSeconds, timeLimitMs } = QUICK
  const obstacle = await createConverter({ sandboxing, renderer, engine, cpuSeconds, timeLimitMs }).obstacle(WORD)
  await Promise.all([renderer.close(), engine.close()])
  return obstacle === undefined ? finding('office_converted') : finding('office_unconverted', { obstacle })
}
