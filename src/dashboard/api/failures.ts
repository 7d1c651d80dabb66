import { t } from '@lingui/core/macro'
import type { ErrorDetail, ErrorReply } from '../../contract/errors.ts'
import type { Params } from '../../contract/sentence.ts'
import { detailInWords, refusalInWords } from './service-words.ts'

interface More {
  requestId?: string | undefined
  details?: ErrorDetail[] | undefined
  reason?: string | undefined
  params?: Params | undefined
}

/** A failed call. `code` is the HTTP status, or 0 without a reply. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  code: number
  requestId: string | undefined
  details: ErrorDetail[]
  /** The row of the contract's refusals that the message comes from. */
  reason: string | undefined
  params: Params

  constructor(code: number, message: string, { requestId, details = [], reason, params = {} }: More = {}) {
    super(message)
    this.code = code
    this.requestId = requestId
    this.details = details
    this.reason = reason
    this.params = params
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
  const { message, reason, params, request_id: requestId, details } = error
  return new ApiFailure(status, message, { requestId, details, reason, params })
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
  if (error instanceof ApiFailure) return error.details[0] ? detailInWords(error.details[0]) : refusalInWords(error)
  return t`Something went wrong in the dashboard. Reload the page and try again.`
}
