import { plural } from '@lingui/core/macro'

export function unreadableWords(names: readonly string[]): string {
  const [name = ''] = names
  const amount = names.length
  return plural(amount, {
    one: `“${name}” could not be read and is not uploaded.`,
    other: `“${name}” and others, # in all, could not be read and are not uploaded.`,
  })
}
