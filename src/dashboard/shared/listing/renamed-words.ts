import { plural, t } from '@lingui/core/macro'

/** A name that was taken where the item arrived, and the one that it has instead. */
export interface Renamed {
  before: string
  now: string
}

/** Names told one by one; the rest are counted. */
const NAMED = 3

/** Returns the sentences "“Plan.pdf” is now “Plan (2).pdf”." and "4 more have other names.". */
export function renamedWords(renamed: readonly Renamed[]): string[] {
  const named = renamed.slice(0, NAMED).map(({ before, now }) => t`“${before}” is now “${now}”.`)
  const more = renamed.length - named.length
  if (more === 0) return named
  return [...named, plural(more, { one: '# more has another name.', other: '# more have other names.' })]
}
