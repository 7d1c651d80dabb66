import { ApiError } from '../../service/base/errors.ts'

/** What a failure says to whoever runs the command, with the reason of the content store. */
export function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error
  return error instanceof ApiError && cause instanceof Error ? `${message} ${cause.message}` : message
}
