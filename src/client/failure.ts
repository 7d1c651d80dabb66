import * as z from 'zod/mini'
import { type ErrorDetail, errorReply } from '../contract/errors.ts'

/** A call that the service refused. `code` is the HTTP status. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly code: number
  /** The wrong fields and what is wrong with them; empty if no field was wrong. */
  readonly details: readonly ErrorDetail[]
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined

  constructor(code: number, message: string, details: readonly ErrorDetail[] = [], requestId?: string) {
    super(message)
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}

/** Reads a failed reply; an intermediary's reply may not have the contract's error shape. */
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
