import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { messageOf } from '../../../api/failures.ts'
import { useReading } from '../../../api/query.ts'
import { NotRead } from '../../../ui/states/not-read.tsx'
import { BrandingSkeleton } from '../branding-skeleton.tsx'
import { type BrandPlace, brandingQuery } from './brand-place.ts'
import { LogoField } from './logo-field.tsx'
import { LookForm } from './look-form.tsx'
import { MailTexts } from './mail-texts.tsx'

/** How a room looks to the people in it, and how its invitations read. The rest of the page does without it. */
export function BrandingEditor({ place }: { place: BrandPlace }) {
  const { data: branding, error, refetch } = useReading(brandingQuery(place))
  if (!branding && error) return <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />
  if (!branding) return <BrandingSkeleton />
  return (
    <Fields>
      <Intro>
        {place === 'organization'
          ? t`For all workspaces of the organization. A workspace can set its own in its settings.`
          : t`What is empty here is as the organization has it, but with one logo of its own, a workspace shows none of the organization’s.`}
      </Intro>
      <Logos>
        <LogoField place={place} scheme="light" branding={branding} />
        <LogoField place={place} scheme="dark" branding={branding} />
      </Logos>
      <LookForm place={place} branding={branding} />
      <h3>{t`Invitations by mail`}</h3>
      <MailTexts place={place} branding={branding} />
    </Fields>
  )
}

const Fields = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 16,
  h3: { margin: '8px 0 0', fontSize: 14 },
})

const Intro = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars.palette.text.secondary }))

const Logos = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 220px), 1fr))',
  gap: 16,
})
