import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { afterEach } from 'vitest'

/** Switches to German with these translations by their English texts; after the test the language is English again. */
export function speakGerman(texts: Record<string, string>): void {
  const messages = Object.entries(texts).flatMap(([english, german]) => {
    const compiled = compileMessage(german)
    // Sentences of the contract are their own ids.
    return [
      [generateMessageId(english), compiled],
      [english, compiled],
    ]
  })
  i18n.loadAndActivate({ locale: 'de', locales: ['de-DE'], messages: Object.fromEntries(messages) })
}

afterEach(() => i18n.loadAndActivate({ locale: 'en', locales: ['en-GB'], messages: {} }))
