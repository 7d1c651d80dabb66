import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js'

/** Writes Outlook messages (MS-OXMSG) for tests. */

const [STORAGE, STREAM, ROOT] = [1, 2, 5]
const RECIPIENT = { to: 1, cc: 2, bcc: 3 }
const RECIPIENT_TYPE = 0x0c150003

interface Message {
  subject?: string
  body?: string
  html?: string
  sender?: { name: string; email: string }
  recipients?: { name: string; email: string; type: keyof typeof RECIPIENT }[]
  attachments?: { name: string; content: Buffer }[]
}

export function outlookFile({ subject = '', body, html, sender, recipients = [], attachments = [] }: Message): Buffer {
  const entries: Entry[] = [{ name: 'Root Entry', type: ROOT, length: 0, children: [] }]

  function add(parent: number, entry: Entry): number {
    entries[parent]?.children?.push(entries.length)
    return entries.push(entry) - 1
  }
  const storage = (name: string) => add(0, { name, type: STORAGE, length: 0, children: [] })
  const stream = (parent: number, name: string, bytes: Buffer) =>
    add(parent, { name, type: STREAM, length: bytes.length, binaryProvider: () => Array.from(bytes) })
  const text = (parent: number, property: string, value: string | undefined) =>
    value !== undefined && stream(parent, `__substg1.0_${property}001F`, Buffer.from(value, 'utf16le'))

  text(0, '0037', subject)
  text(0, '1000', body)
  text(0, '0C1A', sender?.name)
  text(0, '5D01', sender?.email)
  if (html !== undefined) stream(0, '__substg1.0_10130102', Buffer.from(html))
  stream(0, '__properties_version1.0', Buffer.alloc(32))
  recipients.forEach(({ name, email, type }, at) => {
    const recipient = storage(`__recip_version1.0_#${numberOf(at)}`)
    text(recipient, '3001', name)
    text(recipient, '39FE', email)
    const properties = Buffer.alloc(24)
    properties.writeUInt32LE(RECIPIENT_TYPE, 8)
    properties.writeUInt32LE(RECIPIENT[type], 16)
    stream(recipient, '__properties_version1.0', properties)
  })
  attachments.forEach(({ name, content }, at) => {
    const attachment = storage(`__attach_version1.0_#${numberOf(at)}`)
    text(attachment, '3707', name)
    stream(attachment, '__substg1.0_37010102', content)
    stream(attachment, '__properties_version1.0', Buffer.alloc(8))
  })
  return Buffer.from(burn(entries))
}

const numberOf = (at: number): string => at.toString(16).padStart(8, '0').toUpperCase()
