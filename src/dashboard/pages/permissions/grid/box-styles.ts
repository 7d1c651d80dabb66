import type { Theme } from '@mui/material/styles'

/** Styles of one right, in the grid and in its legend. The state is a class name. */
export function boxStyles({ vars: { palette } }: Theme) {
  const accent = palette.primary.main
  const tinted = `color-mix(in srgb, ${accent} 22%, ${palette.background.paper})`
  return {
    '.box': {
      position: 'relative',
      flex: 'none',
      display: 'inline-block',
      width: 18,
      height: 18,
      boxSizing: 'border-box',
      borderRadius: 5,
      border: `1px solid ${palette.text.disabled}`,
    },
    '.box.on': { background: accent, borderColor: accent },
    '.box.implied, .box.mixed': { background: tinted, borderColor: accent },
    '.box.on::after, .box.implied::after': {
      content: '""',
      position: 'absolute',
      left: 5,
      top: 1.5,
      width: 6,
      height: 10,
      boxSizing: 'border-box',
      border: `solid ${accent}`,
      borderWidth: '0 2px 2px 0',
      transform: 'rotate(42deg)',
    },
    '.box.on::after': { borderColor: palette.primary.contrastText },
    '.box.mixed::after': {
      content: '""',
      position: 'absolute',
      left: 3.5,
      right: 3.5,
      top: 7,
      height: 2,
      borderRadius: 1,
      background: accent,
    },
    // Dashed, as everything that is not in force yet.
    '.box.staged': { outline: `1.5px dashed ${accent}`, outlineOffset: 2 },
    '.box.locked': { opacity: 0.45, filter: 'grayscale(0.7)' },
    '@media (forced-colors: active)': { '.box.on, .box.mixed, .box.implied': { background: 'Highlight' } },
  } as const
}
