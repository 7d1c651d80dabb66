import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Activity,
  Contact,
  DoorOpen,
  FolderTree,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Users,
} from 'lucide-react'
import { paths } from '../../paths.ts'

/** An entry of the rail inside a workspace. */
export interface Section {
  label: MessageDescriptor
  icon: LucideIcon
  to: (workspaceId: number) => string
  adminsOnly: boolean
  /** Members see it while their group may ask, or there is something for them to read. */
  ifQuestions?: true
}

/** In the order of the rail. */
export const sections: Section[] = [
  {
    label: msg({ message: 'Welcome', context: 'in the rail: up to 9 letters' }),
    icon: DoorOpen,
    to: paths.welcome,
    adminsOnly: false,
  },
  { label: msg`Files`, icon: FolderTree, to: (id) => paths.files(id), adminsOnly: false },
  {
    label: msg`Questions`,
    icon: MessagesSquare,
    to: (id) => paths.questions(id),
    adminsOnly: false,
    ifQuestions: true,
  },
  { label: msg`Access`, icon: KeyRound, to: (id) => paths.permissions(id), adminsOnly: true },
  { label: msg`Activity`, icon: Activity, to: paths.activities, adminsOnly: false },
  { label: msg`Groups`, icon: Users, to: paths.groups, adminsOnly: false },
  { label: msg`People`, icon: Contact, to: paths.people, adminsOnly: true },
  {
    label: msg({ message: 'Settings', context: 'in the rail: up to 9 letters' }),
    icon: Settings,
    to: paths.settings,
    adminsOnly: true,
  },
]
