import { useEffect } from 'react'
import { type DropzoneState, useDropzone } from 'react-dropzone'

/** Hands the state of a dropzone to the component that has its element; renders nothing. */
export function DropWatch({ onChange }: { onChange: (zone: DropzoneState) => void }): null {
  const zone = useDropzone({
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    // The dropzone reads the drop itself, because `readDrop` takes any number of files.
    getFilesFromEvent: async () => [],
  })
  const { isDragActive } = zone
  // oxlint-disable-next-line react/exhaustive-deps -- the other properties follow from the same state
  useEffect(() => onChange(zone), [isDragActive, onChange])
  return null
}
