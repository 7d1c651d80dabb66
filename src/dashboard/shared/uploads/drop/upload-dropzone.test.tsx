import { createEvent, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../../testing/fake-api.ts'
import { renderElement } from '../../../testing/render-element.tsx'
import { UploadDropzone } from './upload-dropzone.tsx'

const onOver = vi.fn<() => void>()
const onEnd = vi.fn<() => void>()

/** Renders a dropzone whose content is not shown yet, so that its own code is not loaded. */
function early() {
  fakeApi()
  renderElement(
    <UploadDropzone
      workspaceId={5}
      folder={{ id: 2, name: 'Finance' }}
      shown={false}
      mayUpload
      into={undefined}
      folderAt={() => undefined}
      onOver={onOver}
      onEnd={onEnd}
    >
      <p>Loading</p>
    </UploadDropzone>,
  )
  return screen.findByText('Loading')
}

beforeEach(() => {
  vi.clearAllMocks()
})

test('files dropped before the dropzone is loaded are taken', async () => {
  const getAsFile = vi.fn<() => File | null>(() => null)
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file', getAsFile, webkitGetAsEntry: () => null }] }
  const place = await early()
  // `fireEvent` returns false for a prevented event: the browser does not open the file.
  expect(fireEvent.dragOver(place, { dataTransfer })).toBe(false)
  expect(fireEvent.drop(place, { dataTransfer })).toBe(false)
  expect(getAsFile).toHaveBeenCalledOnce()
})

test('before the dropzone is loaded, files that are dropped or leave end the drag', async () => {
  const dataTransfer = { types: ['Files'], items: [] }
  const place = await early()
  onEnd.mockClear()
  fireEvent.dragOver(place, { dataTransfer })
  expect(onOver).toHaveBeenCalledOnce()
  const leave = (relatedTarget: Element | null) =>
    fireEvent(place, Object.defineProperty(createEvent.dragLeave(place), 'relatedTarget', { value: relatedTarget }))
  leave(place.parentElement)
  expect(onEnd).not.toHaveBeenCalled()
  leave(null)
  expect(onEnd).toHaveBeenCalledOnce()
  fireEvent.drop(place, { dataTransfer })
  expect(onEnd).toHaveBeenCalledTimes(2)
})
