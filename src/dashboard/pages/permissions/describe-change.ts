import type { Flag } from '../../../contract/permissions.ts'
import { type FolderNode, ROOT } from './folder-tree.ts'
import { ALL_FLAGS, bitOf, ownBits, type Packed, VIEW, type Verb } from './rights.ts'

export const FLAG_NAMES: Record<Flag, string> = { view: 'View', download: 'Download', upload: 'Upload' }

/** "Finance and everything in it", as far as there is anything in it. */
export function reachOf(node: FolderNode): string {
  if (node.id === ROOT) return 'all folders, and those added later'
  return node.children > 0 ? `${node.name} and everything in it` : node.name
}

/** What a click will do, in one sentence. */
export function describeChange(node: FolderNode, packed: Packed, verb: Verb, flag: Flag): string {
  const what = `${verb === 'grant' ? 'Grant' : 'Revoke'} ${flag} on ${reachOf(node)}.`
  return [what, sideEffect(ownBits(packed), verb, flag)].filter(Boolean).join(' ')
}

function sideEffect(own: number, verb: Verb, flag: Flag): string {
  if (verb === 'grant') return flag !== 'view' && !(own & VIEW) ? 'View comes with it.' : ''
  const lost = (['download', 'upload'] as const).filter((other) => own & bitOf(other))
  return flag === 'view' && lost.length > 0 ? `Also revokes ${lost.join(' and ')}.` : ''
}

/** "Download on 7 of 12 subfolders", from the rows of the level below. */
export function describeMixed(level: readonly Packed[], flag: Flag): string {
  const having = level.filter((packed) => packed & ALL_FLAGS & bitOf(flag)).length
  return `${FLAG_NAMES[flag]} on ${having} of ${level.length} ${level.length === 1 ? 'subfolder' : 'subfolders'}.`
}

/** What has been done, for the toast and for screen readers. */
export function describeDone(node: FolderNode, verb: Verb, flag: Flag, groupName: string): string {
  return `${FLAG_NAMES[flag]} ${verb === 'grant' ? 'granted' : 'revoked'} for ${groupName} on ${reachOf(node)}`
}
