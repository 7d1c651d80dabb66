import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Activity, Download, Droplets, FileCheck, type LucideIcon, ShieldCheck } from 'lucide-react'
import { Part } from '../../ui/part.tsx'
import { dayOf } from '../../ui/words/format.ts'
import type { Welcome } from './welcome-page.tsx'

type Protected = NonNullable<Welcome['protection']>

interface Fact {
  icon: LucideIcon
  title: string
  text: string
}

interface ProtectionProps {
  /** The terms that the reader has accepted. */
  terms: Welcome['terms']
  protection: Welcome['protection']
  measured: boolean
}

/** What the groups of the reader do to protect the documents. */
export function Protection({ protection, measured, terms }: ProtectionProps) {
  const facts = [
    ...(protection?.documents ? factsOf(protection) : []),
    recorded(protection === null, measured),
    ...terms.map(accepted),
  ]
  return (
    <Part title={t`How the documents are protected`}>
      <List>
        {facts.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={17} aria-hidden />
            <span>
              <b>{title}</b>
              <small>{text}</small>
            </span>
          </li>
        ))}
      </List>
    </Part>
  )
}

function accepted({ title, version, accepted_at }: Welcome['terms'][number]): Fact {
  const day = dayOf(accepted_at)
  return { icon: FileCheck, title: t`You accepted the terms on ${day}`, text: t`${title}, version ${version}` }
}

function factsOf(protection: Protected): Fact[] {
  return [markOf(protection), downloadOf(protection)].filter((fact) => fact !== undefined)
}

function markOf({ marked }: Protected): Fact | undefined {
  if (marked === 'none') return undefined
  const text = t`It shows what the team has set, for example your name, address and the time.`
  return {
    icon: Droplets,
    title: marked === 'all' ? t`Every page carries your mark` : t`Some pages carry your mark`,
    text,
  }
}

function downloadOf({ downloads, sealed }: Protected): Fact | undefined {
  if (!downloads)
    return { icon: Download, title: t`View only`, text: t`You may view documents, but not download them.` }
  if (sealed === 'none') return undefined
  const title = sealed === 'all' ? t`Downloads are sealed copies` : t`Some downloads are sealed copies`
  return {
    icon: ShieldCheck,
    title,
    text: t`They open in any browser after you sign in, until your access or the copies end.`,
  }
}

const recorded = (isAdmin: boolean, isMeasured: boolean): Fact => ({
  icon: Activity,
  title: t`Reading is recorded`,
  text: [recordedFor(isAdmin), ...(isMeasured ? [t`It is also recorded for how long each page is read.`] : [])].join(
    ' ',
  ),
})

const recordedFor = (isAdmin: boolean) =>
  isAdmin
    ? t`Admins see who opens and downloads which document, and when. Marks and sealed copies do not apply to admins.`
    : t`The admins of this room see which documents you open and download, and when.`

const List = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'grid',
  gap: 12,
  li: { display: 'flex', gap: 12 },
  svg: { flex: 'none', marginTop: 2, color: theme.vars.palette.primary.main },
  b: { display: 'block', fontWeight: 600 },
  small: { color: theme.vars.palette.text.secondary, fontSize: '0.75rem' },
}))
