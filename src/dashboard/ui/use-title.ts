import { useEffect } from 'react'

/** Sets the title of the browser tab, unless `title` is undefined. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} – Strongroom`
  }, [title])
}
