import { stat } from 'node:fs/promises'
import { FAULTS } from '../convert/convert-faults.ts'
import { formatOf, type LaidOut } from '../formats.ts'
import { DocumentFault } from '../render/fault.ts'
import { isCompound } from '../text/compound-file.ts'
import { decodeHtml, decodeText } from '../text/decode.ts'
import { MAX_MAIL_BYTES, readArchive, readMail } from '../text/mail.ts'
import { mailPage, MAX_BODY } from '../text/mail-page.ts'
import { readPlainText } from '../text/plain.ts'
import { readHead } from '../text/read-head.ts'
import { MAX_MARKDOWN, readMarkdown, readPage } from './read-html.ts'
import { readTable } from './read-table.ts'
import { type Reading, readText } from './read-text.ts'
import { openPages } from './pages.ts'
import { setBlocks } from './set-blocks.ts'

export interface LayoutTask {
  source: string
  type: string
  target: string
}

/** More than the pages that may be set can hold. */
const MAX_BYTES = 12 * 1024 ** 2

const READERS: Record<LaidOut, (task: LayoutTask) => Promise<Reading>> = {
  text: async (task) => readText(await textOf(task), false),
  code: async (task) => readText(await textOf(task), true),
  table: async (task) => readTable(await textOf(task)),
  markdown: readMarkdownFile,
  html: async ({ source }) => readPage(decodeHtml(await readHead(source, MAX_BYTES))),
  mail: readMailFile,
  archive: readArchiveFile,
}

/** Sets a text file, table, page or message as a PDF. Nothing that it names is loaded. */
export async function layOut(task: LayoutTask): Promise<void> {
  const way = formatOf(task.type)?.pages ?? 'none'
  if (!isLaidOut(way)) throw new Error(`there is no layout for ${task.type}`)
  const { form, blocks } = await READERS[way](task)
  const pages = openPages(task.target, form)
  try {
    setBlocks(blocks, pages)
  } finally {
    pages.close()
  }
}

const isLaidOut = (way: string): way is LaidOut => way in READERS

const textOf = ({ source, type }: LayoutTask): Promise<string> => readPlainText(source, type, MAX_BYTES)

async function readMarkdownFile(task: LayoutTask): Promise<Reading> {
  const text = await textOf(task)
  return text.length > MAX_MARKDOWN ? readText(text, false) : readMarkdown(text)
}

/** Sets a message with its headers, body and list of attachments. */
async function readMailFile({ source }: LayoutTask): Promise<Reading> {
  if ((await stat(source)).size > MAX_MAIL_BYTES) throw new DocumentFault(FAULTS.size)
  const bytes = await readHead(source, MAX_MAIL_BYTES)
  const mail = await readMail(bytes)
  if (mail === undefined) {
    if (isCompound(bytes)) throw new DocumentFault(FAULTS.damaged)
    return readText(decodeText(bytes), false)
  }
  if (mail.html.length + mail.text.length > MAX_BODY) throw new DocumentFault(FAULTS.size)
  return readPage(mailPage(mail))
}

async function readArchiveFile({ source }: LayoutTask): Promise<Reading> {
  if ((await stat(source)).size > MAX_MAIL_BYTES) throw new DocumentFault(FAULTS.size)
  const archive = await readArchive(await readHead(source, MAX_MAIL_BYTES))
  if (archive === undefined) throw new DocumentFault(FAULTS.damaged)
  if (archive.html.length > MAX_BODY) throw new DocumentFault(FAULTS.size)
  return readPage(archive.html)
}
