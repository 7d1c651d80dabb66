import '@mui/material/themeCssVarsAugmentation'
import { createTheme, type Theme, type ThemeOptions } from '@mui/material/styles'
import { createElement } from 'react'
import { Spinner } from './ui/states/spinner.tsx'

declare module '@mui/material/styles' {
  interface Palette {
    rail: RailColours
    /** Backgrounds of selected elements, from weaker to stronger. */
    selection: { row: string; item: string }
    /** File types: text, sheets, slides, drawings, pictures, everything else. */
    tint: Tints
  }
  interface PaletteOptions {
    rail?: RailColours
    selection?: { row: string; item: string }
    tint?: Tints
  }
}

interface RailColours {
  main: string
  active: string
  text: string
}

export interface Tints {
  pdf: string
  text: string
  sheet: string
  slides: string
  drawing: string
  picture: string
  other: string
}

export const SIZES = { rail: 72, bar: 52, tree: 248, details: 316, row: 38, gridRow: 34, treeRow: 30 } as const

/** Keys in the browser's storage; public/start.js reads the same. */
export const STORAGE = { mode: 'strongroom-mode', scheme: 'strongroom-scheme' } as const

const FONT = '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

/** Also the colours for print. */
const light = {
  primary: { main: '#0b5d66', dark: '#084850', light: '#2c7c85', contrastText: '#ffffff' },
  error: { main: '#b3261e' },
  warning: { main: '#8a5300' },
  success: { main: '#1d6b3c' },
  background: { default: '#f4f6f7', paper: '#ffffff' },
  text: { primary: '#101a1c', secondary: '#4b5a5e', disabled: '#8a979a' },
  divider: '#dfe5e7',
  rail: { main: '#0b2a2d', active: '#174347', text: '#e3eeef' },
  selection: { row: '#e5edee', item: '#d4e1e2' },
  tint: {
    pdf: '#b3352b',
    text: '#1f57b0',
    sheet: '#1d7044',
    slides: '#a5570b',
    drawing: '#6544b4',
    picture: '#0f6b76',
    other: '#4b5a5e',
  },
}

const dark = {
  primary: { main: '#5fc4ce', dark: '#43a9b4', light: '#8ad8df', contrastText: '#06282c' },
  error: { main: '#ff8a80' },
  warning: { main: '#f0b35a' },
  success: { main: '#74cf97' },
  background: { default: '#0d1314', paper: '#151d1f' },
  text: { primary: '#edf2f3', secondary: '#a6b4b7', disabled: '#6c7a7d' },
  divider: '#273134',
  rail: { main: '#081516', active: '#163a3e', text: '#dbe7e8' },
  selection: { row: '#1b2f32', item: '#19292b' },
  tint: {
    pdf: '#ff8a7d',
    text: '#86adff',
    sheet: '#6fce97',
    slides: '#f0aa5c',
    drawing: '#b79cff',
    picture: '#5fc4ce',
    other: '#a6b4b7',
  },
}

const theme: ThemeOptions = {
  cssVariables: { colorSchemeSelector: '[data-scheme="%s"]', cssVarPrefix: 'sr' },
  colorSchemes: { light: { palette: light }, dark: { palette: dark } },
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: FONT,
    fontSize: 13,
    h1: { fontSize: '1.375rem', fontWeight: 650, lineHeight: 1.3, letterSpacing: '-0.01em' },
    h2: { fontSize: '1rem', fontWeight: 650, lineHeight: 1.4 },
    h3: { fontSize: '0.875rem', fontWeight: 650, lineHeight: 1.4 },
    body1: { fontSize: '0.8125rem', lineHeight: 1.5 },
    body2: { fontSize: '0.8125rem', lineHeight: 1.5 },
    subtitle1: { fontSize: '0.875rem', fontWeight: 600 },
    subtitle2: { fontSize: '0.8125rem', fontWeight: 600 },
    caption: { fontSize: '0.75rem', lineHeight: 1.45 },
    button: { fontSize: '0.8125rem', fontWeight: 600, textTransform: 'none', letterSpacing: 0 },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: (theme) => ({
        html: { height: '100%' },
        body: { height: '100%' },
        // Only in columns of numbers: tabular figures make hyphens and slashes in names too wide.
        'time, .number, .date, .outline, .MuiTableCell-alignRight': { fontVariantNumeric: 'tabular-nums' },
        '#root': { height: '100%' },
        // Overrides MUI's `inherit`, which browsers cannot share between elements: it made scrolling 25 times slower.
        '*, *::before, *::after': { boxSizing: 'border-box' },
        ':focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        '@media (prefers-reduced-motion: reduce)': {
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important',
            animationIterationCount: '1 !important',
            transitionDelay: '0s !important',
            transitionDuration: '0.01ms !important',
          },
        },
      }),
    },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: {
      defaultProps: { disableElevation: true, size: 'small', loadingIndicator: createElement(Spinner) },
      styleOverrides: {
        root: { minHeight: 30, padding: '4px 12px', whiteSpace: 'nowrap', '&:focus-visible': { outlineOffset: 2 } },
        startIcon: { marginRight: 6 },
      },
    },
    MuiIconButton: { defaultProps: { size: 'small' }, styleOverrides: { root: { borderRadius: 8, color: 'inherit' } } },
    // MUI's own grey is too pale under the pointer.
    MuiToggleButton: {
      styleOverrides: { root: ({ theme }) => ({ color: theme.vars.palette.text.secondary, whiteSpace: 'nowrap' }) },
    },
    MuiToggleButtonGroup: { styleOverrides: { root: { maxWidth: '100%', overflowX: 'auto' } } },
    MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
    // The label on the border has a font size of 11 px, and the gap in the border is as wide as the label.
    MuiInputLabel: {
      styleOverrides: { outlined: { '&.MuiInputLabel-shrink': { transform: 'translate(14px, -8px) scale(0.86)' } } },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        input: { fontSize: '0.8125rem', height: '1.5em' },
        notchedOutline: { '& legend': { fontSize: '0.86em' } },
      },
    },
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiDialog: { defaultProps: { fullWidth: true, maxWidth: 'xs' }, styleOverrides: { paper: { borderRadius: 12 } } },
    MuiDialogTitle: { styleOverrides: { root: { fontSize: '1rem', fontWeight: 650, padding: '18px 20px 8px' } } },
    MuiDialogContent: { styleOverrides: { root: { padding: '8px 20px' } } },
    MuiDialogActions: { styleOverrides: { root: { padding: '12px 20px 18px', gap: 8 } } },
    // In the dark scheme a shadow alone does not separate a menu from the page.
    MuiPopover: {
      styleOverrides: { paper: ({ theme }) => ({ border: `1px solid ${theme.vars.palette.divider}`, marginTop: 4 }) },
    },
    // Snackbars appear next to the rail, not over it.
    MuiSnackbar: {
      styleOverrides: { root: ({ theme }) => ({ [theme.breakpoints.up('sm')]: { left: SIZES.rail + 16 } }) },
    },
    MuiMenuItem: { styleOverrides: { root: { fontSize: '0.8125rem', minHeight: 32, gap: 10 } } },
    MuiTooltip: {
      defaultProps: { enterDelay: 400, disableInteractive: true },
      styleOverrides: { tooltip: { fontSize: '0.75rem', fontWeight: 500, maxWidth: 280 } },
    },
    MuiTableCell: {
      styleOverrides: {
        root: { fontSize: '0.8125rem', padding: '8px 12px' },
        head: { fontSize: '0.75rem', fontWeight: 580, whiteSpace: 'nowrap' },
      },
    },
    MuiChip: { styleOverrides: { root: { fontWeight: 600, borderRadius: 6 } } },
  },
}

/** `widgets` has the widgets' own texts in a language other than English. */
export const makeTheme = (widgets: ThemeOptions['components'] = {}): Theme =>
  createTheme(theme, { components: widgets })
