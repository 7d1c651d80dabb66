import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { ChevronRight, Eye, EyeOff } from 'lucide-react'
import { Link, useParams, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { withoutNumber } from '../../../contract/outline/outline.ts'
import { prefetch, read, useRead } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { FileIcon, FolderIcon } from '../../shared/file-icon.tsx'
import { nameOf } from '../../shared/people.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { bytes } from '../../ui/words/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'

type Content = Reply<typeof api.permissions.viewAs>
type Who = { group: number } | { user: number }

export function loader({ params, request }: LoaderFunctionArgs) {
  const workspaceId = idOf(params['workspaceId'])
  const who = whoIn(new URL(request.url).searchParams)
  const content = contentQuery(workspaceId, idOf(params['folderId'] ?? '0'), who)
  return prefetch(content, peopleQuery(workspaceId), groupsQuery(workspaceId))
}

/** Shows the workspace as a group or a user sees it, with the service's replies to them. The page changes nothing. */
export function ViewAsPage() {
  const workspace = useWorkspace()
  const folderId = idOf(useParams()['folderId'] ?? '0')
  const [search] = useSearchParams()
  const who = whoIn(search)
  const name = useName(workspace.id, who)
  const { folder, ...content } = useRead(contentQuery(workspace.id, folderId, who))
  return (
    <>
      <Banner role="note">
        <Eye size={18} aria-hidden />
        <span>
          <Trans>
            You see this workspace as <strong>{name}</strong>. Nothing can be changed here.
          </Trans>
        </span>
        <Button component={Link} to={leave(workspace.id, who)} variant="outlined" size="small">
          <Trans context="view as">Leave</Trans>
        </Button>
      </Banner>
      <PageHeader title={folder.id === 0 ? workspace.name : folder.name} text={<Above folder={folder} who={who} />}>
        <Typography color="textSecondary">{abilitiesText(content.abilities)}</Typography>
      </PageHeader>
      <Lines content={content} who={who} workspaceId={workspace.id} name={name} />
    </>
  )
}

export { ViewAsPage as Component }

function whoIn(search: URLSearchParams): Who {
  const user = search.get('user')
  return user === null ? { group: idOf(search.get('group') ?? undefined) } : { user: idOf(user) }
}

function contentQuery(workspace_id: number, folderId: number, who: Who) {
  const query = { workspace_id, ...('user' in who ? { user_id: who.user } : { group_id: who.group }) }
  return read(api.permissions.viewAs, { params: { id: folderId }, query })
}

const peopleQuery = (id: number) => read(api.workspaces.listMembers, { params: { id } })
const groupsQuery = (workspace_id: number) => read(api.groups.list, { query: { workspace_id } })

function useName(workspaceId: number, who: Who): string {
  const people = useRead(peopleQuery(workspaceId))
  const groups = useRead(groupsQuery(workspaceId))
  if ('group' in who) return groups.find(({ id }) => id === who.group)?.name ?? t`a group that is gone`
  const member = people.find(({ user }) => user.id === who.user)
  return member ? nameOf(member.user) : t`somebody who is not here any more`
}

const leave = (workspaceId: number, who: Who) =>
  paths.permissions(workspaceId, 'group' in who ? { group: who.group } : {})

function abilitiesText({ view, download, upload }: Content['abilities']): string {
  if (download && upload) return t`May view, download, upload here`
  if (download) return t`May view, download here`
  if (upload) return t`May view, upload here`
  return view ? t`May view here` : t`May only pass through here`
}

function Above({ folder, who }: { folder: Content['folder']; who: Who }) {
  const workspace = useWorkspace()
  if (folder.id === 0) return null
  const ids = folder.id_path.split('.').slice(0, -1).map(Number)
  const names = [workspace.name, ...folder.parent_path.split('/').filter(Boolean)]
  return (
    <Crumbs aria-label={t`Folders above`}>
      {ids.map((id, at) => (
        <span key={id}>
          {at > 0 && <ChevronRight size={12} aria-hidden />}
          <Link to={paths.viewAs(workspace.id, who, id)}>{names[at]}</Link>
        </span>
      ))}
    </Crumbs>
  )
}

interface LinesProps {
  content: Pick<Content, 'immediate_subfolders' | 'immediate_subfiles' | 'abilities'>
  who: Who
  workspaceId: number
  name: string
}

function Lines({ content, who, workspaceId, name }: LinesProps) {
  const { immediate_subfolders: folders, immediate_subfiles: files } = content
  if (folders.length + files.length === 0) {
    return (
      <Sheet>
        <EmptyState icon={EyeOff} title={t`Nothing to see`} text={t`${name} sees nothing here.`} />
      </Sheet>
    )
  }
  return (
    <Sheet>
      <List aria-label={t`What ${name} sees`}>
        {folders.map((folder) => (
          <li key={`folder ${folder.id}`}>
            <FolderIcon />
            <span className="outline">{folder.outline}</span>
            <Link to={paths.viewAs(workspaceId, who, folder.id)}>{withoutNumber(folder.name, folder.outline)}</Link>
            <span>{folder.path_node ? t`Passes through` : ''}</span>
          </li>
        ))}
        {files.map((file) => (
          <li key={`file ${file.id}`}>
            <FileIcon kind={file.kind} />
            <span className="outline">{file.outline}</span>
            <span className="name">{withoutNumber(file.title, file.outline)}</span>
            <span>{bytes(file.file_size)}</span>
          </li>
        ))}
      </List>
    </Sheet>
  )
}

const Banner = styled('div')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  zIndex: 2,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 10,
  padding: '8px 16px',
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  a: { marginLeft: 'auto', color: 'inherit', borderColor: 'currentcolor' },
}))

const Crumbs = styled('nav')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 2,
  fontSize: '0.75rem',
  a: { color: 'inherit' },
  span: { display: 'inline-flex', alignItems: 'center', gap: 2 },
})

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  li: {
    display: 'grid',
    gridTemplateColumns: '20px auto minmax(0, 1fr) auto',
    alignItems: 'center',
    gap: 10,
    minHeight: 38,
    padding: '0 16px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  'li:first-of-type': { borderTop: 0 },
  'a, .name': { color: 'inherit', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  a: { textDecoration: 'none' },
  'a:hover': { textDecoration: 'underline' },
  '.outline, span:last-of-type': { color: theme.vars.palette.text.secondary },
}))
