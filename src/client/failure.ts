import * as z from 'zod/mini'
import { type ErrorDetail, errorReply } from '../contract/errors.ts'

/** A call that the service refused. `code` is the HTTP status. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly code: number
  /** Which field was wrong, and how; empty where no field was. */
  readonly details: readonly ErrorDetail[]
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined

  constructor(code: number, message: string, details: readonly ErrorDetail[] = [], requestId?: string) {
    super(message)
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}

/** Reads a reply that is no success; what stands between may answer something other than our error. */
export function failureOf(status: number, text: string): ApiFailure {
  const { data } = z.safeParse(errorReply, parsed(text))
  if (!data) return new ApiFailure(status, `The server answered ${status}.`)
  const { message, details, request_id } = data.error
  return new ApiFailure(status, message, details, request_id)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
