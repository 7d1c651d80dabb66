import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** Reasons why a document has no pages or no scan result, and why a sealed copy does not open. */
export const DOCUMENTS: readonly MessageDescriptor[] = [
  msg`The document is protected by a password.`,
  msg`The document is damaged and cannot be read.`,
  msg`The document is damaged, or of another kind than its name says.`,
  msg`The document is damaged, or asks for more than it may have.`,
  msg`The document has no pages.`,
  msg`The document has too many pages.`,
  msg`The image has more pixels than can be shown.`,
  msg`A document of more than 2 GB cannot be shown.`,
  msg`The document is too large for a preview.`,
  msg`The document took too long to read.`,
  msg`The document took too long to convert.`,
  msg`The document needs more memory than it may have.`,
  msg`The server had too little memory for this document, in several attempts.`,
  msg`There is no converter for this type.`,
  msg`There is no preview for this type of file.`,
  msg`It is larger than the scanner takes.`,
  msg({ message: 'It has more than the {bytes} bytes that the scanner takes.' }),
  msg({ message: 'The scanner could not look into all of it ({found}).' }),
  msg({ message: 'The malware scanner did not answer: {reason}' }),
  msg`This copy was made for somebody else. Ask for one of your own.`,
  msg`This copy was revoked.`,
  msg`You are not a member of its workspace any more.`,
  msg`The file was deleted.`,
  msg`The file was found infected.`,
  msg`The access of your group has ended.`,
  msg`You may not download this file any more.`,
  msg`Opening sealed documents was switched off for your group.`,
  msg`The last day on which it could be opened has passed.`,
]
