import { describe, expect, it } from 'vitest'
import { speakGerman } from '../../../testing/german.ts'
import { describeChange, describeCount, describeDone, describeExceptions } from './describe-change.ts'
import { type FolderNode, ROOT } from '../sheet/folder-tree.ts'

const finance: FolderNode = { id: 3, name: 'Finance', position: 1, parentId: ROOT, depth: 1, children: 2 }
const empty = { ...finance, children: 0 }
const all = { ...finance, id: ROOT, name: 'All Folders' }
const NOTHING = 0
const EVERYTHING = 0b111

describe('what a click will change', () => {
  it.each([
    [describeChange(empty, NOTHING, 'grant', 'view'), 'Grant view on Finance.'],
    [
      describeChange(finance, NOTHING, 'grant', 'upload'),
      'Grant upload on Finance and everything in it. View comes with it.',
    ],
    [describeChange(all, NOTHING, 'grant', 'view'), 'Grant view on all folders, and those added later.'],
    [
      describeChange(finance, EVERYTHING, 'revoke', 'view'),
      'Revoke view on Finance and everything in it. Also revokes download and upload.',
    ],
    [
      describeDone(all, 'revoke', 'download', 'Bidders'),
      'Download revoked for Bidders on all folders, and those added later',
    ],
    [describeDone(empty, 'grant', 'upload', 'Bidders'), 'Upload granted for Bidders on Finance'],
    [describeCount({ having: 8, all: 8 }, 'view', false), 'View on 8 of 8 folders below; later ones not included.'],
    [describeCount({ having: 0, all: 1 }, 'upload', true), 'Upload on 0 of 1 folder below; later ones included.'],
    [describeExceptions(['Tax', 'Term sheets']), 'Not on Tax, Term sheets.'],
  ])('is described in whole sentences: %s', (said, wanted) => expect(said).toBe(wanted))

  it('follows the word order of another language', () => {
    speakGerman({
      'Grant {flag, select, view {view} download {download} other {upload}} on {name} and everything in it.':
        '{flag, select, view {Ansehen} download {Herunterladen} other {Hochladen}} für {name} mit allem Inhalt erteilen.',
      'View comes with it.': 'Ansehen gehört dazu.',
    })
    expect(describeChange(finance, NOTHING, 'grant', 'download')).toBe(
      'Herunterladen für Finance mit allem Inhalt erteilen. Ansehen gehört dazu.',
    )
  })
})
