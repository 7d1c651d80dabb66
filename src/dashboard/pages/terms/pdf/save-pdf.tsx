import { t } from '@lingui/core/macro'
import type { FetchQueryOptions } from '@tanstack/react-query'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { messageOf } from '../../../api/failures.ts'
import { queryClient } from '../../../api/query-client.ts'
import { save } from '../../../shared/downloads/save.ts'
import { Button } from '../../../ui/button.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import type { PagesQuery, TermsPages } from './terms-pages.ts'

/** Saves the PDF itself, by a URL that is asked for at that moment. */
export function SavePdf({ query }: { query: PagesQuery }) {
  const toasts = useToasts()
  const { mutate, isPending } = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...(query as FetchQueryOptions<TermsPages>), staleTime: 0 }),
    onSuccess: save,
    onError: (error) => toasts.failed(messageOf(error)),
  })
  return (
    <Button variant="outlined" startIcon={<Download size={15} />} loading={isPending} onClick={() => mutate()}>
      {t`Save the PDF`}
    </Button>
  )
}
