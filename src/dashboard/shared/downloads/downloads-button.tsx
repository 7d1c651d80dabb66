import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { Download } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { useMe } from '../session.ts'
import { isUnderWay } from './download.ts'
import { useSingleFiles } from './single-files.ts'
import { openTray, useTrayMemory } from './tray-memory.ts'
import { useDownloads } from './use-downloads.ts'

/** Opens or closes the tray of downloads; hidden if the workspace has none. */
export function DownloadsButton({ workspaceId }: { workspaceId: number }) {
  const { id: userId } = useMe()
  const open = useTrayMemory(userId).openIn === workspaceId
  const downloads = useDownloads(workspaceId) ?? []
  const files = useSingleFiles(userId, workspaceId)
  const underWay = downloads.filter(isUnderWay).length
  if (downloads.length + files.length === 0) return null
  return (
    <IconButton
      aria-label={underWay > 0 ? underWayWords(underWay) : t`Downloads`}
      aria-expanded={open}
      title={t`Downloads`}
      onClick={() => openTray(userId, open ? undefined : workspaceId)}
    >
      <Download size={18} />
      {underWay > 0 && <Dot aria-hidden />}
    </IconButton>
  )
}

const underWayWords = (zips: number) =>
  plural(zips, { one: 'Downloads, # zip in the making', other: 'Downloads, # zips in the making' })

const Dot = styled('span')(({ theme }) => ({
  position: 'absolute',
  top: 4,
  right: 4,
  width: 7,
  height: 7,
  borderRadius: 4,
  background: theme.vars.palette.primary.main,
  boxShadow: `0 0 0 2px ${theme.vars.palette.background.paper}`,
}))
