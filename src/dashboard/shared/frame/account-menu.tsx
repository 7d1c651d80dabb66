import { t } from '@lingui/core/macro'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Opening } from '../../ui/states/opening.tsx'
import { initialsOf, nameOf } from '../people.ts'
import { PersonAvatar } from '../person-avatar.tsx'
import { useMe } from '../session.ts'

// Loaded when it is first opened.
const AccountChoices = lazy(async () => ({ default: (await import('./account-choices.tsx')).AccountChoices }))

export function AccountMenu() {
  const me = useMe()
  const initials = initialsOf(me)
  const name = nameOf(me)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <IconButton
        aria-label={t`${initials}, account of ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        style={{ borderRadius: '50%', padding: 2 }}
      >
        <PersonAvatar person={me} size={28} />
      </IconButton>
      <Suspense fallback={<Opening onClose={close} />}>
        {anchor && <AccountChoices anchor={anchor} onClose={close} />}
      </Suspense>
    </>
  )
}
