import { useTheme } from '@mui/material/styles'
import {
  File,
  FileArchive,
  FileAudio,
  FileBox,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  Folder,
  Mail,
  Presentation,
  type LucideIcon,
} from 'lucide-react'
import type { FileKind } from '../../contract/endpoints/files.ts'
import type { Tints } from '../theme.ts'

interface Look {
  icon: LucideIcon
  tint: keyof Tints
}

const LOOKS: Record<FileKind, Look> = {
  pdf: { icon: FileText, tint: 'pdf' },
  document: { icon: FileText, tint: 'text' },
  spreadsheet: { icon: FileSpreadsheet, tint: 'sheet' },
  presentation: { icon: Presentation, tint: 'slides' },
  image: { icon: FileImage, tint: 'picture' },
  message: { icon: Mail, tint: 'text' },
  drawing: { icon: FileBox, tint: 'drawing' },
  video: { icon: FileVideo, tint: 'drawing' },
  audio: { icon: FileAudio, tint: 'slides' },
  archive: { icon: FileArchive, tint: 'other' },
  other: { icon: File, tint: 'other' },
}

/** Icon and tint of a kind of file; a plain sheet where the kind is unknown. */
export function FileIcon({ kind, size = 18 }: { kind: FileKind | null | undefined; size?: number }) {
  const { vars } = useTheme()
  const { icon: Icon, tint } = LOOKS[kind ?? 'other']
  return <Icon size={size} color={vars.palette.tint[tint]} aria-hidden style={{ flexShrink: 0 }} />
}

export function FolderIcon({ size = 18 }: { size?: number }) {
  return <Folder size={size} aria-hidden style={{ flexShrink: 0 }} />
}
