import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import script from '../../../../../public/start.js?raw'
import { api } from '../../../../contract/index.ts'
import { fakeApi, type FakeApi } from '../../../testing/fake-api.ts'
import { folderContent } from '../../../testing/folders.ts'
import { renderElement } from '../../../testing/render-element.tsx'
import { uploads } from '../uploads.ts'
import { UploadDropzone } from './upload-dropzone.tsx'

// No upload ends.
vi.mock('../send/send-file.ts', () => ({ sendFile: () => new Promise(() => {}) }))

const onOver = vi.fn<() => void>()
const onEnd = vi.fn<() => void>()

let server: FakeApi

/** Renders a dropzone whose content is not shown yet, so that its own code is not loaded. */
function early(mayUpload: boolean | undefined) {
  renderElement(
    <UploadDropzone
      workspace={{ id: 5, name: 'Harbour', admin: false }}
      folder={{ id: 2, name: 'Finance' }}
      shown={false}
      mayUpload={mayUpload}
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

/** Has the folder, once it is read, give or withhold the right to upload. */
function readFolder(upload: boolean) {
  const content = folderContent({ id: 2, name: 'Finance', index: 2 })
  server.on(api.folders.get, { ...content, abilities: { ...content.abilities, upload } })
}

const filesOf = (name: string) => {
  const getAsFile = () => new File(['x'], name)
  return { types: ['Files'], items: [{ kind: 'file', getAsFile, webkitGetAsEntry: () => null }] }
}

const uploading = () => uploads.snapshot().uploads.map(({ name }) => name)

beforeEach(() => {
  vi.clearAllMocks()
  uploads.clear()
  server = fakeApi()
})

test('files dropped before the dropzone is loaded are taken', async () => {
  const getAsFile = vi.fn<() => File | null>(() => null)
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file', getAsFile, webkitGetAsEntry: () => null }] }
  const place = await early(true)
  // `fireEvent` returns false for a prevented event: the browser does not open the file.
  expect(fireEvent.dragOver(place, { dataTransfer })).toBe(false)
  expect(fireEvent.drop(place, { dataTransfer })).toBe(false)
  expect(getAsFile).toHaveBeenCalledOnce()
})

test('before the dropzone is loaded, files that are dropped or leave end the drag', async () => {
  const dataTransfer = { types: ['Files'], items: [] }
  const place = await early(true)
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

describe('files dropped before the folder is read', () => {
  test('are uploaded once it is known that the user may upload', async () => {
    readFolder(true)
    fireEvent.drop(await early(undefined), { dataTransfer: filesOf('plan.pdf') })
    await waitFor(() => expect(uploading()).toEqual(['plan.pdf']))
  })

  test('are refused with the reason if the user may not upload', async () => {
    readFolder(false)
    fireEvent.drop(await early(undefined), { dataTransfer: filesOf('plan.pdf') })
    await screen.findByText('You may not upload to 2 Finance')
    expect(uploading()).toEqual([])
  })

  test('are refused with the reason if the folder cannot be read', async () => {
    server.fail(api.folders.get, 404, 'There is nothing here that you can see.')
    fireEvent.drop(await early(undefined), { dataTransfer: filesOf('plan.pdf') })
    await screen.findByText('There is nothing here that you can see.')
    expect(uploading()).toEqual([])
  })
})

test('files dropped where the user may not upload are refused with the reason', async () => {
  fireEvent.drop(await early(false), { dataTransfer: filesOf('plan.pdf') })
  await screen.findByText('You may not upload to Finance')
  expect([uploading(), server.calls.filter((call) => call.includes('/folders/'))]).toEqual([[], []])
})

describe('files dropped before anything of the page is there', () => {
  /** Runs public/start.js at an address and drops files on the empty page. */
  function dropAt(address: string, ...names: string[]) {
    window.history.replaceState(null, '', address)
    document.body.replaceChildren()
    // oxlint-disable-next-line typescript/no-implied-eval -- the script of the page, as the browser runs it
    new Function(script)()
    delete window.askedEarly
    for (const name of names) fireEvent.drop(document.body, { dataTransfer: filesOf(name) })
  }

  test('are uploaded once the page is there', async () => {
    readFolder(true)
    dropAt('/workspaces/5/files/2', 'plan.pdf', 'budget.xlsx')
    await early(undefined)
    await waitFor(() => expect(uploading().toSorted()).toEqual(['budget.xlsx', 'plan.pdf']))
    expect(window.droppedEarly).toBeUndefined()
  })

  test('are to be dropped again if the page took long to appear', async () => {
    dropAt('/workspaces/5/files/2', 'plan.pdf')
    vi.spyOn(performance, 'now').mockReturnValue(61_000)
    await early(undefined)
    await screen.findByText(/Drop them again/)
    expect(uploading()).toEqual([])
  })

  test('are not uploaded to another folder, to which the user went meanwhile', async () => {
    readFolder(true)
    dropAt('/workspaces/9/files/3', 'plan.pdf')
    window.history.replaceState(null, '', '/workspaces/5/files/2')
    await early(undefined)
    await screen.findByText(/Drop them again/)
    expect(uploading()).toEqual([])
  })

  test.each(['/workspaces/5/groups', '/'])('are not kept for a page without a folder: %s', (address) => {
    dropAt(address, 'plan.pdf')
    expect(window.droppedEarly).toBeUndefined()
  })
})
