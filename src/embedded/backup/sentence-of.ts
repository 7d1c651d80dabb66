import { ApiError } from '../../service/base/errors.ts'

/** The sentence that a command prints for a failure, with the reason that the content store gave. */
export function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error
  return error instanceof ApiError && cause instanceof Error ? `${message} ${cause.message}` : message
}
