import { useMemo } from 'react'
import { useQuestions } from '../../shared/frame/use-questions.ts'
import { isUnsealable } from '../../shared/listing/entries.ts'
import { useScreen } from '../../shared/listing/use-screen.ts'
import type { Zoom } from './pages/page-layout.ts'
import type { PageWindow } from './pages/use-page-window.ts'
import { isIntact, useViewedFile } from './viewed-file.tsx'
import type { ViewSituation } from './viewer-actions.ts'

/** The facts that decide which actions are available. They change with the page in view. */
export function useViewSituation({ scale, fillsWidth, sight, layout, view }: PageWindow, zoom: Zoom): ViewSituation {
  const { workspace, file, document, shown, shownVersion, pages, abilities, previous, next } = useViewedFile()
  const { admin, seenAs } = workspace
  const mayAsk = Boolean(useQuestions(workspace)?.groups.length) && !seenAs
  const { phone } = useScreen()
  const { page } = sight
  const box = layout.boxes[page - 1]
  const fits = box !== undefined && box.height <= view.height
  const sealed = document !== undefined && abilities?.download === true && !document.printable
  const unsealable = sealed && isUnsealable(document.status)
  return useMemo(
    () => ({
      shown,
      page,
      pages,
      scale,
      fillsWidth,
      zoom,
      fits,
      // A sealed copy is made of the newest version only, and of its pages.
      mayDownload:
        abilities?.download === true && file !== undefined && !(sealed && shownVersion < file.version) && !unsealable,
      sealed,
      intact: file !== undefined && isIntact(file),
      mayManage: abilities?.manage === true,
      mayPrint: document?.printable === true,
      mayFind: document !== undefined && document.text_layer !== 'none',
      mayAsk,
      previous,
      next,
      admin,
      phone,
    }),
    [
      shown,
      page,
      pages,
      scale,
      fillsWidth,
      zoom,
      fits,
      abilities,
      file,
      document,
      sealed,
      unsealable,
      shownVersion,
      mayAsk,
      previous,
      next,
      admin,
      phone,
    ],
  )
}
