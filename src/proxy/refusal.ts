import { messageOf, type ShownReason, statusOf } from '../contract/refusals.ts'
import type { Params } from '../contract/sentence.ts'

/** A failure reported to the caller in the contract's shape. Any other error is a 500. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  /** Present for refusals that the dashboard says in the language of the user. */
  readonly reason: ShownReason | undefined
  readonly params: Params | undefined

  constructor(
    status: number,
    message: string,
    headers: Record<string, string> = {},
    reason?: ShownReason,
    params?: Params,
  ) {
    super(message)
    this.status = status
    this.headers = headers
    this.reason = reason
    this.params = params
  }
}

/** A refusal of the contract, in the words of the service. */
export const refused = (reason: ShownReason, headers: Record<string, string> = {}, params?: Params) =>
  new Refusal(statusOf(reason), messageOf(reason, params), headers, reason, params)

/** Same wording as the service, so that a refusal does not reveal which of the two answered. */
export const notFound = () => refused('nothing_here')
export const signedOut = () => refused('signed_out')
export const tooMany = (seconds: number) => refused('too_many_attempts', { 'Retry-After': String(seconds) })
export const wrongMethod = (allowed: string) => new Refusal(405, `This path takes ${allowed}.`, { Allow: allowed })
export const serviceAway = () => refused('service_away', { 'Retry-After': '1' })
/** The service answers, but its database is away. */
export const serviceUnavailable = (seconds: number) => refused('service_busy', { 'Retry-After': String(seconds) })
export const serviceSlow = () => refused('service_slow')

export function locked(seconds: number): Refusal {
  const headers = { 'Retry-After': String(seconds) }
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? refused('locked_a_minute', headers) : refused('locked', headers, { minutes: String(minutes) })
}
