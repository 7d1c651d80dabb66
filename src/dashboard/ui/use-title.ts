import { useEffect } from 'react'

/** Names the browser's tab, where there is a title. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} – Strongroom`
  }, [title])
}
