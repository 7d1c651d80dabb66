import { styled, type Theme } from '@mui/material/styles'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link, type To } from 'react-router-dom'
import { UNPRINTED } from './print.ts'
import { Spinner } from './states/spinner.tsx'

// The buttons of the first pages. MUI's buttons look the same, but weigh more than the whole frame around the pages.

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'text' | 'outlined' | 'contained'
  large?: boolean
  fullWidth?: boolean
  startIcon?: ReactNode
  /** Whether the action runs; the button is disabled meanwhile. */
  loading?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'text',
  large,
  fullWidth,
  startIcon,
  loading,
  className,
  children,
  ...rest
}: ButtonProps) {
  const classes = [UNPRINTED, className, variant, large && 'large', fullWidth && 'full', loading && 'loading']
  return (
    <Box type="button" {...rest} className={classes.filter(Boolean).join(' ')} disabled={loading || rest.disabled}>
      {startIcon && <span className="start">{startIcon}</span>}
      {children}
      {loading && (
        <span className="busy">
          <Spinner />
        </span>
      )}
    </Box>
  )
}

interface ButtonLinkProps extends Pick<ButtonProps, 'variant' | 'startIcon' | 'children'> {
  to: To
}

export function ButtonLink({ to, variant = 'text', startIcon, children }: ButtonLinkProps) {
  return (
    <LinkBox to={to} className={`${UNPRINTED} ${variant}`}>
      {startIcon && <span className="start">{startIcon}</span>}
      {children}
    </LinkBox>
  )
}

export function ButtonAnchor({
  href,
  startIcon,
  children,
}: Pick<ButtonProps, 'startIcon' | 'children'> & { href: string }) {
  return (
    <AnchorBox href={href} className={`${UNPRINTED} contained large`}>
      {startIcon && <span className="start">{startIcon}</span>}
      {children}
    </AnchorBox>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  atStart?: boolean
}

export function IconButton({ atStart, className = '', ...rest }: IconButtonProps) {
  return <IconBox type="button" {...rest} className={`${UNPRINTED} ${className} ${atStart ? 'at-start' : ''}`} />
}

const plain = {
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  boxSizing: 'border-box',
  margin: 0,
  border: 0,
  borderRadius: 8,
  background: 'none',
  font: 'inherit',
  color: 'inherit',
  textDecoration: 'none',
  userSelect: 'none',
  verticalAlign: 'middle',
  cursor: 'pointer',
  '&:disabled': { pointerEvents: 'none', cursor: 'default' },
} as const

const look = ({ theme }: { theme: Theme }) => {
  const { primary, action } = theme.vars.palette
  const faint = `color-mix(in srgb, ${primary.main} 4%, transparent)`
  return {
    ...plain,
    ...theme.typography.button,
    minWidth: 64,
    minHeight: 30,
    padding: '4px 12px',
    whiteSpace: 'nowrap',
    color: primary.main,
    transition: theme.transitions.create(['background-color', 'border-color', 'color'], { duration: 250 }),
    '&:hover': { backgroundColor: faint },
    '&:focus-visible': { outlineOffset: 2 },
    '&.outlined': { border: `1px solid color-mix(in srgb, ${primary.main} 50%, transparent)` },
    '&.outlined:hover': { borderColor: primary.main },
    '&.contained': { color: primary.contrastText, backgroundColor: primary.main },
    '&.contained:hover': { backgroundColor: primary.dark },
    '&:disabled': { ...plain['&:disabled'], color: action.disabled },
    '&.outlined:disabled': { borderColor: action.disabledBackground },
    '&.contained:disabled': { color: action.disabled, backgroundColor: action.disabledBackground },
    '&.large .start': { marginLeft: -4 },
    '&.full': { width: '100%' },
    '&.loading:disabled': { color: 'transparent' },
    '.start': { display: 'inherit', alignItems: 'center', marginLeft: -2, marginRight: 6 },
    '.busy': { position: 'absolute', color: action.disabled },
  } as const
}

const Box = styled('button')(look)
const LinkBox = styled(Link)(look)
const AnchorBox = styled('a')(look)

const iconLook = ({ theme }: { theme: Theme }) => ({
  ...plain,
  flex: '0 0 auto',
  padding: 5,
  fontSize: '1.125rem',
  textAlign: 'center' as const,
  transition: theme.transitions.create('background-color', { duration: 150 }),
  '&.at-start': { marginLeft: -3 },
  '@media (hover: hover)': {
    '&:hover': { background: `color-mix(in srgb, ${theme.vars.palette.action.active} 4%, transparent)` },
  },
})

const IconBox = styled('button')(iconLook)
export const IconLink = styled(Link)(iconLook)
