import type { Flag } from '../../../../contract/endpoints/permissions.ts'
import type { Blueprint, BlueprintGroup } from '../blueprint.ts'

/** A folder at the top with those inside it. */
export type Branch = readonly [name: string, ...inside: string[]]

/** A group and what it may do: with everything, or with folders at the top by their numbers. */
export interface Part {
  name: string
  may: Partial<Record<Flag, 'all' | readonly number[]>>
}

/** A shipped template in one language. */
export interface Outline {
  folders: readonly Branch[]
  groups: readonly Part[]
  expectation: string
}

const USUAL: Omit<BlueprintGroup, 'place' | 'name'> = {
  kind: 'custom',
  drm_enabled: false,
  watermarked: true,
  file_managing_abilities: false,
  text_layer: 'with_download',
  pdf_delivery: 'woven',
}

export function toBlueprint({ folders, groups, expectation }: Outline): Blueprint {
  const top = folders.map(([name], at) => ({ place: at + 1, parent: 0, name, index: at + 1 }))
  const inside = folders.flatMap(([, ...names], at) =>
    names.map((name, index) => ({ parent: at + 1, name, index: index + 1 })),
  )
  return {
    folders: [...top, ...inside.map((folder, at) => ({ place: top.length + at + 1, ...folder }))],
    groups: groups.map(({ name }, at) => ({ ...USUAL, place: at + 1, name })),
    rights: groups.flatMap(({ may }, at) => rightsOf(may).map((right) => ({ group: at + 1, ...right, value: true }))),
    texts: { description: '', expectation, welcome_text: '' },
    numbering: 'fixed',
  }
}

/** Download and upload come with view. */
function rightsOf(may: Part['may']): { folder: number; flag: Flag }[] {
  const asked = (Object.entries(may) as [Flag, 'all' | readonly number[]][]).flatMap(([flag, where]) =>
    (where === 'all' ? [0] : where).map((folder) => ({ folder, flag })),
  )
  const seen = new Set<string>()
  return asked
    .flatMap(({ folder, flag }) => [
      { folder, flag: 'view' as const },
      { folder, flag },
    ])
    .filter(({ folder, flag }) => seen.size !== seen.add(`${folder} ${flag}`).size)
}
