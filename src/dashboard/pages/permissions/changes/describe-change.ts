import { plural, select, t } from '@lingui/core/macro'
import type { Flag } from '../../../../contract/endpoints/permissions.ts'
import { bitOf } from '../../../../contract/rules.ts'
import { flagName } from '../../../shared/who/flag-name.ts'
import { number } from '../../../ui/words/format.ts'
import { type FolderNode, ROOT } from '../sheet/folder-tree.ts'
import { ownBits, type Packed, VIEW, type Verb } from '../sheet/rights.ts'
import type { Count } from '../sheet/use-reach-of-rows.ts'

/** "Download, Bidders". */
export function flagLabel(flag: Flag, group: string): string {
  const right = flagName(flag)
  return t`${right}, ${group}`
}

/** "Download, Bidders, Corporate, Finance". */
export function cellLabel(flag: Flag, group: string, path: string): string {
  const right = flagName(flag)
  return t`${right}, ${group}, ${path}`
}

/** "Download, Bidders, Corporate, Finance, staged". */
export function stagedLabel(flag: Flag, group: string, path: string): string {
  const cell = cellLabel(flag, group, path)
  return t`${cell}, staged`
}

/** Says in one sentence what a click will do and what comes with it. */
export function describeChange(node: FolderNode, packed: Packed, verb: Verb, flag: Flag): string {
  const what = verb === 'grant' ? willGrant(node, flag) : willRevoke(node, flag)
  return [what, sideEffect(ownBits(packed), verb, flag)].filter(Boolean).join(' ')
}

function willGrant({ id, name, children }: FolderNode, flag: Flag): string {
  if (id === ROOT)
    return t`Grant ${select(flag, { view: 'view', download: 'download', other: 'upload' })} on all folders, and those added later.`
  if (children > 0)
    return t`Grant ${select(flag, { view: 'view', download: 'download', other: 'upload' })} on ${name} and everything in it.`
  return t`Grant ${select(flag, { view: 'view', download: 'download', other: 'upload' })} on ${name}.`
}

function willRevoke({ id, name, children }: FolderNode, flag: Flag): string {
  if (id === ROOT)
    return t`Revoke ${select(flag, { view: 'view', download: 'download', other: 'upload' })} on all folders, and those added later.`
  if (children > 0)
    return t`Revoke ${select(flag, { view: 'view', download: 'download', other: 'upload' })} on ${name} and everything in it.`
  return t`Revoke ${select(flag, { view: 'view', download: 'download', other: 'upload' })} on ${name}.`
}

function sideEffect(own: number, verb: Verb, flag: Flag): string {
  if (verb === 'grant') return flag !== 'view' && !(own & VIEW) ? t`View comes with it.` : ''
  if (flag !== 'view') return ''
  const [download, upload] = [own & bitOf('download'), own & bitOf('upload')]
  if (download && upload) return t`Also revokes download and upload.`
  if (download) return t`Also revokes download.`
  return upload ? t`Also revokes upload.` : ''
}

/** "Download on 8 of 8 folders below; later ones not included.", of all folders below, at any depth. */
export function describeCount({ having, all }: Count, flag: Flag, isLaterIncluded: boolean): string {
  const on = number(having)
  const what = t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} on ${on} of ${plural(all, { one: '# folder', other: '# folders' })} below`
  return isLaterIncluded ? t`${what}; later ones included.` : t`${what}; later ones not included.`
}

export function describeExceptions(names: readonly string[]): string {
  const listed = names.join(', ')
  return t`Not on ${listed}.`
}

/** Used where the folders below are not counted. */
export function describeSome(flag: Flag): string {
  return t`Some folders inside have ${select(flag, { view: 'view', download: 'download', other: 'upload' })}, some have not.`
}

/** Says what was done, for the toast and for screen readers. */
export function describeDone(node: FolderNode, verb: Verb, flag: Flag, groupName: string): string {
  return verb === 'grant' ? granted(node, flag, groupName) : revoked(node, flag, groupName)
}

function granted({ id, name, children }: FolderNode, flag: Flag, group: string): string {
  if (id === ROOT)
    return t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} granted for ${group} on all folders, and those added later`
  if (children > 0)
    return t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} granted for ${group} on ${name} and everything in it`
  return t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} granted for ${group} on ${name}`
}

function revoked({ id, name, children }: FolderNode, flag: Flag, group: string): string {
  if (id === ROOT)
    return t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} revoked for ${group} on all folders, and those added later`
  if (children > 0)
    return t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} revoked for ${group} on ${name} and everything in it`
  return t`${select(flag, { view: 'View', download: 'Download', other: 'Upload' })} revoked for ${group} on ${name}`
}
