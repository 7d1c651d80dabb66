import { plural, t } from '@lingui/core/macro'
import { number } from '../../ui/words/format.ts'

export type Transfer = 'move' | 'copy'
export type Verb = 'remove' | 'restore' | Transfer

/** The messages about one kind of change of many lines. */
interface BulkWords {
  doing: (at: string, total: string) => string
  /** `to` is the name of the destination folder. */
  done: (names: string, to: string) => string
  stopped: (done: string, total: string) => string
  failed: (failed: string, total: string) => string
  succeeded: (items: number) => string
}

const WORDS: Record<Verb, BulkWords> = {
  remove: {
    doing: (at, total) => t`Deleting ${at} of ${total}`,
    done: (names) => t`${names} deleted.`,
    stopped: (done, total) => t`Stopped: ${done} of ${total} deleted.`,
    failed: (failed, total) => t`${failed} of ${total} not deleted`,
    succeeded: (items) => plural(items, { one: '# item was deleted.', other: '# items were deleted.' }),
  },
  restore: {
    doing: (at, total) => t`Restoring ${at} of ${total}`,
    done: (names) => t`${names} restored.`,
    stopped: (done, total) => t`Stopped: ${done} of ${total} restored.`,
    failed: (failed, total) => t`${failed} of ${total} not restored`,
    succeeded: (items) => plural(items, { one: '# item was restored.', other: '# items were restored.' }),
  },
  move: {
    doing: (at, total) => t`Moving ${at} of ${total}`,
    done: (names, to) => t`${names} moved to “${to}”.`,
    stopped: (done, total) => t`Stopped: ${done} of ${total} moved.`,
    failed: (failed, total) => t`${failed} of ${total} not moved`,
    succeeded: (items) => plural(items, { one: '# item was moved.', other: '# items were moved.' }),
  },
  copy: {
    doing: (at, total) => t`Copying ${at} of ${total}`,
    done: (names, to) => t`${names} copied to “${to}”.`,
    stopped: (done, total) => t`Stopped: ${done} of ${total} copied.`,
    failed: (failed, total) => t`${failed} of ${total} not copied`,
    succeeded: (items) => plural(items, { one: '# item was copied.', other: '# items were copied.' }),
  },
}

/** "Deleting 3 of 12". */
export const doingWords = (verb: Verb, at: number, total: number) => WORDS[verb].doing(number(at), number(total))

/** "“Finance” moved to “Archive”." */
export const doneWords = (verb: Verb, names: string, to: string) => WORDS[verb].done(names, to)

/** "Stopped: 3 of 12 deleted." */
export const stoppedWords = (verb: Verb, done: number, total: number) =>
  WORDS[verb].stopped(number(done), number(total))

/** "3 of 12 not deleted". */
export const failedWords = (verb: Verb, failed: number, total: number) =>
  WORDS[verb].failed(number(failed), number(total))

/** "9 items were deleted." */
export const succeededWords = (verb: Verb, items: number) => WORDS[verb].succeeded(items)
