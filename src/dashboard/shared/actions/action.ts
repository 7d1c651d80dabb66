import { i18n, type MessageDescriptor } from '@lingui/core'
import type { LucideIcon } from 'lucide-react'
import type { KeyHint } from './offers.ts'
import { isPressed, shortcutText, type Press, type Shortcut } from './shortcut.ts'

/**
 * Something one can do, said once: toolbars, menus, bulk bars, shortcuts and the command palette read the same lists.
 * `Situation` is what it depends on, `Commands` what it sets going, `Subject` what it is done to.
 */
export interface Action<Situation, Commands, Subject, Place extends string = string> {
  id: string
  label: MessageDescriptor
  icon: LucideIcon
  places: readonly Place[]
  shortcut?: Shortcut
  /** Destroys something. */
  danger?: true
  /** Begins a new part of a menu. */
  divided?: true
  may: (situation: Situation, subject: Subject) => boolean
  run: (commands: Commands, subject: Subject) => void
}

/** What menus and bars need to show an action. */
export type ShownAction = Pick<
  Action<unknown, unknown, unknown>,
  'id' | 'label' | 'icon' | 'shortcut' | 'danger' | 'divided'
>

/** What may be done at a place, in order. */
export function allowedAt<S, C, T, P extends string>(
  actions: readonly Action<S, C, T, P>[],
  place: P,
  situation: S,
  subject: T,
): Action<S, C, T, P>[] {
  return actions.filter((action) => action.places.includes(place) && action.may(situation, subject))
}

/** The action a key stands for, where it may be done now. */
export function actionOf<S, C, T, P extends string>(
  actions: readonly Action<S, C, T, P>[],
  press: Press,
  situation: S,
  subject: T,
): Action<S, C, T, P> | undefined {
  return actions.find(({ shortcut, may }) => shortcut && isPressed(shortcut, press) && may(situation, subject))
}

/** The keys of all actions, also of those that may not be done just now. */
export const keyHintsOf = (actions: readonly ShownAction[]): KeyHint[] =>
  actions.flatMap(({ label, shortcut }) => (shortcut ? [{ keys: shortcutText(shortcut), label: i18n._(label) }] : []))
