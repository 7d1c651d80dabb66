import type { Mail } from '../../mail/transport.ts'
import type { Db } from '../db/pool.ts'
import { escapeHtml } from '../../wire/html.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Vault } from '../base/secrets.ts'
import { type EmailChange, makeEmailCode } from '../store/people/email-changes.ts'

// These mails contain no name or other text of the account, because a user could send such text to strangers.

interface Delivery {
  db: Db
  vault: Vault
  publicUrl: string
  send: (mail: Mail) => Promise<void>
  clock: () => Date
}

/** Mails the code of a pending change to the new address, or a notice that the address is in use. */
export async function deliverEmailCode({ db, vault, publicUrl, send, clock }: Delivery, change: EmailChange) {
  const made = await makeEmailCode(db, vault, change, clock())
  if (made === 'withdrawn') return
  await send(made === 'in use' ? inUseMail(change.email, publicUrl) : codeMail(change.email, made.code, publicUrl))
}

function codeMail(to: string, code: string, publicUrl: string): Mail {
  return mail(to, 'Confirm your new e-mail address for Strongroom', [
    `Your code to use this address for your Strongroom account at ${publicUrl}:`,
    { code },
    'It is valid for 10 minutes. Enter it on your account page, and give it to nobody.',
    'If you did not ask for it, ignore this mail: nobody can use your address without the code.',
  ])
}

function inUseMail(to: string, publicUrl: string): Mail {
  return mail(to, 'This address has a Strongroom account already', [
    `Somebody asked to use this address for another Strongroom account at ${publicUrl}.`,
    'It belongs to an account already, so nothing has changed. To use that account, sign in with this address.',
    'If it was not you, there is nothing you need to do.',
  ])
}

/** Tells the mailbox of the present address that a change was requested. */
export async function enqueueChangeAsked(db: Db, to: string, newEmail: string, publicUrl: string): Promise<void> {
  const { subject, text, html } = mail(to, 'Your Strongroom account is to get another e-mail address', [
    `While signed in to your Strongroom account at ${publicUrl}, somebody asked to change its e-mail address to ${newEmail}.`,
    'Nothing has changed yet: it needs a code that was mailed to the new address.',
    'If it was not you, sign in, cancel the change on your account page and sign out everywhere else. Tell an administrator.',
  ])
  await enqueue(db, 'mail', { to, subject, text, html })
}

export async function enqueueChanged(db: Db, to: string, newEmail: string, publicUrl: string): Promise<void> {
  const { subject, text, html } = mail(to, 'Your Strongroom account has another e-mail address now', [
    `The e-mail address of your Strongroom account at ${publicUrl} is ${newEmail} now. This address no longer signs in to it.`,
    'All other sessions of the account have ended. API keys are still valid.',
    'If it was not you, tell an administrator at once.',
  ])
  await enqueue(db, 'mail', { to, subject, text, html })
}

function mail(to: string, subject: string, lines: readonly (string | { code: string })[]): Mail {
  const text = lines.map((line) => (typeof line === 'string' ? line : `    ${line.code}`)).join('\n\n')
  const html = lines.map((line) =>
    typeof line === 'string'
      ? `<p>${escapeHtml(line)}</p>`
      : `<p style="font-size: 28px; letter-spacing: 6px; font-weight: 600">${line.code}</p>`,
  )
  return {
    to,
    subject,
    text: `${text}\n`,
    html: `<!doctype html>
<html lang="en">
<body style="font-family: system-ui, sans-serif; color: #1b2426">
${html.join('\n')}
</body>
</html>
`,
  }
}
