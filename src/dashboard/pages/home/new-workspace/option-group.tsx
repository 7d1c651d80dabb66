import ListSubheader from '@mui/material/ListSubheader'
import { useId } from 'react'

interface OptionGroupProps {
  label: string
  /** Ids of the options that follow. */
  owns: readonly string[]
}

/**
 * Names a group of options of a `Select`. The options must be its siblings, since `Select` knows no others, so the group
 * owns them by their ids. Properties that `Select` adds to make each of its children an option are left out.
 */
export function OptionGroup({ label, owns }: OptionGroupProps) {
  const id = useId()
  return (
    <ListSubheader role="group" aria-labelledby={id} aria-owns={owns.join(' ')}>
      <span id={id}>{label}</span>
    </ListSubheader>
  )
}

/** The keyboard passes it by. */
OptionGroup.muiSkipListHighlight = true
