import { styled } from '@mui/material/styles'
import { lazy, Suspense, useEffect, useState, type DragEvent, type ReactNode } from 'react'
import type { DropzoneState } from 'react-dropzone'
import { usePainted } from '../../../ui/use-painted.ts'
import type { Workspace } from '../../listing/folder-query.ts'
import { holdsFiles } from './holds-files.ts'
import { readDrop } from './read-drop.ts'
import { useAddFiles } from './use-add-files.ts'

// Tells whether files are dragged over the page; a drop works without it.
const DropWatch = lazy(async () => ({ default: (await import('./drop-watch.ts')).DropWatch }))

const DropVeil = lazy(async () => ({ default: (await import('./drop-veil.tsx')).DropVeil }))

// Loaded for a drop that may have to be refused.
const judging = () => import('./refusal-of-drop.ts')

declare global {
  interface Window {
    /** What was dropped before the page was there, kept by public/start.js. */
    droppedEarly?: { path: string; items: DataTransferItem[] }
  }
}

export interface Folder {
  id: number
  name: string
}

interface UploadDropzoneProps {
  workspace: Workspace
  folder: Folder
  /** Whether the content is shown; only then the code that watches for dragged files is loaded. */
  shown: boolean
  /** Whether the user may upload into the shown folder; undefined until it is read. */
  mayUpload: boolean | undefined
  /** Another folder that the dragged files hover over. */
  into: Folder | undefined
  /** The folder under an event, if it is another one. */
  folderAt: (event: DragEvent) => Folder | undefined
  onOver: (event: DragEvent) => void
  /** The files were dropped or have left the dropzone. */
  onEnd: () => void
  children: ReactNode
}

/** Uploads files and folders dropped anywhere on the children. Fills its container. */
export function UploadDropzone({
  workspace,
  folder,
  shown,
  mayUpload,
  into,
  folderAt,
  onOver,
  onEnd,
  children,
}: UploadDropzoneProps) {
  const { name } = into ?? folder
  const addFiles = useAddFiles(workspace.id)
  const [zone, setZone] = useState<DropzoneState>()
  const painted = usePainted(shown)
  const isDragActive = zone?.isDragActive === true
  useEffect(() => {
    if (!isDragActive) onEnd()
  }, [isDragActive, onEnd])
  useEffect(() => {
    const early = window.droppedEarly
    delete window.droppedEarly
    if (!early) return
    const isHere = early.path === window.location.pathname
    void addFiles(folder.id, readDrop(early), async () =>
      (await judging()).refusalOfEarlyDrop(workspace, folder, isHere),
    )
  }, [workspace, folder, addFiles])
  const onDragOver = (event: DragEvent) => {
    if (!holdsFiles(event.dataTransfer)) return
    event.preventDefault()
    onOver(event)
  }
  const onDrop = (event: DragEvent) => {
    if (!holdsFiles(event.dataTransfer)) return
    event.preventDefault()
    // `into` may not be rendered yet.
    const other = folderAt(event)
    const judge = async () => (await judging()).refusalOfDrop(workspace, folder, mayUpload)
    void addFiles((other ?? folder).id, readDrop(event.dataTransfer), other || mayUpload ? undefined : judge)
    onEnd()
  }
  // Until the dropzone is loaded, no change of its state tells that the files have left.
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!zone && !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onEnd()
  }
  const handlers = { onDragOver, onDragLeave, onDrop, role: undefined, tabIndex: undefined }
  return (
    <Place {...(zone ? zone.getRootProps(handlers) : handlers)}>
      {children}
      <Suspense>{painted && <DropWatch onChange={setZone} />}</Suspense>
      <Suspense>{isDragActive && mayUpload !== undefined && <DropVeil mayUpload={mayUpload} name={name} />}</Suspense>
    </Place>
  )
}

const Place = styled('div')({ position: 'relative', height: '100%', minHeight: 0, minWidth: 0 })
