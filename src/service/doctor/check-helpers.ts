import { connect } from 'node:net'
import { checkSmtp } from '../../mail/transport.ts'
import type { Config } from '../base/config.ts'
import { createConverter } from '../documents/convert/convert.ts'
import { addressOf } from '../documents/ingest/scan.ts'
import { openOfficeEngine } from '../documents/convert/engine/office-engine.ts'
import { QUICK } from '../documents/ingest/open-documents.ts'
import { openRenderer } from '../documents/render.ts'
import { type Finding, findingsOf } from './finding.ts'

const ANSWER_MS = 5000

const mail = findingsOf('mail')
const scanner = findingsOf('scanner')
const converter = findingsOf('converter')

export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) {
    return mail.warning('Mails are written to the folder outbox instead of being sent.', 'Set SMTP_URL.')
  }
  try {
    await checkSmtp(smtpUrl)
    return mail.ok('The mail server accepts the connection and the account.')
  } catch (error) {
    const reason = (error as Error).message
    return mail.error(
      `The mail server does not accept mails: ${reason}`,
      'Compare SMTP_URL with its address, account and password.',
    )
  }
}

export async function checkScanner({ clamdUrl }: Pick<Config, 'clamdUrl'>): Promise<Finding> {
  if (clamdUrl === undefined) return scanner.ok('Files are not scanned for malware: CLAMD_URL is not set.')
  const answer = await ask(addressOf(clamdUrl), 'zPING\0').catch((error: Error) => error)
  if (answer === 'PONG\0') return scanner.ok('ClamAV answers.')
  const reason = typeof answer === 'string' ? 'it is no ClamAV' : answer.message
  return scanner.error(`ClamAV does not answer: ${reason}.`, 'Start clamd, and compare CLAMD_URL with its address.')
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
  if (obstacle === undefined) return converter.ok('Office documents are converted.')
  return converter.warning(`Office documents are not shown. ${obstacle}`, 'See deploy/documents.md.')
}
