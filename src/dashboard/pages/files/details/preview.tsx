import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { EyeOff, FileClock, FileX2, ShieldAlert, type LucideIcon } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import type { FileKind } from '../../../../contract/endpoints/files.ts'
import type { api } from '../../../../contract/index.ts'
import { FileIcon } from '../../../shared/file-icon.tsx'
import { useWorkspaceIfAny } from '../../../shared/workspace.ts'
import { shownReason } from '../../../shared/shown-reason.ts'
import { useLastingUrl } from '../../../shared/use-lasting-url.ts'

type FileMapped = Reply<typeof api.files.get>

interface PreviewProps {
  id: number
  name: string
  kind: FileKind
  infected: boolean
  /** Undefined until the file is read. */
  image: FileMapped['viewer_image'] | undefined
  /** Address of the viewer, which shows all pages. */
  to: string
  /** Requests a new URL of the image. */
  renew: () => Promise<unknown>
}

/** The first page, or the reason why there is none. */
export function Preview({ id, name, kind, infected, image, to, renew }: PreviewProps) {
  const isAdmin = useWorkspaceIfAny()?.admin === true
  if (infected)
    return <NoPreview icon={ShieldAlert} text={t`A virus was found in this file. It can only be deleted.`} alarm />
  if (!image) return <Card aria-hidden />
  if (image.status === 'Ready' && image.expiring_thumbnail_url) {
    return (
      <Card>
        <Link to={to} state={{ opened: id }}>
          <Thumbnail key={name} url={image.expiring_thumbnail_url} alt={t`First page of ${name}`} renew={renew} />
        </Link>
      </Card>
    )
  }
  if (image.status === 'Unsupported') {
    return (
      <Card>
        <FileIcon kind={kind} size={40} />
        <Typography variant="caption">
          {shownReason(image, isAdmin) || t`There is no preview for files of this type.`}
        </Typography>
      </Card>
    )
  }
  if (image.status === 'Failed')
    return <NoPreview icon={FileX2} text={shownReason(image, isAdmin) || t`No preview could be made of this file.`} />
  if (image.status === 'Ready') return <NoPreview icon={EyeOff} text={t`The preview is not shown to you.`} />
  const text = image.status === 'Processing' ? t`The preview is being made.` : t`The preview is waiting to be made.`
  return <NoPreview icon={FileClock} text={text} />
}

function NoPreview({ icon: Icon, text, alarm = false }: { icon: LucideIcon; text: string; alarm?: boolean }) {
  return (
    <Card className={alarm ? 'alarm' : ''}>
      <Icon size={28} aria-hidden />
      <Typography variant="caption">{text}</Typography>
    </Card>
  )
}

function Thumbnail({ url, alt, renew }: { url: string; alt: string; renew: () => Promise<unknown> }) {
  const { src, onLoad, onError } = useLastingUrl(url, renew)
  return <img src={src} alt={alt} draggable={false} onLoad={onLoad} onError={onError} />
}

const Card = styled('div')(({ theme }) => ({
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 8,
  height: 168,
  padding: 16,
  boxSizing: 'border-box',
  textAlign: 'center',
  overflow: 'hidden',
  borderRadius: 8,
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.secondary,
  '&.alarm': { color: theme.vars.palette.error.main, borderColor: 'currentColor' },
  a: { display: 'grid', borderRadius: 2 },
  img: {
    maxWidth: '100%',
    maxHeight: 136,
    objectFit: 'contain',
    background: '#ffffff',
    boxShadow: '0 1px 4px rgb(0 0 0 / 0.2)',
  },
}))
