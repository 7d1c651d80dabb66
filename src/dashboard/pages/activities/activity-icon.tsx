import {
  BellRing,
  Code,
  Copy,
  Download,
  Eye,
  FilePlus,
  FolderInput,
  type LucideIcon,
  KeyRound,
  LogIn,
  Pencil,
  ShieldCheck,
  ShieldX,
  Trash2,
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
  added: KeyRound,
  removed: KeyRound,
  granted: ShieldCheck,
  revoked: ShieldX,
  joined: LogIn,
  reminded: BellRing,
  enabled: Code,
  disabled: Code,
}

export function ActivityIcon({ verb }: { verb: string }) {
  const Icon = ICONS[verb] ?? Pencil
  return <Icon size={16} aria-hidden />
}
