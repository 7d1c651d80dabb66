import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useEffect, type ReactNode } from 'react'
import { Mark } from '../../ui/mark.tsx'

export function SignInFrame({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.title = 'Sign in – Strongroom'
  }, [])
  return (
    <Page>
      <Brand>
        <Mark size={32} />
        Strongroom
      </Brand>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 400, p: { xs: 2.5, sm: 4 }, borderRadius: 1.5 }}>
        <Typography variant="h1">Sign in</Typography>
        {children}
      </Paper>
    </Page>
  )
}

const Page = styled('main')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 24,
  minHeight: '100%',
  padding: 16,
  background: theme.vars.palette.background.default,
}))

const Brand = styled('div')({ display: 'flex', alignItems: 'center', gap: 10, fontSize: 20, fontWeight: 650 })
