import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Chip from '@mui/material/Chip'
import { GraduationCap, KeyRound, MessageCircleQuestion, MessageSquareReply } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths.ts'
import { FileIcon } from '../../shared/file-icon.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { timeOfDay } from '../../ui/words/format.ts'
import type { NewsItem } from './news-days.ts'

/** One document, question or change of access, with a link to it. */
export function NewsRow({ item }: { item: NewsItem }) {
  const { at, unread } = item
  const { icon, to, title, facts, chip } = shownOf(item)
  return (
    <li className={unread ? 'unread' : undefined}>
      <i aria-hidden />
      {icon}
      <span className="words">
        <Link to={to}>{title}</Link>
        {facts && <small>{facts}</small>}
      </span>
      {unread && (
        <VisuallyHidden>
          <Trans>Unread</Trans>
        </VisuallyHidden>
      )}
      {chip && <Chip size="small" label={chip} />}
      <time dateTime={at}>{timeOfDay(at)}</time>
    </li>
  )
}

interface Shown {
  icon: ReactNode
  to: string
  title: string
  facts?: string
  chip?: string | false
}

function shownOf({ workspace_id, file, question, access }: NewsItem): Shown {
  if (file) {
    const { file_id, title, kind, folder_name, version } = file
    const chip = version > 1 && t`Version ${version}`
    return { icon: <FileIcon kind={kind} />, to: paths.view(workspace_id, file_id), title, facts: folder_name, chip }
  }
  if (question) {
    const { id, subject, status, expert } = question
    if (expert) {
      const isAsked = expert === 'asked'
      return {
        icon: <GraduationCap size={18} aria-hidden />,
        to: paths.questions(workspace_id, isAsked ? { passed: id } : { question: id }),
        title: subject,
        facts: isAsked ? t`You are asked for help with this question` : t`An expert has replied to this question`,
      }
    }
    const isAnswered = status === 'answered'
    return {
      icon: isAnswered ? <MessageSquareReply size={18} aria-hidden /> : <MessageCircleQuestion size={18} aria-hidden />,
      to: paths.questions(workspace_id, { question: id }),
      title: subject,
      facts: isAnswered ? t`This question was answered` : t`This question awaits an answer`,
    }
  }
  return { icon: <KeyRound size={18} aria-hidden />, to: paths.welcome(workspace_id), title: accessWords(access) }
}

function accessWords(access: NewsItem['access']): string {
  if (access === 'group') return t`You were added to a group`
  return access === 'granted' ? t`Your group was given more rights` : t`The end of your access has changed`
}
