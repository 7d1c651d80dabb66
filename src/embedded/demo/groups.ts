import type { Flag } from '../../contract/permissions.ts'
import { AYESHA, type DemoPerson, JONAS, KENJI, MARTA, PETRA, PRIYA, TOM } from './people.ts'

export interface DemoGroup {
  name: string
  members: DemoPerson[]
  file_managing_abilities?: boolean
  watermarking?: boolean
  /** Documents are sealed; days from now until the last day on which they open. */
  drmDays?: number
  /** Days from now until access ends. */
  accessDays?: number
  /** Applied in this order; `folder` is a path of folder names, "" for All Folders. */
  rights: { verb: 'grant' | 'revoke'; flag: Flag; folder: string }[]
}

const grant = (flag: Flag, ...folders: string[]) => folders.map((folder) => ({ verb: 'grant' as const, flag, folder }))
const revoke = (flag: Flag, ...folders: string[]) =>
  folders.map((folder) => ({ verb: 'revoke' as const, flag, folder }))

export const COUNSEL: DemoGroup = {
  name: 'Counsel',
  members: [JONAS],
  file_managing_abilities: true,
  rights: [...grant('download', ''), ...grant('upload', 'Legal'), ...revoke('view', 'People')],
}

export const LENDERS: DemoGroup = {
  name: 'Lenders',
  members: [AYESHA],
  drmDays: 90,
  rights: [
    ...grant('view', 'Overview', 'Corporate', 'Property', 'Questions and answers'),
    ...grant('download', 'Finance', 'Insurance'),
    ...revoke('view', 'Finance/Forecasts', 'Corporate/Board minutes'),
    ...grant('upload', 'Finance/Term sheets'),
  ],
}

export const BUYERS: DemoGroup = {
  name: 'Buyers',
  members: [TOM, PRIYA],
  watermarking: true,
  accessDays: 60,
  rights: [
    ...grant('view', ''),
    ...revoke('view', 'People', 'Legal/Disputes', 'Finance/Term sheets'),
    ...grant('download', 'Overview', 'Corporate', 'Finance/Audited accounts', 'Property/Surveys'),
    ...grant('upload', 'Bids'),
  ],
}

/** A group whose access ends soon. */
export const ADVISERS: DemoGroup = {
  name: 'Insurance advisers',
  members: [PETRA, KENJI],
  accessDays: 5,
  rights: [...grant('view', 'Property'), ...grant('download', 'Insurance')],
}

export const INVESTORS: DemoGroup = {
  name: 'Investors',
  members: [AYESHA, MARTA],
  watermarking: true,
  rights: [...grant('view', ''), ...grant('download', 'Pitch')],
}
