import { KeyRound, type LucideIcon } from 'lucide-react'
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
  { label: 'Permissions', icon: KeyRound, to: (id) => paths.permissions(id), adminsOnly: true },
]
