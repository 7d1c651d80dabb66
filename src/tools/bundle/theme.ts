import type { Part } from './parts.ts'

/** Colours of components and variants that the dashboard never uses, and colours that the browser would mix itself. */
export const THEME: Part = {
  path: /@mui\/material\/styles\/createThemeWithVars\.mjs$/,
  texts: [
    [
      / setColor\(palette\.(AppBar|Avatar|FilledInput|SnackbarContent|SpeedDialAction|StepConnector|StepContent), .+/g,
      '',
    ],
    [/ setColor\(palette\.Alert, '\w+Filled.+/g, ''],
    [/ setColor\(palette\.(Slider|Switch), '(secondary|error|info|success|warning).+/g, ''],
    ['nativeColor = false,', ''],
    [/\bnativeColor\b/g, 'false'],
    [/\bcolorSpace (?=\? colorMix)/g, 'false '],
    ['if (colorSpace)', 'if (false)'],
  ],
}
