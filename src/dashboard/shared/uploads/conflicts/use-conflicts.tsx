import { useRef, useState, type ReactNode } from 'react'
import { Asking } from './conflict-dialog.tsx'
import { contentOf, factsOf, type Answer, type Choice, type Conflict, type KnownFile } from './conflicts.ts'
import type { StoredFile } from '../upload.ts'

/** A stored file or folder that is to arrive in another folder. */
export interface Arriving {
  key: string
  kind: 'file' | 'folder'
  /** The name of a folder, or the `file_name` of a file. */
  name: string
  /** Size and time of change of a file. */
  file?: KnownFile
  destination: number
}

/** What the service is to do about a name that is taken. */
export type Settled = 'rename' | 'replace' | 'skip'

const SETTLED: Record<Choice, Settled> = { version: 'replace', both: 'rename', skip: 'skip' }

interface Names {
  files: ReadonlyMap<string, StoredFile>
  /** Ids by name. */
  folders: ReadonlyMap<string, number>
}

/** A run of transfers that was begun, with the names in the folders that they go to. */
interface Run {
  left: Arriving[]
  /** An answer for all files is none for folders, which are never versions. */
  forAll: Partial<Record<Arriving['kind'], Choice>>
  names: Map<number, Names>
}

interface Question {
  conflict: Conflict
  answer: (answer: Answer) => void
}

/** Asks about names that are taken while files and folders are moved, copied or restored one after the other. */
export function useConflicts(workspaceId: number): {
  begin: (arriving: readonly Arriving[]) => void
  settle: (one: Arriving) => Promise<Settled>
  dialog: ReactNode
} {
  const run = useRef<Run>({ left: [], forAll: {}, names: new Map() })
  const [question, setQuestion] = useState<Question>()
  const ask = (conflict: Conflict) =>
    new Promise<Answer>((resolve) => {
      const answer = (given: Answer) => {
        setQuestion(undefined)
        resolve(given)
      }
      setQuestion({ conflict, answer })
    })
  const settle = async (one: Arriving): Promise<Settled> => {
    const { current } = run
    current.left = current.left.filter(({ key }) => key !== one.key)
    const names = current.names.get(one.destination) ?? (await namesIn(workspaceId, one.destination))
    current.names.set(one.destination, names)
    if (!isTaken(names, one)) return 'rename'
    const { kind } = one
    const given = current.forAll[kind]
    const others = given ? 0 : await countTaken(workspaceId, current, kind)
    const answer = given ? { choice: given, forAll: true } : await ask(conflictOf(names, one, others))
    if (answer.forAll) current.forAll[kind] = answer.choice
    return SETTLED[answer.choice]
  }
  return {
    begin: (arriving) => {
      run.current = { left: [...arriving], forAll: {}, names: new Map() }
    },
    settle,
    dialog: question && <Asking key={question.conflict.name} {...question} />,
  }
}

/** Folders whose names are read to count the questions that are still to come. */
const MOST_COUNTED = 25

async function countTaken(workspaceId: number, { left, names }: Run, kind: Arriving['kind']): Promise<number> {
  const unread = new Set(left.map(({ destination }) => destination).filter((id) => !names.has(id)))
  for (const id of [...unread].slice(0, MOST_COUNTED)) names.set(id, await namesIn(workspaceId, id))
  return left.filter((each) => {
    const there = names.get(each.destination)
    return each.kind === kind && there !== undefined && isTaken(there, each)
  }).length
}

async function namesIn(workspaceId: number, folderId: number): Promise<Names> {
  const content = await contentOf(workspaceId, folderId)
  return {
    files: new Map(content?.immediate_subfiles.map((file) => [file.file_name, file])),
    folders: new Map(content?.immediate_subfolders.map(({ id, name }) => [name, id])),
  }
}

/** A copy into its own folder is a duplicate, about which nothing is asked. */
function isTaken({ files, folders }: Names, { kind, key, name }: Arriving): boolean {
  const there = kind === 'folder' ? folders.get(name) : files.get(name)?.id
  return there !== undefined && `${kind}-${there}` !== key
}

function conflictOf({ files }: Names, { name, file }: Arriving, others: number): Conflict {
  const there = files.get(name)
  const sides = file && there && { arriving: factsOf(file), there: { ...factsOf(there), version: there.version } }
  return { name, folders: [], sides, isUpload: false, others }
}
