import { DateField } from '../../../ui/fields/date-field.tsx'
import { useDraft } from '../../../ui/dialogs/use-draft.ts'

interface DayFilterProps {
  label: string
  /** `YYYY-MM-DD`, or "" for none. */
  value: string
  min?: string
  max?: string
  error?: string | undefined
  onChange: (day: string) => void
}

/** While a year is typed, the browser reports years of the first centuries, such as 0002. They are not passed on. */
export function DayFilter({ value, onChange, ...field }: DayFilterProps) {
  const draft = useDraft({ day: value })
  const change = (day: string) => {
    draft.set({ day })
    if (day === '' || isOfNow(day)) onChange(day)
  }
  return <DateField {...field} value={draft.values.day} onChange={change} />
}

const isOfNow = (day: string) => /^(19|20)\d\d-/.test(day)
