import { plural } from '@lingui/core/macro'

export const chosenWords = (chosen: number) => plural(chosen, { one: '# selected', other: '# selected' })
