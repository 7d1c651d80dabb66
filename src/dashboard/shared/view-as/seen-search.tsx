import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { useSlash } from '../frame/use-slash.ts'
import type { SeenWorkspace } from './seen-by.ts'

/** Finds what the reader would find; Enter shows all results. */
export function SeenSearch({ workspace: { id, seenAs } }: { workspace: SeenWorkspace }) {
  const asked = useSearchParams()[0].get('q') ?? ''
  const [text, setText] = useState(asked)
  const [seen, setSeen] = useState(asked)
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  // Back and Forward may lead to another search.
  if (asked !== seen) {
    setSeen(asked)
    setText(asked)
  }
  const who = { group: seenAs.group_id, user: seenAs.user_id }
  const submit = () => {
    const q = text.trim()
    if (q === '') return
    const isResults = pathname.endsWith('/search')
    void navigate(paths.viewAs(id, { ...who, q }, 'search'), { state: isResults ? null : { from: pathname + search } })
  }
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <SearchField label={t`Search as they do`} value={text} onChange={setText} width="100%" inputRef={input} />
    </form>
  )
}
