import { t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { messageOf } from '../../api/failures.ts'
import { useWorkspace } from '../../shared/workspace.ts'
import { RowMenu } from '../../ui/fields/row-menu.tsx'
import { Opening } from '../../ui/states/opening.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { filtersIn, type Settings } from './questions.ts'

const CategoriesDialog = lazy(async () => ({ default: (await import('./categories-dialog.tsx')).CategoriesDialog }))
const ExpertsDialog = lazy(async () => ({ default: (await import('./experts/experts-dialog.tsx')).ExpertsDialog }))
const ImportDialog = lazy(async () => ({ default: (await import('./transfer/import-dialog.tsx')).ImportDialog }))

/** What is done seldom: exports for all, imports, categories and experts for admins. */
export function QuestionTools({ settings }: { settings: Settings }) {
  const workspace = useWorkspace()
  const toasts = useToasts()
  const [search] = useSearchParams()
  const [open, setOpen] = useState<'import' | 'categories' | 'experts'>()
  const close = () => setOpen(undefined)
  const save = async () => {
    try {
      const { exportQuestions } = await import('./transfer/export-questions.ts')
      const { after: _page, per_page: _size, ...filters } = filtersIn(search, workspace.admin)
      const { q, category } = filters
      // The FAQ shows no other filters.
      const shown =
        search.get('view') === 'faq' ? { faq: true, ...(q && { q }), ...(category && { category }) } : filters
      await exportQuestions(workspace, shown)
    } catch (error) {
      toasts.failed(messageOf(error))
    }
  }
  return (
    <>
      <RowMenu label={t`More about questions`}>
        <MenuItem onClick={() => void save()}>{t`Export as Excel (XLSX)`}</MenuItem>
        {workspace.admin && <MenuItem onClick={() => setOpen('import')}>{t`Import questions`}</MenuItem>}
        {workspace.admin && <MenuItem onClick={() => setOpen('categories')}>{t`Categories of questions`}</MenuItem>}
        {workspace.admin && <MenuItem onClick={() => setOpen('experts')}>{t`Experts`}</MenuItem>}
      </RowMenu>
      <Suspense fallback={<Opening onClose={close} />}>
        {open === 'categories' && <CategoriesDialog settings={settings} onClose={close} />}
        {open === 'experts' && <ExpertsDialog settings={settings} onClose={close} />}
        {open === 'import' && <ImportDialog settings={settings} onClose={close} />}
      </Suspense>
    </>
  )
}
