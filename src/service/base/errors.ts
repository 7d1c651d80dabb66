import {
  brokenRule,
  type BrokenRule,
  type FieldRule,
  type FieldRuleParams,
  messageOf as ruleMessage,
} from '../../contract/field-rules.ts'
import { messageOf, type Reason, type ReasonParams, statusOf } from '../../contract/refusals.ts'
import type { Params } from '../../contract/sentence.ts'

/** A field and the rule that its value breaks. */
export interface ErrorDetail extends BrokenRule {
  field: string
  message: string
}

interface More {
  details?: ErrorDetail[] | undefined
  headers?: Record<string, string>
}

/** A failure that the caller is told, in the contract's shape. Any other error is a 500. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: Reason
  readonly params: Params
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>

  /** `refusal` is the typed way to make one without details and headers. */
  constructor(
    reason: Reason,
    params: Readonly<Record<string, string | number>> = {},
    { details, headers = {} }: More = {},
  ) {
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    super(messageOf(reason, texts))
    this.reason = reason
    this.status = statusOf(reason)
    this.params = texts
    this.details = details
    this.headers = headers
  }
}

/** The signature is right, but the session of the dashboard has ended: this is not a sign of guessing. */
export class SessionEnded extends ApiError {
  constructor() {
    super('session_ended')
  }
}

/** A refusal that counts: the writes of the attempt's transaction stay. */
export class CountedRefusal extends ApiError {}

export const refusal = <R extends Reason>(reason: R, ...[params]: ReasonParams<R>) => new ApiError(reason, params)

/** A refusal that tells the caller when to try again. */
const later = (reason: Reason, seconds: number) =>
  new ApiError(reason, {}, { headers: { 'Retry-After': String(seconds) } })

/** @param seconds until another download may be asked for */
export const tooManyDownloads = (seconds: number) => later('too_many_downloads', seconds)
export const tooMany = (seconds: number) => later('too_many_mails', seconds)
export const tooManyAttempts = (seconds: number) => later('too_many_attempts', seconds)
/** Absent and invisible resources give the same message (decisions, section 1). */
export const notFound = () => refusal('nothing_here')
/** The caller may try again. It is unknown whether a change happened. */
export const unavailable = () => later('database_away', 1)
/** The machine has no free process, thread, file or memory. */
export const busy = () => later('service_busy', 1)
/** The volume with the content is not mounted. */
export const storageAway = () => later('storage_away', 5)
export const scannerAway = () => later('scanner_away', 5)
export const tooManyAtOnce = () => later('too_many_at_once', 1)
export const tookTooLong = () => later('database_slow', 10)
export const noRoom = () => refusal('no_room')
/** Stored content is not what was uploaded. */
export const damagedContent = () => refusal('content_damaged')

/** `field` is the path on the wire, such as `group.name`. */
export function detailOf<R extends FieldRule>(
  field: string,
  ...rule: [rule: R, ...params: FieldRuleParams<R>]
): ErrorDetail {
  const broken = brokenRule(...rule)
  return { field, message: ruleMessage(broken), ...broken }
}

/** The refusal of one field, for reasons whose sentence consists of the field and its problem. */
export const refusalOf = (
  detail: ErrorDetail,
  reason: 'invalid_field' | 'malformed_field' = 'invalid_field',
  Refusal = ApiError,
) => new Refusal(reason, { field: detail.field, problem: detail.message }, { details: [detail] })

/** A value that cannot be accepted. */
export const unprocessable = <R extends FieldRule>(
  field: string,
  ...rule: [rule: R, ...params: FieldRuleParams<R>]
): ApiError => refusalOf(detailOf(field, ...rule))
