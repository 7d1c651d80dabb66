import { i18n, type MessageDescriptor } from '@lingui/core'
import type { LucideIcon } from 'lucide-react'
import type { KeyHint } from './offers.ts'
import { isPressed, shortcutText, type Press, type Shortcut } from './shortcut.ts'

/**
 * An action, declared once: toolbars, menus, bulk bars, shortcuts and the command palette read the same lists.
 * `Situation` and `Subject` decide whether it is allowed; `Commands` carries it out on the `Subject`.
 */
export interface Action<Situation, Commands, Subject, Place extends string = string> {
  id: string
  label: MessageDescriptor
  icon: LucideIcon
  places: readonly Place[]
  shortcut?: Shortcut
  /** The action destroys data. */
  danger?: true
  /** Menus show a divider above the action. */
  divided?: true
  may: (situation: Situation, subject: Subject) => boolean
  run: (commands: Commands, subject: Subject) => void
}

/** The fields that menus and bars need to show an action. */
export type ShownAction = Pick<
  Action<unknown, unknown, unknown>,
  'id' | 'label' | 'icon' | 'shortcut' | 'danger' | 'divided'
>

/** Returns the actions that are allowed at a place, in order. */
export function allowedAt<S, C, T, P extends string>(
  actions: readonly Action<S, C, T, P>[],
  place: P,
  situation: S,
  subject: T,
): Action<S, C, T, P>[] {
  return actions.filter((action) => action.places.includes(place) && action.may(situation, subject))
}

/** Returns the action whose shortcut was pressed, if it is allowed now. */
export function actionOf<S, C, T, P extends string>(
  actions: readonly Action<S, C, T, P>[],
  press: Press,
  situation: S,
  subject: T,
): Action<S, C, T, P> | undefined {
  return actions.find(({ shortcut, may }) => shortcut && isPressed(shortcut, press) && may(situation, subject))
}

/** Returns the keys of all actions, including those that are not allowed now. */
export const keyHintsOf = (actions: readonly ShownAction[]): KeyHint[] =>
  actions.flatMap(({ label, shortcut }) => (shortcut ? [{ keys: shortcutText(shortcut), label: i18n._(label) }] : []))
