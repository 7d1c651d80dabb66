import { i18n, type MessageDescriptor } from '@lingui/core'

/** A part of a compiled message: a text or a placeholder. */
type Token = string | readonly [name: string, ...format: unknown[]]

type Values = Record<string, string>
type Known = { message: MessageDescriptor; pattern: RegExp }

/**
 * Returns a function that translates sentences by their known English form, in which a placeholder such as `{title}`
 * matches any text. The function returns undefined for an unknown sentence.
 */
export function reader(
  messages: readonly MessageDescriptor[],
  valueInWords = (text: string): string => text,
): (sentence: string) => string | undefined {
  const whole = new Map<string, MessageDescriptor>()
  const patterns: Known[] = []
  for (const message of messages) {
    const [first, ...rest] = tokensOf(message)
    if (typeof first === 'string' && rest.length === 0) whole.set(first, message)
    else patterns.push({ message, pattern: patternOf(message) })
  }
  return (sentence) => {
    const known = whole.get(sentence)
    if (known) return i18n._(known)
    for (const { message, pattern } of patterns) {
      const values = pattern.exec(sentence)?.groups
      if (values) return i18n._({ ...message, values: inEach(values, valueInWords) })
    }
    return undefined
  }
}

/** The build compiles messages to tokens, although the type of a descriptor says `string`. */
function tokensOf({ message }: MessageDescriptor): readonly Token[] {
  return typeof message === 'string' ? [message] : ((message ?? []) as readonly Token[])
}

function patternOf(message: MessageDescriptor): RegExp {
  const parts = tokensOf(message).map((token) => (typeof token === 'string' ? escape(token) : `(?<${token[0]}>.+)`))
  return new RegExp(`^${parts.join('')}$`, 's')
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const inEach = (values: Values, change: (text: string) => string): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
