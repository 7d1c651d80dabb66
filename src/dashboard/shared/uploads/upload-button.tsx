import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Upload } from 'lucide-react'
import { lazy, Suspense, useRef, useState, type ChangeEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Opening } from '../../ui/states/opening.tsx'
import { DIRECTORY } from './upload.ts'
import { useAddFiles } from './drop/use-add-files.ts'

const UploadMenu = lazy(async () => ({ default: (await import('./upload-menu.tsx')).UploadMenu }))

interface UploadButtonProps {
  workspaceId: number
  folderId: number
}

/** Chooses files, or a folder with everything in it. */
export function UploadButton({ workspaceId, folderId }: UploadButtonProps) {
  const addFiles = useAddFiles(workspaceId)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const close = () => setAnchor(null)
  const choose = (input: HTMLInputElement | null) => {
    close()
    input?.click()
  }
  const onChosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void addFiles(folderId, [...(currentTarget.files ?? [])])
    // Lets the user choose the same file again.
    currentTarget.value = ''
  }
  const input = { type: 'file', multiple: true, hidden: true, onChange: onChosen } as const
  return (
    <>
      <Button
        variant="contained"
        startIcon={<Upload size={16} />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Trans context="verb">Upload</Trans>
      </Button>
      <Suspense fallback={<Opening onClose={close} />}>
        {anchor && (
          <UploadMenu
            anchor={anchor}
            onFiles={() => choose(files.current)}
            onFolder={() => choose(folder.current)}
            onClose={close}
          />
        )}
      </Suspense>
      <input {...input} ref={files} aria-label={t`Files to upload`} />
      <input {...input} ref={folder} aria-label={t`Folder to upload`} {...DIRECTORY} />
    </>
  )
}
