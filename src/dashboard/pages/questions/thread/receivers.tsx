import { t } from '@lingui/core/macro'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useRead } from '../../../api/query.ts'
import { useWorkspaceId } from '../../../shared/workspace.ts'
import { settingsQuery, type Thread, type Work } from '../questions.ts'

export interface Reach {
  reach: Work['reach']
  group_ids: number[]
}

interface ReceiversProps {
  /** Null where nobody asked. */
  asker: Thread['group']
  blind: Work['blind_groups']
  /** For one of the FAQ, which is never for its asker only. */
  isFaq?: boolean
  value: Reach
  onChange: (reach: Reach) => void
}

/** Who receives the answer, with a warning about groups that cannot see what it is about. */
export function Receivers({ asker, blind, isFaq = false, value, onChange }: ReceiversProps) {
  const { groups } = useRead(settingsQuery(useWorkspaceId()))
  const titleId = useId()
  const name = asker?.name ?? ''
  const others = groups.filter(({ group_id }) => group_id !== asker?.id)
  const toggle = (id: number) =>
    onChange({
      ...value,
      group_ids: value.group_ids.includes(id)
        ? value.group_ids.filter((each) => each !== id)
        : [...value.group_ids, id],
    })
  const choose = (reach: Reach['reach']) => onChange({ reach, group_ids: [] })
  return (
    <div>
      <Typography id={titleId} variant="subtitle2">{t`Who receives the answer`}</Typography>
      <RadioGroup
        aria-labelledby={titleId}
        value={value.reach}
        sx={{ display: 'grid', gap: 1, mt: 1 }}
        onChange={(_event, reach) => choose(reach as Reach['reach'])}
      >
        {asker && !isFaq && (
          <Way value="group" title={t`Only ${name}`} text={t`Nobody else learns that it was asked.`} />
        )}
        {others.length > 0 && (
          <Way
            value="groups"
            title={asker ? t`Chosen groups too` : t`Chosen groups`}
            text={
              asker
                ? t`They read the question without who asked, when and its number.`
                : t`They do not learn who else reads it.`
            }
          >
            {value.reach === 'groups' &&
              others.map(({ group_id, name }) => (
                <FormControlLabel
                  key={group_id}
                  label={name}
                  control={
                    <Checkbox
                      size="small"
                      checked={value.group_ids.includes(group_id)}
                      onChange={() => toggle(group_id)}
                    />
                  }
                />
              ))}
          </Way>
        )}
        <Way
          value="all"
          title={t`Everybody`}
          text={asker ? t`Also groups that come later, without who asked.` : t`Also groups that come later.`}
        />
      </RadioGroup>
      <Blind groups={blind} reach={value} asker={asker?.id ?? null} />
    </div>
  )
}

interface WayProps {
  value: Reach['reach']
  title: string
  text: string
  children?: ReactNode
}

function Way({ value, title, text, children }: WayProps) {
  const label = (
    <>
      <strong>{title}</strong>
      <Typography component="span" color="textSecondary" sx={{ display: 'block' }}>
        {text}
      </Typography>
    </>
  )
  return (
    <Card>
      <FormControlLabel value={value} control={<Radio size="small" />} label={label} />
      {children && <div className="groups">{children}</div>}
    </Card>
  )
}

const Card = styled('div')(({ theme }) => ({
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  '& > label': { display: 'flex', alignItems: 'flex-start', margin: 0, padding: '7px 12px 7px 5px' },
  '& > label .MuiRadio-root': { padding: 5 },
  '& > label .MuiFormControlLabel-label': { paddingTop: 3 },
  '& > .groups': { padding: '0 12px 6px 37px' },
  strong: { fontWeight: 600 },
  '&:has(> label input:checked)': {
    borderColor: theme.vars.palette.primary.main,
    background: theme.vars.palette.selection.row,
  },
}))

function Blind({ groups, reach, asker }: { groups: Work['blind_groups']; reach: Reach; asker: number | null }) {
  const receives = (id: number) => id === asker || reach.reach === 'all' || reach.group_ids.includes(id)
  const blind = groups.filter(({ group_id }) => receives(group_id))
  const unseen = blind.filter(({ place }) => place).map(({ name }) => name)
  const unnamed = blind.filter(({ place, files }) => files && !place).map(({ name }) => name)
  return (
    <>
      {unseen.length > 0 && (
        <Warning>{t`Cannot see what the question is on, and will not see the answer: ${unseen.join(', ')}`}</Warning>
      )}
      {unnamed.length > 0 && (
        <Warning>{t`Cannot see a document of the answer, which is not named to them: ${unnamed.join(', ')}`}</Warning>
      )}
    </>
  )
}

function Warning({ children }: { children: string }) {
  return (
    <Typography sx={{ display: 'flex', gap: 1, alignItems: 'center', color: 'warning.main', mt: 0.5 }}>
      <TriangleAlert size={15} aria-hidden style={{ flexShrink: 0 }} />
      {children}
    </Typography>
  )
}
