import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { type LoaderFunctionArgs, Navigate, redirect, useLocation, useSearchParams } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { useRead } from '../../api/query.ts'
import { idOf, insideOnly, paths } from '../../paths.ts'
import { PageError } from '../../shared/frame/page-error.tsx'
import { AccountMenu } from '../../shared/frame/account-menu.tsx'
import { useMe, useSession } from '../../shared/session.ts'
import { enterableQuery, useWorkspaceId } from '../../shared/workspace.ts'
import { SIZES } from '../../theme.ts'
import { Mark } from '../../ui/mark.tsx'
import { UNPRINTED } from '../../ui/print.ts'
import { useTitle } from '../../ui/use-title.ts'
import { AnswerCard } from './answer-card.tsx'
import { ContactCard } from './contact-card.tsx'
import { NoTerms } from './no-terms.tsx'
import { type OwnTerms, ownTermsQuery } from './own-terms.ts'
import { RecordedCard } from './recorded-card.tsx'
import { TermsText } from './terms-text.tsx'

/** Outsiders get the error of the workspace instead of the page. */
export async function loader({ params, request }: LoaderFunctionArgs) {
  const id = idOf(params['workspaceId'])
  const own = await queryClient.fetchQuery({ ...ownTermsQuery(id), staleTime: 0 })
  const wanted = new URL(request.url).searchParams.get('to')
  if (own.await || wanted === null) return null
  // Accepted in another tab, or withdrawn.
  forgetRefusals()
  return redirect(enterAt(id, wanted))
}

/** Stands before everything of a workspace: no rail, no search, nothing but the terms. */
export function TermsPage() {
  const { pathname, search } = useLocation()
  if (!useSession().user) return <Navigate to={paths.signIn(pathname + search)} state="ended" replace />
  return (
    <Page>
      <Bar />
      <Content />
    </Page>
  )
}

function Content() {
  const id = useWorkspaceId()
  const own = useRead(ownTermsQuery(id))
  const [search] = useSearchParams()
  const wanted = search.get('to')
  const [version] = own.terms
  useTitle(version?.title ?? t`Terms`)
  if (!version) return <NoTerms workspaceName={own.workspace_name} to={enterAt(id, wanted)} />
  return (
    <Columns>
      <TermsText own={own} version={version} />
      <Side>
        <AnswerCard key={version.id} own={own} version={version} to={enterAt(id, wanted)} onEntered={forgetRefusals} />
        <RecordedCard recorded={own.recorded} version={version} />
        {own.contact && <ContactCard contact={own.contact} about={subjectOf(own)} />}
      </Side>
    </Columns>
  )
}

const subjectOf = ({ workspace_name, terms }: OwnTerms) => `${workspace_name}: ${terms[0]?.title ?? ''}`

/** Only addresses of the same workspace: others have terms of their own. */
function enterAt(id: number, wanted: string | null): string {
  const to = insideOnly(wanted)
  return to.startsWith(`${paths.workspace(id)}/`) ? to : paths.workspace(id)
}

/** Also of the list of workspaces, which says that terms await. */
function forgetRefusals() {
  queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
  queryClient.removeQueries(enterableQuery)
}

function Bar() {
  const { email } = useMe()
  return (
    <Header className={UNPRINTED}>
      <Mark size={22} />
      <span style={{ fontSize: 15, fontWeight: 650 }}>Strongroom</span>
      <Address>{email}</Address>
      <AccountMenu />
    </Header>
  )
}

const Page = styled('div')({ display: 'flex', flexDirection: 'column', height: '100%' })

const Header = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  flexShrink: 0,
  height: SIZES.bar,
  padding: '0 16px',
  background: theme.vars.palette.background.paper,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

const Address = styled('span')(({ theme }) => ({
  flex: 1,
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  textAlign: 'right',
  fontSize: '0.75rem',
  color: theme.vars.palette.text.secondary,
}))

const Columns = styled('main')(({ theme }) => ({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 704px) minmax(0, 344px)',
  justifyContent: 'center',
  alignItems: 'start',
  alignContent: 'start',
  gap: 16,
  padding: '28px 16px',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 704px)', padding: 12 },
  '@media print': { display: 'block', overflow: 'visible' },
}))

const Side = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 16,
  [theme.breakpoints.up('md')]: { position: 'sticky', top: 0 },
}))

/** Outside the frame, which has the landmark on other pages. */
export const ErrorBoundary = () => (
  <main>
    <PageError />
  </main>
)

export { TermsPage as Component }
