import type { ErrorDetail } from '../contract/errors.ts'

/** A failure that the caller is told, in the contract's shape. Any other error is a 500. */
export class ApiError extends Error {
  readonly status: number
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>

  constructor(status: number, message: string, details?: ErrorDetail[], headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.details = details
    this.headers = headers
  }
}

/** The signature is right, but the session of the dashboard has ended: this is not a sign of guessing. */
export class SessionEnded extends ApiError {
  constructor() {
    super(401, 'This session has ended. Sign in again.')
  }
}

/** A refusal that counts: the writes of the attempt's transaction stay. */
export class CountedRefusal extends ApiError {}

export const tooMany = (seconds: number) =>
  new ApiError(429, 'Too many mails were asked for. Try again later.', undefined, { 'Retry-After': String(seconds) })
export const badRequest = (message: string, details?: ErrorDetail[]) => new ApiError(400, message, details)
export const unauthenticated = (message: string) => new ApiError(401, message)
export const forbidden = (message: string) => new ApiError(403, message)
/** Absent and invisible resources give the same message (decisions, section 1). */
export const notFound = () => new ApiError(404, 'There is nothing here that you can see.')
export const conflict = (message: string) => new ApiError(409, message)
/** The caller may try again. It is unknown whether a change happened. */
export const unavailable = () =>
  new ApiError(503, 'The service cannot reach its database at the moment. Try again shortly.', undefined, {
    'Retry-After': '1',
  })
/** The machine has no free process, thread, file or memory. */
export const busy = () =>
  new ApiError(503, 'The service is not available at the moment. Try again shortly.', undefined, { 'Retry-After': '1' })
/** The volume with the content is not mounted. */
export const storageAway = () =>
  new ApiError(503, 'The service cannot reach its storage at the moment. Try again shortly.', undefined, {
    'Retry-After': '5',
  })
export const tookTooLong = () =>
  new ApiError(503, 'The database took too long for this. Try again later, or ask for less at a time.', undefined, {
    'Retry-After': '10',
  })
export const noRoom = () => new ApiError(507, 'There is no room left for files at the moment. Try again later.')
/** Stored content is not what was uploaded. */
export const damagedContent = () =>
  new ApiError(422, 'The content of this file was damaged in the storage. Its admins have been told.')
export const tooLarge = (message: string) => new ApiError(413, message)

/** A value that cannot be accepted. `field` is its path on the wire: `group.name`. */
export const unprocessable = (field: string, message: string) =>
  new ApiError(422, `${field} ${message}.`, [{ field, message }])

/** Message, with status 409, for a file that waits for the malware scanner. */
export const NOT_SCANNED = 'This file has not been checked for malware yet.'
