import {
  ArchiveRestore,
  BellRing,
  Code,
  Copy,
  Download,
  Eye,
  FilePlus,
  FolderInput,
  FolderPlus,
  type LucideIcon,
  KeyRound,
  LogIn,
  Mail,
  Pencil,
  Scale,
  ShieldCheck,
  ShieldX,
  Trash2,
  TriangleAlert,
  UserMinus,
  UserPlus,
  Users,
} from 'lucide-react'
import { type FeedAct, type FeedVerb, isFeedAct } from '../../../contract/acts.ts'
import type { FeedEvent } from './activity-days.ts'

const ICONS: Record<FeedVerb, LucideIcon> = {
  viewed: Eye,
  downloaded: Download,
  opened: ShieldCheck,
  refused: ShieldX,
  created: FilePlus,
  updated: Pencil,
  updated_name: Pencil,
  renamed: Pencil,
  copied: Copy,
  moved: FolderInput,
  deleted: Trash2,
  restored: ArchiveRestore,
  damaged: TriangleAlert,
  added: KeyRound,
  removed: KeyRound,
  granted: ShieldCheck,
  revoked: ShieldX,
  joined: LogIn,
  invited: Mail,
  reminded: BellRing,
  enabled: Code,
  disabled: Code,
  issued: Scale,
  withdrew: Scale,
  accepted: Scale,
  declined: ShieldX,
}

/** Icons of acts for which the subject says more than the verb. */
const BY_ACT: Partial<Record<FeedAct, LucideIcon>> = {
  folder_added: FolderPlus,
  group_added: Users,
  group_member_added: UserPlus,
  member_added: UserPlus,
  group_member_removed: UserMinus,
  member_removed: UserMinus,
}

export function ActivityIcon({ activity: { act, verb } }: { activity: Pick<FeedEvent, 'act' | 'verb'> }) {
  const byAct = isFeedAct(act) ? BY_ACT[act] : undefined
  const Icon = byAct ?? (verb in ICONS ? ICONS[verb as FeedVerb] : Pencil)
  return <Icon size={16} aria-hidden />
}
