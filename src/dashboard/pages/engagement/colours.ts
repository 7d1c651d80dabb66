import type { Theme } from '@mui/material/styles'

/** The colour of a group by its place among all groups, so that it keeps it whatever the order. */
export function colourOf({ vars: { palette } }: Theme, place: number): string {
  const { slides, drawing, other, text, sheet, pdf } = palette.tint
  const colours = [palette.primary.main, slides, drawing, other, text, sheet, pdf]
  return colours[place % colours.length] ?? other
}

const LIGHT = ['#e9f0f1', '#d5e3e5', '#bdd3d6', '#9fc0c4', '#2c7378', '#0b5d66']
const DARK = ['#1c2a2d', '#21373a', '#28494d', '#30595e', '#4da7b0', '#5fc4ce']
/** From this step on, text is of the other kind. */
const STRONG = 4

/** Backgrounds of the six steps with text that is legible on them: classes `step-0` to `step-5`. */
export const heatSteps = (theme: Theme) =>
  Object.fromEntries(
    LIGHT.map((light, step) => {
      const isStrong = step >= STRONG
      return [
        `.step-${step}`,
        {
          background: light,
          color: isStrong ? '#ffffff' : '#101a1c',
          ...theme.applyStyles('dark', { background: DARK[step] ?? light, color: isStrong ? '#06282c' : '#edf2f3' }),
        },
      ]
    }),
  )
