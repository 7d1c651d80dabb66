import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import MenuItem from '@mui/material/MenuItem'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { TEXT_POLICIES, type TextPolicy } from '../../../../contract/endpoints/groups.ts'

const WORDS = {
  with_download: {
    name: msg`As the download allows`,
    effect: msg`Members select and copy text where they may download it. Where they may only view, or get only sealed copies or pictures of pages, the pages give no text.`,
  },
  select: {
    name: msg`Select and copy`,
    effect: msg`Members find, select and copy text on every page that they may view. Copied text carries no mark.`,
  },
  find: {
    name: msg`Find only`,
    effect: msg`Members find words on every page that they may view. Hits are marked; the text itself is not sent.`,
  },
  none: {
    name: msg`No text`,
    effect: msg`Pages are pictures: members can neither find words in them nor copy them. The search of the workspace still finds files by their words, but shows none of their text.`,
  },
}

interface TextLayerChoiceProps {
  value: TextPolicy
  /** Members who are not admins see the setting that applies to them but cannot change it. */
  locked: boolean
  onChange: (value: TextPolicy) => void
}

/** Chooses how much text of the pages the members of a group may use. */
export function TextLayerChoice({ value, locked, onChange }: TextLayerChoiceProps) {
  const strictest = t`For members of several groups the strictest setting counts.`
  return (
    <Row>
      <TextField
        select
        fullWidth
        label={t`Text of pages`}
        value={value}
        disabled={locked}
        helperText={`${i18n._(WORDS[value].effect)} ${strictest}`}
        onChange={(event) => onChange(event.target.value as TextPolicy)}
      >
        {TEXT_POLICIES.toReversed().map((each) => (
          <MenuItem key={each} value={each}>
            {i18n._(WORDS[each].name)}
          </MenuItem>
        ))}
      </TextField>
    </Row>
  )
}

/** Aligned with the text of the switches. */
const Row = styled('div')({ minWidth: 0, maxWidth: 460, margin: '14px 0 12px 50px' })
