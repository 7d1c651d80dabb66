import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Eye } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { read, useRead, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { UNPRINTED } from '../../ui/print.ts'
import { groupsQuery, useReaderName, type SeenWorkspace } from './seen-by.ts'

interface ReaderBannerProps {
  workspace: SeenWorkspace
  /** The same place, as the admin sees it. */
  leaveTo: string
  /** What is to be known here besides. */
  children?: ReactNode
}

/** Tells through whose eyes the page looks. */
export function ReaderBanner({ workspace, leaveTo, children }: ReaderBannerProps) {
  const name = useReaderName(workspace)
  return (
    <Banner role="note" className={UNPRINTED}>
      <Eye size={18} aria-hidden />
      <span>
        <Trans>
          You see this workspace as <strong>{name}</strong>. Nothing can be changed here.
        </Trans>
        <Draft workspace={workspace} />
        <AwaitedTerms workspace={workspace} />
        {children}
      </span>
      <Button component={Link} to={leaveTo} variant="outlined" size="small">
        <Trans context="view as">Leave</Trans>
      </Button>
    </Banner>
  )
}

function Draft({ workspace: { id, seenAs } }: Pick<ReaderBannerProps, 'workspace'>) {
  const isDraft = useRead(groupsQuery(id)).some((group) => group.id === seenAs.group_id && group.is_draft)
  return isDraft && <> {t`The group is a draft: nobody sees this until it is published.`}</>
}

function AwaitedTerms({ workspace: { id, seenAs } }: Pick<ReaderBannerProps, 'workspace'>) {
  const { data } = useReading(read(api.terms.foresee, { params: { id }, query: seenAs }))
  return (
    data?.await && (
      <>
        {' '}
        {t`Terms await first: until they are accepted, nothing of this is shown.`}
        {data.terms.map((each) => (
          <Fragment key={each.id}>
            {' '}
            <Link to={paths.issuedTerms(id, each.id)}>{t`Read “${each.title}”`}</Link>
          </Fragment>
        ))}
      </>
    )
  )
}

const Banner = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '8px 16px',
  overflowWrap: 'anywhere',
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  svg: { flexShrink: 0 },
  a: { color: 'inherit' },
  '> a': { marginLeft: 'auto', flexShrink: 0, borderColor: 'currentcolor' },
}))
