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
  Pencil,
  ShieldCheck,
  ShieldX,
  Trash2,
  UserMinus,
  UserPlus,
  Users,
} from 'lucide-react'

const ICONS: Record<string, LucideIcon> = {
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
  added: KeyRound,
  removed: KeyRound,
  granted: ShieldCheck,
  revoked: ShieldX,
  joined: LogIn,
  reminded: BellRing,
  enabled: Code,
  disabled: Code,
}

/** Icons of activities whose subject tells more than the verb. */
const BY_SUBJECT: Record<string, LucideIcon> = {
  'created Folder': FolderPlus,
  'created Group': Users,
  'created GroupMembership': UserPlus,
  'created Membership': UserPlus,
  'deleted GroupMembership': UserMinus,
  'deleted Membership': UserMinus,
}

export function ActivityIcon({ verb, subject }: { verb: string; subject: string | null }) {
  const Icon = BY_SUBJECT[`${verb} ${subject}`] ?? ICONS[verb] ?? Pencil
  return <Icon size={16} aria-hidden />
}
