import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  /** The message with its headers, exactly as received. */
  text: string
}

/** A reply such as `[550, 'No such user']`, `drop` to break off the connection, or undefined to accept. */
export type Reaction = [code: number, words: string] | 'drop' | undefined
type ReactionTo = Reaction | ((recipient: { address: string }) => Reaction)

export interface MailServer {
  url: string
  received: Received[]
  /** How the server reacts to a recipient, and to a complete mail. */
  behave(reactions: { recipient?: ReactionTo; mail?: ReactionTo }): void
  /** How many mails were begun. */
  asked(): number
  /** How many connections were made, and how many of them are open. */
  connected(): number
  open(): number
  /** Breaks off all connections. */
  disconnect(): void
  close(): Promise<void>
}

/** A mail server on a free port that keeps the mails it receives. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = []
  let reactions: Parameters<MailServer['behave']>[0] = {}
  let asked = 0
  let connected = 0
  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      connected += 1
      done()
    },
    onMailFrom(_address, _session, done) {
      asked += 1
      done()
    },
    onRcptTo: (recipient, session, done) => react(reactionTo(reactions.recipient, recipient), session, done),
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      const from = mailFrom === false ? '' : mailFrom.address
      const reaction = reactionTo(reactions.mail, rcptTo[0] ?? { address: '' })
      if (!Array.isArray(reaction)) received.push({ from, to, text: Buffer.concat(chunks).toString() })
      react(reaction, session, done)
    },
  })
  // Some tests break connections off on purpose.
  server.on('error', () => {})

  function react(reaction: Reaction, session: SMTPServerSession, done: (error?: Error) => void): void {
    if (reaction === 'drop') drop(server, session)
    else if (reaction) done(Object.assign(new Error(reaction[1]), { responseCode: reaction[0] }))
    else done()
  }

  await new Promise<void>((ready) => void server.listen(port, '127.0.0.1', () => ready()))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    behave: (next) => void (reactions = next),
    asked: () => asked,
    connected: () => connected,
    open: () => server.connections.size,
    disconnect: () => [...socketsOf(server)].forEach(({ _socket }) => _socket.destroy()),
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

const reactionTo = (reaction: ReactionTo, recipient: { address: string }): Reaction =>
  typeof reaction === 'function' ? reaction(recipient) : reaction

const socketsOf = ({ connections }: SMTPServer) => connections as Set<{ id: string; _socket: { destroy(): void } }>

function drop(server: SMTPServer, session: SMTPServerSession): void {
  for (const { id, _socket } of socketsOf(server)) if (id === session.id) _socket.destroy()
}
