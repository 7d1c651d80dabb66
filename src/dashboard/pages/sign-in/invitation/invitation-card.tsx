import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../../paths.ts'
import { BrandPage } from '../../../ui/card-page.tsx'
import { useTitle } from '../../../ui/use-title.ts'
import { LanguageLinks } from '../../../ui/words/language-links.tsx'
import type { Invitation } from './open-invitation.ts'
import { RoomPanel } from './room-panel.tsx'

interface InvitationCardProps {
  title: string
  invitation?: Invitation
  children?: ReactNode
}

/** One card for all steps of a first visit, with the room beside them, so that nothing moves from step to step. */
export function InvitationCard({ title, invitation, children }: InvitationCardProps) {
  useTitle(title)
  return (
    <BrandPage>
      <Card>
        <Room>{invitation && <RoomPanel invitation={invitation} />}</Room>
        <Step>{children}</Step>
      </Card>
      <Foot>
        <LanguageLinks />
        {invitation && (
          <span>
            <Trans>
              Not you? <Link to={paths.signIn()}>Use another address</Link>
            </Trans>
          </span>
        )}
      </Foot>
    </BrandPage>
  )
}

const Card = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '384px minmax(0, 1fr)',
  width: '100%',
  maxWidth: 880,
  minHeight: 560,
  borderRadius: 12,
  overflow: 'hidden',
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)', maxWidth: 480, minHeight: 0 },
}))

const Room = styled('div')(({ theme }) => ({
  padding: 32,
  background: theme.vars.palette.rail.main,
  color: theme.vars.palette.rail.text,
  overflowWrap: 'anywhere',
  [theme.breakpoints.down('md')]: { padding: 20 },
}))

const Step = styled('div')(({ theme }) => ({
  padding: '36px 40px',
  [theme.breakpoints.down('md')]: { padding: 20, minHeight: 360 },
}))

const Foot = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  gap: 16,
  color: theme.vars.palette.text.secondary,
  a: { color: 'inherit' },
}))
