import { t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Flag } from '../../../contract/endpoints/permissions.ts'
import type { api } from '../../../contract/index.ts'
import { countWords } from '../names-of.ts'

export type ForeseenRights = Reply<typeof api.permissions.foresee>

type RightsMoved = Pick<ForeseenRights['groups']['listed'][number], 'gains' | 'loses'>
type Counts = RightsMoved['gains'][Flag]

/**
 * Returns one sentence per right gained or lost: "will see 2 folders and 14 files". Losses that follow from losing view
 * are left out.
 */
export function foreseenWords({ gains, loses }: RightsMoved): { gained: string[]; lost: string[] } {
  return {
    gained: [
      ...sentence(gains.view, (what) => t`will see ${what}`),
      ...sentence(gains.download, (what) => t`will be able to download ${what}`),
      ...sentence(places(gains.upload), (what) => t`will be able to upload to ${what}`),
    ],
    lost: [
      ...sentence(loses.view, (what) => t`will no longer see ${what}`),
      ...sentence(beyond(loses.download, loses.view), (what) => t`will no longer be able to download ${what}`),
      ...sentence(places(beyond(loses.upload, loses.view)), (what) => t`will no longer be able to upload to ${what}`),
    ],
  }
}

const sentence = (counts: Counts, words: (what: string) => string): string[] =>
  counts.folders + counts.files > 0 ? [words(countWords(counts))] : []

/** The upload right is about folders, so files count only if there is no folder. */
const places = ({ folders, files }: Counts): Counts => ({ folders, files: folders === 0 ? files : 0 })

const NOTHING: Counts = { folders: 0, files: 0 }

/** A user who cannot view cannot download or upload, so these losses count only if they exceed the loss of view. */
const beyond = (counts: Counts, view: Counts): Counts =>
  counts.folders <= view.folders && counts.files <= view.files ? NOTHING : counts

export const changesNothing = ({ groups, people, is_partial }: ForeseenRights): boolean =>
  groups.total === 0 && people.total === 0 && !is_partial
