import { t } from '@lingui/core/macro'
import type { ErrorDetail, ErrorReply } from '../../contract/errors.ts'
import { detailInWords, inWords } from './service-words.ts'

/** A failed call. `code` is the HTTP status, or 0 without a reply. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  code: number
  requestId: string | undefined
  details: ErrorDetail[]

  constructor(
    code: number,
    message: string,
    { requestId, details = [] }: { requestId?: string | undefined; details?: ErrorDetail[] | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.requestId = requestId
    this.details = details
  }

  get signedOut() {
    return this.code === 401
  }

  /** Another user has signed in with the browser's cookie. */
  get otherPerson() {
    return this.code === 412
  }

  /** A retry may succeed without any action of the user. */
  get passing() {
    return [0, 429, 502, 503, 504].includes(this.code)
  }
}

export const noAnswer = () => new ApiFailure(0, t`The server cannot be reached. Check your connection and try again.`)

/** Reads a failed reply; a body that is not in the API's error format still yields a message. */
export function failureOf(status: number, text: string): ApiFailure {
  const error = errorIn(text)
  if (!error) return new ApiFailure(status, t`The server answered with ${status} and no explanation.`)
  return new ApiFailure(status, error.message, { requestId: error.request_id, details: error.details })
}

function errorIn(text: string): ErrorReply['error'] | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const error = body instanceof Object && 'error' in body ? body.error : undefined
    return error instanceof Object && 'message' in error ? (error as ErrorReply['error']) : undefined
  } catch {
    return undefined
  }
}

/** Returns a message for the user, whatever was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiFailure) return error.details[0] ? detailInWords(error.details[0]) : inWords(error.message)
  return t`Something went wrong in the dashboard. Reload the page and try again.`
}
