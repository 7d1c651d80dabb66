import { t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { FileText, Folder } from 'lucide-react'
import { Link as RouterLink } from 'react-router-dom'
import { filePath, folderPath } from '../../../shared/listing/folder-query.ts'
import type { SeenWorkspace } from '../../../shared/view-as/seen-by.ts'
import { useWorkspace } from '../../../shared/workspace.ts'
import type { Question } from '../questions.ts'

/** The document or folder that a question is on. */
export function Place({ place, seen }: Pick<Question, 'place'> & { seen?: SeenWorkspace | undefined }) {
  const own = useWorkspace()
  const workspace = seen ?? own
  if (!place) return null
  const { file_id, folder_id, title, page_number, deleted } = place
  const page = page_number === null ? '' : t`, page ${page_number}`
  if (deleted) return <Typography color="textSecondary">{t`${title}${page}, deleted since`}</Typography>
  const to =
    file_id === null
      ? folderPath(workspace, folder_id)
      : filePath(workspace, file_id, page_number === null ? {} : { page: page_number })
  const Icon = file_id === null ? Folder : FileText
  return (
    <PlaceLink to={to}>
      <Icon size={15} aria-hidden /> {title}
      {page}
    </PlaceLink>
  )
}

const PlaceLink = styled(RouterLink)(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  maxWidth: '100%',
  marginTop: 8,
  padding: '5px 10px',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  color: 'inherit',
  fontWeight: 600,
  textDecoration: 'none',
  overflowWrap: 'anywhere',
}))
