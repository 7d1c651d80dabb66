import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { QUESTION_PRIORITIES, QUESTION_REACHES } from '../../contract/endpoints/deal/questions.ts'
import type { Flag } from '../../contract/endpoints/permissions.ts'

// The content of the demo is data: `room.json` lists folders, groups and visits, and `documents` has the files.

/** A workspace of the demo as it is before its people upload documents. */
export interface DemoRoom<Group extends string = string> {
  name: string
  welcome?: Record<'description' | 'expectation' | 'text' | 'contact_note', string>
  folders: DemoFolder[]
  groups: Record<Group, DemoGroup>
  visits: Visit[]
  questions?: DemoQuestions
}

/** Files are names; folders and files are in the order of their upload. */
export interface DemoFolder {
  name: string
  files?: string[]
  folders?: DemoFolder[]
}

export interface DemoGroup {
  name: string
  members: string[]
  /** Its members get a mail. */
  invited?: boolean
  file_managing_abilities?: boolean
  watermarking?: boolean
  /** Documents are sealed; days from now until the last day on which they open. */
  drmDays?: number
  accessDays?: number
  /** Applied in this order; `folder` is a path of folder names, "" for All Folders. */
  rights: { verb: 'grant' | 'revoke'; flag: Flag; folder: string }[]
}

export interface Visit {
  person: string
  /** Working days before today. */
  day: number
  time: string
  minutes: number
  views?: string[]
  downloads?: string[]
  /** For how long the pages of a viewed file were read, from its first page. */
  seconds?: Record<string, number[]>
}

/** Working days before today, and a time in UTC. */
interface Then {
  day: number
  time: string
}

export interface DemoQuestions {
  categories: string[]
  limits: { group: string; most: number; days: number }[]
  asked: DemoQuestion[]
}

export interface DemoQuestion extends Then {
  by: string
  group: string
  subject: string
  text: string
  category: string
  priority: (typeof QUESTION_PRIORITIES)[number]
  file: string
  page?: number
  /** Days from today. */
  dueIn?: number
  note?: Then & { text: string }
  /** Awaits approval. */
  draft?: Then & { text: string }
  answer?: Then & { text: string; files: string[]; reach: (typeof QUESTION_REACHES)[number]; groups?: string[] }
}

interface Rooms {
  harbour: DemoRoom<'counsel' | 'buyers' | 'lenders' | 'advisers'>
  board: DemoRoom
  seriesB: DemoRoom<'investors'>
}

export const ROOMS = JSON.parse(readFileSync(join(import.meta.dirname, 'room.json'), 'utf8')) as Rooms

export const DOCUMENTS = join(import.meta.dirname, 'documents')

export interface DemoFile {
  name: string
  content: () => Promise<Uint8Array<ArrayBuffer>>
}

export const documentAt = (path: string): DemoFile => ({
  name: basename(path),
  content: () => readFile(join(DOCUMENTS, path)),
})

export const handedIn = (name: string): DemoFile => documentAt(join('handed in', name))
