import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The roles of the people in the demo. */
export const DEMO: readonly MessageDescriptor[] = [
  msg`Seller – runs the organization`,
  msg`Seller – runs the deal room`,
  msg`Buyer – reads with a watermark, hands in offers`,
  msg`Lender – sees the finances, gets sealed files`,
  msg`Counsel – works on the legal documents`,
]
