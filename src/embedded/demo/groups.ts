import type { Flag } from '../../contract/permissions.ts'
import { AYESHA, type DemoPerson, JONAS, TOM } from './people.ts'

export interface DemoGroup {
  name: string
  members: DemoPerson[]
  file_managing_abilities?: boolean
  watermarking?: boolean
  /** Documents are sealed; the last day they open, in days from now. */
  drmDays?: number
  /** Access ends after so many days. */
  accessDays?: number
  /** In this order; a path of folder names, "" for All Folders. */
  rights: { verb: 'grant' | 'revoke'; flag: Flag; folder: string }[]
}

const grant = (flag: Flag, ...folders: string[]) => folders.map((folder) => ({ verb: 'grant' as const, flag, folder }))
const revoke = (flag: Flag, ...folders: string[]) =>
  folders.map((folder) => ({ verb: 'revoke' as const, flag, folder }))

export const DEMO_GROUPS: DemoGroup[] = [
  {
    name: 'Counsel',
    members: [JONAS],
    file_managing_abilities: true,
    rights: [...grant('download', ''), ...grant('upload', 'Legal'), ...revoke('view', 'People')],
  },
  {
    name: 'Lenders',
    members: [AYESHA],
    watermarking: true,
    drmDays: 90,
    rights: [
      ...grant('view', 'Corporate', 'Property'),
      ...grant('download', 'Finance', 'Insurance'),
      ...revoke('view', 'Finance/Forecasts'),
    ],
  },
  {
    name: 'Buyers',
    members: [TOM],
    accessDays: 60,
    rights: [
      ...grant('view', ''),
      ...revoke('view', 'People', 'Legal/Disputes'),
      ...grant('download', 'Corporate', 'Finance/Audited accounts', 'Property/Surveys'),
      ...grant('upload', 'Bids'),
    ],
  },
]
