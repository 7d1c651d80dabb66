import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { FolderTree, UsersRound } from 'lucide-react'
import type { Template } from './beginnings.ts'

/** What a template brings, and what it leaves out. */
export function TemplatePreview({ template, withFiles }: { template: Template | undefined; withFiles: boolean }) {
  return (
    <>
      {template && (
        <Facts tabIndex={0}>
          <li>
            <FolderTree size={16} aria-hidden />
            <span>
              <strong>
                {plural(template.folders_count, { one: '# folder, at the top', other: '# folders, at the top' })}
              </strong>
              {listOf(template.folders)}
            </span>
          </li>
          <li>
            <UsersRound size={16} aria-hidden />
            <span>
              <strong>{plural(template.groups.length, { one: '# group', other: '# groups' })}</strong>
              {listOf(template.groups)}
            </span>
          </li>
        </Facts>
      )}
      <Typography variant="caption" color="textSecondary">
        {withFiles
          ? t`Folders, files, groups with their rights and protection, the numbering, the settings for reading times and the texts of the welcome page are taken over. People and the contact, former versions, drafts, dates, terms, questions and API access are not.`
          : t`Folders, groups with their rights and protection, the numbering, the settings for reading times and the texts of the welcome page are taken over. People and the contact, files, drafts, dates, terms, questions and API access are not.`}
      </Typography>
    </>
  )
}

const listOf = (names: readonly string[]) => (names.length > 0 ? `: ${names.join(', ')}` : '')

const Facts = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: 8,
  maxHeight: 220,
  margin: 0,
  padding: '10px 12px',
  overflow: 'auto',
  listStyle: 'none',
  borderRadius: 8,
  color: theme.vars.palette.text.secondary,
  background: theme.vars.palette.background.default,
  fontSize: 13,
  overflowWrap: 'anywhere',
  li: { display: 'flex', gap: 10 },
  svg: { flex: 'none', marginTop: 2 },
  strong: { fontWeight: 500, color: theme.vars.palette.text.primary },
}))
