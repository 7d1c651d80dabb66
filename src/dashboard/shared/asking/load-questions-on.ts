import { lazy } from 'react'
import { withTexts } from '../../ui/words/language.ts'

/** Loaded once something else of the document is shown. */
export const QuestionsOn = lazy(
  withTexts('deal', async () => ({ default: (await import('./questions-on.tsx')).QuestionsOn })),
)
