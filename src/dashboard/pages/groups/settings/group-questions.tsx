import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import type { Call, Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useReading } from '../../../api/query.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { SwitchRow } from '../../../ui/fields/switch-row.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { expertsQuery, type GroupInfo, questionSettingsQuery } from '../group-info.ts'

const MOST = [5, 10, 20, 50, 100, 200, 1000]
const DAYS = [1, 7, 14, 30]

type Change = { may_ask?: boolean; most?: number; days?: number | null }

/** Whether the members of a group may ask, and how much. Choosing stores. */
export function GroupQuestions({ group }: { group: GroupInfo }) {
  const { workspace_id, id: group_id } = group
  const toasts = useToasts()
  const settings = questionSettingsQuery(workspace_id)
  const { data } = useReading(settings)
  const update = useAction(api.questions.updateSettings, {
    optimistic: ({ body }, foresee) =>
      foresee(settings, (before) => ({ ...before, groups: before.groups.map((each) => changed(each, body?.groups)) })),
  })
  const own = data?.groups.find((each) => each.group_id === group_id)
  if (!own) return null
  const change = (chosen: Change) =>
    update.mutate(
      { params: { workspace_id }, body: { groups: [{ group_id, ...chosen }] } },
      { onError: (error) => toasts.failed(messageOf(error)) },
    )
  return (
    <>
      <SwitchRow
        label={t`Members may ask questions`}
        text={
          own.may_ask
            ? t`On. Members see each other’s questions, and never those of other groups.`
            : t`Off. Questions that were asked before stay readable.`
        }
        checked={own.may_ask}
        onChange={(may_ask) => change({ may_ask })}
      />
      <ExpertsAmong group={group} />
      {own.may_ask && (
        <>
          <Choice
            label={t`At most`}
            value={String(own.most)}
            options={withOwn(MOST, own.most).map((most) => [
              String(most),
              plural(most, { one: '# question', other: '# questions' }),
            ])}
            onChange={(most) => change({ most: Number(most) })}
          />
          <Choice
            label={t`Counted within`}
            none={t`The whole time`}
            value={String(own.days ?? '')}
            options={withOwn(DAYS, own.days).map((days) => [
              String(days),
              plural(days, { one: '# day', other: '# days' }),
            ])}
            onChange={(days) => change({ days: days === '' ? null : Number(days) })}
          />
        </>
      )}
    </>
  )
}

/** Tells of experts who are members: a group that asks may not read what others ask. */
function ExpertsAmong({ group: { workspace_id, id } }: { group: GroupInfo }) {
  const { data } = useReading(expertsQuery(workspace_id))
  const names = (data ?? []).filter(({ group_ids }) => group_ids.includes(id)).map(({ name }) => name)
  if (names.length === 0) return null
  const list = new Intl.ListFormat(i18n.locale).format(names)
  return (
    <Typography variant="caption" color="textSecondary">
      {t`Experts among the members: ${list}. They see no passed questions while this group may ask, or once it has asked.`}
    </Typography>
  )
}

type GroupSettings = Reply<typeof api.questions.getSettings>['groups'][number]

type Sent = NonNullable<NonNullable<Call<typeof api.questions.updateSettings>['body']>['groups']>

function changed(group: GroupSettings, sent: Sent = []): GroupSettings {
  const {
    may_ask = group.may_ask,
    most = group.most,
    days = group.days,
  } = sent.find(({ group_id }) => group_id === group.group_id) ?? {}
  return { ...group, may_ask, most, days }
}

const withOwn = (usual: readonly number[], own: number | null) =>
  [...new Set([...usual, ...(own === null ? [] : [own])])].toSorted((a, b) => a - b)
