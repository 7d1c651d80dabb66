import { expect, test } from 'vitest'
import type { Db } from '../db/pool.ts'
import { bytesOf, type UnmarkedImage } from '../documents/page-images.ts'
import { findVersion } from '../store/file-versions.ts'
import { findStampedFile } from '../store/stamped-files.ts'
import type { DownloadableFile, MarkedFile, PlainFile, ReadableFile, UnmarkedPages } from './scopes.ts'

// Running code cannot show what does not compile. `npm run check` compiles this file, where a missing expected error is
// an error.

declare const db: Db
declare const readable: ReadableFile
declare const downloadable: DownloadableFile
declare const marked: MarkedFile
declare const plain: PlainFile
declare const pages: UnmarkedPages
declare const image: UnmarkedImage

const calls = {
  plain: () => findVersion(db, plain, 1),
  // @ts-expect-error the right to view a file does not give its bytes
  readable: () => findVersion(db, readable, 1),
  // @ts-expect-error the right to download says nothing about DRM and watermark
  downloadable: () => findVersion(db, downloadable, 1),
  // @ts-expect-error the original of a watermarked file stays here
  marked: () => findVersion(db, marked, 1),
  // @ts-expect-error only access/open-for-download.ts decides that a file is plain
  forged: (file: DownloadableFile): PlainFile => file,
  image: (): Buffer => bytesOf(image, pages),
  // @ts-expect-error a page image has no bytes without the permission to see it unmarked
  bareImage: (): Buffer => image,
  // @ts-expect-error the right to view a file says nothing about its watermark
  readableImage: (): Buffer => bytesOf(image, readable),
  stamped: () => findStampedFile(db, marked, 1),
  // @ts-expect-error a stamped copy has a way of delivery, which the rule decides
  stampedPlain: () => findStampedFile(db, plain, 1),
}

test('K5: originals take a plain file, stamped copies a marked one, unmarked pages a permission', () => {
  expect(Object.keys(calls)).toHaveLength(10)
})
