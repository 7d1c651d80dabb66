import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

interface PageHeaderProps {
  title: string
  /** A sentence below the title, if the title alone is not clear. */
  text?: ReactNode
  /** The page's own actions at the right, the main action last. */
  children?: ReactNode
}

/** Title and actions of a page; also sets the title of the browser tab. */
export function PageHeader({ title, text, children }: PageHeaderProps) {
  useTitle(title)
  return (
    <Row>
      <div style={{ minWidth: 0 }}>
        <Typography variant="h1" noWrap title={title}>
          {title}
        </Typography>
        {text && <Typography color="textSecondary">{text}</Typography>}
      </div>
      <Actions>{children}</Actions>
    </Row>
  )
}

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  padding: '12px 16px',
})

const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 })
