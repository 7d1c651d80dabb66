import { Activity, Contact, FolderTree, KeyRound, type LucideIcon, Settings, Users } from 'lucide-react'
import { paths } from '../../paths.ts'

/** An entry of the rail inside a workspace. */
export interface Section {
  label: string
  icon: LucideIcon
  to: (workspaceId: number) => string
  /** Left out for everyone but workspace admins. */
  adminsOnly: boolean
}

/** In the order of the rail. */
export const sections: Section[] = [
  { label: 'Files', icon: FolderTree, to: (id) => paths.files(id), adminsOnly: false },
  { label: 'Access', icon: KeyRound, to: (id) => paths.permissions(id), adminsOnly: true },
  { label: 'Activity', icon: Activity, to: paths.activities, adminsOnly: false },
  { label: 'Groups', icon: Users, to: paths.groups, adminsOnly: false },
  { label: 'People', icon: Contact, to: paths.people, adminsOnly: true },
  { label: 'Settings', icon: Settings, to: paths.settings, adminsOnly: true },
]
