import { t } from '@lingui/core/macro'
import { ApiFailure, messageOf } from '../../api/failures.ts'

/** Says why a sign-in with a mailed code failed. */
export function refusalOfCode(error: Error): string {
  if (error instanceof ApiFailure && error.signedOut)
    return t`This code is not right, has expired or was asked for in another browser.`
  return messageOf(error)
}
