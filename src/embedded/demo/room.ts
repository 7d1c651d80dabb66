import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { REPLY_KINDS } from '../../contract/endpoints/deal/experts.ts'
import type { QUESTION_PRIORITIES, QUESTION_REACHES } from '../../contract/endpoints/deal/questions.ts'
import type { Flag } from '../../contract/endpoints/permissions.ts'

// The content of the demo is data: `room.json` lists folders, groups and visits, and `documents` has the files.

/** A workspace of the demo as it is before its people upload documents. */
export interface DemoRoom<Group extends string = string> {
  name: string
  welcome?: Record<'description' | 'expectation' | 'text' | 'contact_note', string> & {
    contacts: Record<'name' | 'role' | 'email' | 'phone', string>[]
  }
  /** Versions of the terms of the room. */
  terms?: DemoTerms[]
  folders: DemoFolder[]
  groups: Record<Group, DemoGroup>
  visits: Visit[]
  questions?: DemoQuestions
  next?: DemoPhase
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
  /** Nobody is in it until it is published. */
  is_draft?: boolean
  /** Applied in this order. */
  rights: DemoRight[]
}

interface DemoRight {
  verb: 'grant' | 'revoke'
  flag: Flag
  /** A path of folder names, "" for All Folders. */
  folder: string
}

type RightOfGroup = DemoRight & { group: string }

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

export interface DemoTerms extends Then {
  title: string
  asks_name: boolean
  text?: string
  /** A file in the folder of terms, in place of the text. */
  pdf?: string
}

/** What is prepared for later, and nobody but admins sees. */
export interface DemoPhase extends Then {
  /** A folder at the top, in which the draft is. */
  below: string
  /** A draft folder, and when it is planned to be published: working days from today, and a time in UTC. */
  folder: DemoFolder
  opensIn: number
  opensAt: string
  rights: RightOfGroup[]
  staged: RightOfGroup[]
  group: DemoGroup
}

export interface DemoQuestions {
  categories: string[]
  /** Addresses of members. */
  experts: string[]
  faq: DemoEntry[]
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
  passes?: DemoPass[]
  reads?: DemoRead[]
  /** When the answer was taken among the FAQ. */
  faq?: Then
  /** Awaits approval. */
  draft?: Then & { text: string }
  answer?: Then & { text: string; files: string[]; reach: (typeof QUESTION_REACHES)[number]; groups?: string[] }
}

/** Who opened a question or its answer, and when. */
export interface DemoRead extends Then {
  by: string
}

export interface DemoPass extends Then {
  to: string
  text: string
  reply?: Then & { kind: (typeof REPLY_KINDS)[number]; text: string }
}

/** One of the FAQ that nobody asked. */
export interface DemoEntry extends Then {
  subject: string
  answer: string
  category: string
  /** Who receives it; absent: all. */
  groups?: string[]
  reads?: DemoRead[]
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

/** Folders of documents that `room.json` does not list. */
export const HANDED_IN = 'handed in'
const TERMS = 'Terms'
export const UNLISTED = [HANDED_IN, TERMS]

export const termsAt = (name: string): DemoFile => documentAt(join(TERMS, name))

export const handedIn = (name: string): DemoFile => documentAt(join(HANDED_IN, name))
