import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

interface PageHeaderProps {
  title: string
  /** A sentence below the title, if the title alone is not clear. */
  text?: ReactNode
  /** The switch between the views of the page: beside the title, where nothing that differs between the views moves it. */
  views?: ReactNode
  /** The page's own actions at the right, the main action last. */
  children?: ReactNode
}

/** Title and actions of a page; also sets the title of the browser tab. */
export function PageHeader({ title, text, views, children }: PageHeaderProps) {
  useTitle(title)
  const told = text && <Typography color="textSecondary">{text}</Typography>
  return (
    <Row>
      <Titled>
        <div style={{ minWidth: 0 }}>
          <Typography variant="h1" noWrap title={title}>
            {title}
          </Typography>
          {!views && told}
        </div>
        {views}
      </Titled>
      {views && <Below>{told}</Below>}
      {children && <Actions>{children}</Actions>}
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

const Titled = styled(Actions)({ columnGap: 16, minWidth: 0 })

/** Below title and actions; on a phone, where each has a row, between them. */
const Below = styled('div')(({ theme }) => ({
  width: '100%',
  [theme.breakpoints.up('sm')]: { order: 1 },
  [theme.breakpoints.down('sm')]: { paddingBottom: 4 },
}))
