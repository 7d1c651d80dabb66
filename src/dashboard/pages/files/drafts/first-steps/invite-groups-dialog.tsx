import { plural, t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh } from '../../../../api/query.ts'
import { addPeople, type PeopleAdded, type PeopleToAdd } from '../../../../shared/inviting/add-people.ts'
import { type Addressees, emailsOf, NOBODY, useAddressable } from '../../../../shared/inviting/addressable.ts'
import { INVITE_NOW, InviteChoice } from '../../../../shared/inviting/invite-choice.tsx'
import { NotAdded } from '../../../../shared/inviting/not-added.tsx'
import { PeopleField } from '../../../../shared/inviting/people-field.tsx'
import { nameOf } from '../../../../shared/people.ts'
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx'
import { useToasts } from '../../../../ui/toasts/toasts.tsx'
import { number } from '../../../../ui/words/format.ts'

interface InviteGroupsDialogProps {
  workspaceId: number
  groups: readonly { id: number; name: string; is_draft: boolean }[]
  onClose: () => void
}

type ByGroup<T> = ReadonlyMap<number, T>

/** Adds people to several groups at once: a field for each group. */
export function InviteGroupsDialog({ workspaceId: workspace_id, groups, onClose }: InviteGroupsDialogProps) {
  const toasts = useToasts()
  const { people, known } = useAddressable()
  const [who, setWho] = useState<ByGroup<Addressees>>(new Map())
  const [inviting, setInviting] = useState(INVITE_NOW)
  const add = useMutation({ mutationFn: addToEach, onSettled: () => refresh() })
  const wanted = groups.flatMap(({ id }) => {
    const emails = emailsOf(who.get(id) ?? NOBODY)
    return emails.length > 0 ? [{ workspace_id, group_id: id, emails, known, inviting }] : []
  })
  const count = wanted.reduce((sum, { emails }) => sum + emails.length, 0)
  const many = number(count)
  const finish = (outcomes: ByGroup<PeopleAdded>) => {
    const added = [...outcomes.values()].flatMap((outcome) => outcome.added)
    if (added.length > 0) toasts.done(addedWords(added))
    const rest = new Map([...outcomes].map(([id, outcome]) => [id, notAddedIn(outcome)]))
    if ([...rest.values()].every(({ chosen }) => chosen.length === 0)) onClose()
    else setWho(rest)
  }
  return (
    <FormDialog
      open
      maxWidth="sm"
      title={t`Invite people`}
      submit={count > 1 ? t`Add ${many}` : t`Add`}
      pending={add.isPending}
      disabled={count === 0}
      unsaved={count > 0}
      onSubmit={() => add.mutate(wanted, { onSuccess: finish })}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`Their group decides what they may see. They see nothing of drafts until these are published.`}
      </Typography>
      {groups.map(({ id, name, is_draft }, index) => {
        const outcome = add.data?.get(id)
        return (
          <div key={id}>
            <PeopleField
              autoFocus={index === 0}
              label={name}
              help={is_draft ? t`A draft group: its people get in once it is published.` : ''}
              people={people}
              groupId={id}
              value={who.get(id) ?? NOBODY}
              onChange={(value) => setWho((before) => new Map(before).set(id, value))}
              readOnly={add.isPending}
            />
            {outcome && <NotAdded outcome={outcome} />}
          </div>
        )
      })}
      <InviteChoice value={inviting} onChange={setInviting} />
    </FormDialog>
  )
}

async function addToEach(wanted: readonly PeopleToAdd[]): Promise<ByGroup<PeopleAdded>> {
  const outcomes = new Map<number, PeopleAdded>()
  for (const each of wanted) outcomes.set(each.group_id, await addPeople(each))
  return outcomes
}

const notAddedIn = ({ refused, left }: PeopleAdded): Addressees => ({
  chosen: [...refused.map(({ email }) => email), ...left],
  text: '',
})

function addedWords(added: PeopleAdded['added']): string {
  const [first] = added
  const name = first ? nameOf(first) : ''
  return plural({ people: added.length }, { one: `${name} has been added`, other: '# people have been added' })
}
