// The rules of contract/README.md on e-mail addresses (section 10), written as simply as possible.

const MINUTE = 60_000
const CODE_MS = 10 * MINUTE
const PENDING_MS = 24 * 60 * MINUTE
const MAX_ATTEMPTS = 5

export interface Account {
  id: number
  /** In the case it was sent in. */
  email: string
  /** Set by a code mailed to the address, or by signing in with one. */
  proved: boolean
  active: boolean
  /** A member of the group that invitations are for. */
  member: boolean
  pending?: Pending | undefined
}

interface Pending {
  email: string
  at: number
  /** Set when it is mailed; never for an address in use. */
  code?: { digits: string; at: number; attempts: number } | undefined
}

export interface IdentityModel {
  now: number
  accounts: Account[]
}

/** A request of one person. */
export type Act =
  | { kind: 'ask'; user: number; email: string }
  | { kind: 'resend' | 'cancel' | 'sign in'; user: number }
  | { kind: 'confirm'; user: number; code: string }
  | Invitation

interface Invitation {
  kind: 'invite' | 'create'
  email: string
}

export interface Outcome {
  status: number
  /** The id of the account that was invited or created. */
  id?: number
}

export const holderOf = (model: IdentityModel, email: string): Account | undefined =>
  model.accounts.find((account) => isSame(account.email, email))

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export const pendingOf = ({ now }: IdentityModel, { pending }: Account): Pending | undefined =>
  pending && pending.at > now - PENDING_MS ? pending : undefined

/** Changes the model. @param made the id of an account that the service created, if it did */
export function judge(model: IdentityModel, act: Act, made: number | undefined): Outcome {
  if (!('user' in act)) return judgeInvitation(model, act, made)
  const account = model.accounts.find(({ id }) => id === act.user)
  if (!account) throw new Error(`the model knows no account ${act.user}`)
  const { now } = model
  const pending = pendingOf(model, account)
  switch (act.kind) {
    case 'ask':
      if (isSame(act.email, account.email)) account.email = act.email
      else account.pending = { email: act.email, at: now }
      return { status: 200 }
    case 'resend':
      if (!pending) return { status: 404 }
      account.pending = { email: pending.email, at: now }
      return { status: 200 }
    case 'cancel':
      if (!pending) return { status: 404 }
      account.pending = undefined
      return { status: 200 }
    case 'confirm':
      return { status: confirm(model, account, act.code) }
    case 'sign in':
      account.proved = account.active = true
      return { status: 200 }
  }
}

function confirm(model: IdentityModel, account: Account, digits: string): number {
  const { pending } = account
  const code = pending?.code
  if (!pending || !code) return 422
  const isOpen = code.attempts < MAX_ATTEMPTS && code.at + CODE_MS > model.now
  if (digits !== code.digits || !isOpen) {
    code.attempts += 1
    return 422
  }
  // The rollback also undoes the attempt.
  if (holderOf(model, pending.email)) return 409
  account.email = pending.email
  account.proved = true
  account.pending = undefined
  return 200
}

/** An invitation goes to the account that holds the address, proved or not. */
function judgeInvitation(model: IdentityModel, { kind, email }: Invitation, made: number | undefined): Outcome {
  const holder = holderOf(model, email)
  if (holder && kind === 'create') return { status: 422 }
  const account = holder ?? { id: made ?? 0, email, proved: false, active: false, member: false }
  if (!holder) model.accounts.push(account)
  if (kind === 'invite') account.member = true
  return { status: 201, id: account.id }
}

/** Checks the invariants. @returns the violations */
export function faultsOf({ accounts }: IdentityModel): string[] {
  const addresses = accounts.map(({ email }) => email.toLowerCase())
  return [
    ...addresses.filter((email, at) => addresses.indexOf(email) !== at).map((email) => `${email} has two accounts`),
    ...accounts
      .filter(({ active, proved }) => active && !proved)
      .map(({ email }) => `${email} is active without a proof`),
  ]
}
