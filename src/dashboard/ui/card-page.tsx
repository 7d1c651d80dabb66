import Paper from '@mui/material/Paper'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Mark } from './mark.tsx'
import { useTitle } from './use-title.ts'

interface CardPageProps {
  title: string
  children: ReactNode
  /** Below the card. */
  foot?: ReactNode
}

/** One card in the middle of the window, for pages outside of the frame. */
export function CardPage({ title, children, foot }: CardPageProps) {
  useTitle(title)
  return (
    <BrandPage>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 400, p: { xs: 2.5, sm: 4 }, borderRadius: 1.5 }}>
        <Typography variant="h1">{title}</Typography>
        {children}
      </Paper>
      {foot}
    </BrandPage>
  )
}

/** The name of the product and the children in the middle of the window. */
export function BrandPage({ children }: { children: ReactNode }) {
  return (
    <Page>
      <Brand>
        <Mark size={32} />
        Strongroom
      </Brand>
      {children}
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
