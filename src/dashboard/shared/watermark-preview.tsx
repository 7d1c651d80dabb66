import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Tooltip from '@mui/material/Tooltip'
import { keepPreviousData } from '@tanstack/react-query'
import { Moon, RectangleHorizontal, RectangleVertical, Sun } from 'lucide-react'
import { useState } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { messageOf } from '../api/failures.ts'
import type { Query } from '../api/query.ts'
import { useReading } from '../api/query.ts'
import { late } from '../ui/states/late.ts'
import { NotRead } from '../ui/states/not-read.tsx'

/** The sample page that a mark is drawn on. */
export interface SamplePage {
  orientation: 'portrait' | 'landscape'
  background: 'light' | 'dark'
}

type PreviewEndpoint = Api['watermarks']['preview'] | Api['watermarks']['previewForMember']

interface WatermarkPreviewProps {
  /** Alternative text of the picture. */
  label: string
  queryFor: (page: SamplePage) => Query<PreviewEndpoint>
}

/** Shows a mark as the service draws it, on a sample page. */
export function WatermarkPreview({ label, queryFor }: WatermarkPreviewProps) {
  const [page, setPage] = useState<SamplePage>({ orientation: 'portrait', background: 'light' })
  const { data, error, refetch, isPlaceholderData } = useReading({
    ...queryFor(page),
    placeholderData: keepPreviousData,
  })
  return (
    <div>
      <PageChoice page={page} onChange={(change) => setPage((before) => ({ ...before, ...change }))} />
      {error && !data ? (
        <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Frame style={{ aspectRatio: data ? `${data.width} / ${data.height}` : RATIOS[page.orientation] }}>
          {data ? <Picture preview={data} label={label} fading={isPlaceholderData} /> : <Waiting />}
        </Frame>
      )}
    </div>
  )
}

const RATIOS = { portrait: '720 / 1018', landscape: '1018 / 720' }

interface PictureProps {
  preview: Reply<PreviewEndpoint>
  label: string
  fading: boolean
}

function Picture({ preview: { content_type, image, width, height }, label, fading }: PictureProps) {
  return (
    <img
      src={`data:${content_type};base64,${image}`}
      width={width}
      height={height}
      alt={label}
      aria-busy={fading}
      style={{ opacity: fading ? 0.6 : 1 }}
    />
  )
}

function Waiting() {
  return (
    <Skeleton
      role="status"
      aria-label={t`Loading`}
      variant="rectangular"
      width="100%"
      height="100%"
      sx={{ animation: late }}
    />
  )
}

const ORIENTATIONS = [
  { value: 'portrait', label: msg`Portrait page`, icon: RectangleVertical },
  { value: 'landscape', label: msg`Landscape page`, icon: RectangleHorizontal },
] as const
const BACKGROUNDS = [
  { value: 'light', label: msg`Light page`, icon: Sun },
  { value: 'dark', label: msg`Dark page`, icon: Moon },
] as const

function PageChoice({ page, onChange }: { page: SamplePage; onChange: (change: Partial<SamplePage>) => void }) {
  return (
    <Choices>
      <Choice
        name={t`Orientation`}
        value={page.orientation}
        options={ORIENTATIONS}
        onChange={(orientation) => onChange({ orientation })}
      />
      <Choice
        name={t`Background`}
        value={page.background}
        options={BACKGROUNDS}
        onChange={(background) => onChange({ background })}
      />
    </Choices>
  )
}

interface ChoiceProps<Value extends string> {
  name: string
  value: Value
  options: readonly { value: Value; label: MessageDescriptor; icon: typeof Sun }[]
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ name, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={name}
      value={value}
      onChange={(_event, next: Value | null) => next && onChange(next)}
    >
      {options.map(({ value: each, label, icon: Icon }) => (
        <ToggleButton key={each} value={each} aria-label={i18n._(label)} sx={{ width: 34, height: 30 }}>
          <Tooltip title={i18n._(label)}>
            <Icon size={15} />
          </Tooltip>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

const Choices = styled('div')({ display: 'flex', gap: 8, marginBottom: 10 })

const Frame = styled('div')(({ theme }) => ({
  overflow: 'hidden',
  width: '100%',
  maxHeight: 560,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  background: theme.vars.palette.background.default,
  img: { display: 'block', width: '100%', height: '100%', objectFit: 'contain', transition: 'opacity 120ms' },
}))
