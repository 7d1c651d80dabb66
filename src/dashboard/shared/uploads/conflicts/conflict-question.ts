import { useSyncExternalStore } from 'react'
import type { Answer, Conflict } from './conflicts.ts'

/** A question to the user; the questions of several drops are asked one after the other. */
interface Question {
  id: number
  conflict: Conflict
  answer: (answer: Answer) => void
}

let questions: readonly Question[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Question[]) {
  questions = next
  for (const listener of listeners) listener()
}

export function askAbout(conflict: Conflict): Promise<Answer> {
  return new Promise((resolve) => {
    lastId += 1
    const question: Question = {
      id: lastId,
      conflict,
      answer: (answer) => {
        change(questions.filter((each) => each !== question))
        resolve(answer)
      },
    }
    change([...questions, question])
  })
}

/** Skips the files of every open question, because their user can no longer answer. */
export function withdrawQuestions() {
  for (const question of questions) question.answer({ choice: 'skip', forAll: true })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useQuestion(): Question | undefined {
  return useSyncExternalStore(subscribe, () => questions)[0]
}
