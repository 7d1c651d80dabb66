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
  Presentation,
  type LucideIcon,
} from 'lucide-react'
import type { Tints } from '../theme.ts'

interface Look {
  icon: LucideIcon
  tint: keyof Tints
}

const looks: [extensions: string, look: Look][] = [
  ['pdf', { icon: FileText, tint: 'pdf' }],
  ['doc docx odt rtf txt md pages', { icon: FileText, tint: 'text' }],
  ['xls xlsx ods csv tsv numbers', { icon: FileSpreadsheet, tint: 'sheet' }],
  ['ppt pptx odp key', { icon: Presentation, tint: 'slides' }],
  ['dwg dxf dwf step stp ifc', { icon: FileBox, tint: 'drawing' }],
  ['png jpg jpeg gif webp tif tiff bmp heic svg', { icon: FileImage, tint: 'picture' }],
  ['mp4 mov avi mkv webm', { icon: FileVideo, tint: 'drawing' }],
  ['mp3 wav m4a ogg flac', { icon: FileAudio, tint: 'slides' }],
  ['zip 7z rar tar gz', { icon: FileArchive, tint: 'other' }],
]

const byExtension = new Map(looks.flatMap(([names, look]) => names.split(' ').map((name) => [name, look] as const)))
const plain: Look = { icon: File, tint: 'other' }

/** Icon and tint of a file's type, by the extension of its name. */
export function FileIcon({ name, size = 18 }: { name: string; size?: number }) {
  const { vars } = useTheme()
  const { icon: Icon, tint } = byExtension.get(extensionOf(name)) ?? plain
  return <Icon size={size} color={vars.palette.tint[tint]} aria-hidden style={{ flexShrink: 0 }} />
}

export function FolderIcon({ size = 18 }: { size?: number }) {
  return <Folder size={size} aria-hidden style={{ flexShrink: 0 }} />
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}
