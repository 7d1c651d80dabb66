import type { FileKind } from '../../contract/endpoints/files.ts'

/**
 * The one table of formats. Detection, conversion, text, pages, marking, the search filter, `kind` in replies and the table
 * in deploy/documents.md derive from it. A new format is a row here and, if no present way of reading its text or its
 * pages fits, one function for a new one: the compiler asks for it in text.ts and lay-out.ts.
 *
 * The table is plain data, so that every folder of the service may import it.
 */
export interface Format {
  type: string
  /** Lower case. A converter gets the file under the first one, and a stamped copy is named by it. */
  extensions: readonly [string, ...string[]]
  /** For operators. */
  name: string
  kind: FileKind
  /**
   * `signature`: the first bytes tell. Otherwise they tell only a container, or that the file is text, and the extension
   * decides. `zip` includes compound files, because password-protected office files are compound files.
   */
  detection: 'signature' | 'zip' | 'compound' | 'text'
  /** Prefixes of the names of parts, one of which a container of this format has. */
  parts?: readonly string[]
  /** The root element of a format in XML. */
  root?: string
  /** How its text for the search index is read. `pages`: from the pages of the PDF that it is or is converted to. */
  text: TextWay
  pages: PageWay
  /** Whether LibreOffice as WebAssembly does not open it. */
  needsSystemOffice?: true
}

type TextWay =
  | 'document'
  | 'sheets'
  | 'slides'
  | 'odf'
  | 'plain'
  | 'xml'
  | 'svg'
  | 'html'
  | 'mail'
  | 'archive'
  | 'pages'
  | 'none'
/** `text` to `archive` are set on pages by layout/. */
type PageWay =
  | 'pdf'
  | 'image'
  | 'svg'
  | 'bitmap'
  | 'heif'
  | 'office'
  | 'text'
  | 'code'
  | 'table'
  | 'markdown'
  | 'html'
  | 'mail'
  | 'archive'
  | 'none'

type ConverterTool = 'office' | 'heif' | 'svg' | 'bitmap' | 'layout'

/** Conversion and delivery, which follow from the source of a format's pages. */
interface Pages {
  /** The tool that converts the file before its pages can be drawn. */
  tool?: ConverterTool
  /** The file that users whose downloads are marked get, with the mark on it. */
  marked: 'itself' | 'converted' | 'nothing'
  /** For operators: what users get as a marked download. */
  delivery: string
  /** DRM delivers sealed copies, which are made of page images. */
  sealed: boolean
}

const converted = { marked: 'converted', delivery: 'PDF', sealed: true } as const
const laidOut = { ...converted, tool: 'layout' } as const

const PAGES = {
  pdf: { marked: 'itself', delivery: 'the PDF, woven or as pictures', sealed: true },
  image: { marked: 'itself', delivery: 'an image of the same format', sealed: true },
  svg: { tool: 'svg', marked: 'converted', delivery: 'PNG', sealed: true },
  bitmap: { tool: 'bitmap', marked: 'converted', delivery: 'PNG', sealed: true },
  heif: { tool: 'heif', marked: 'converted', delivery: 'JPEG', sealed: true },
  office: { ...converted, tool: 'office' },
  text: laidOut,
  code: laidOut,
  table: laidOut,
  markdown: laidOut,
  html: laidOut,
  mail: laidOut,
  archive: laidOut,
  none: { marked: 'nothing', delivery: '–', sealed: false },
} as const satisfies Record<PageWay, Pages>

const OOXML = 'application/vnd.openxmlformats-officedocument'
const ODF = 'application/vnd.oasis.opendocument'
const WORD = { kind: 'document', detection: 'zip', parts: ['word/'], text: 'document', pages: 'office' } as const
const EXCEL = { kind: 'spreadsheet', detection: 'zip', parts: ['xl/'], text: 'sheets', pages: 'office' } as const
const POWERPOINT = { kind: 'presentation', detection: 'zip', parts: ['ppt/'], text: 'slides', pages: 'office' } as const
const OPEN = { detection: 'zip', parts: ['content.xml'], text: 'odf', pages: 'office' } as const
const FLAT = { detection: 'text', root: 'office:document', text: 'pages', pages: 'office' } as const
const OLDER = { detection: 'compound', text: 'pages', pages: 'office' } as const
const SYSTEM = { ...OLDER, needsSystemOffice: true } as const
const TEXT = { kind: 'document', detection: 'text', text: 'plain' } as const
const TABLE = { kind: 'spreadsheet', detection: 'text', text: 'plain', pages: 'table' } as const
const METAFILE = { kind: 'image', detection: 'signature', text: 'pages', pages: 'office' } as const
const IMAGE = { kind: 'image', detection: 'signature', text: 'none', pages: 'image' } as const
const UNREAD = { detection: 'signature', text: 'none', pages: 'none' } as const

export const FORMATS = [
  {
    type: 'application/pdf',
    extensions: ['pdf'],
    name: 'PDF',
    kind: 'pdf',
    detection: 'signature',
    text: 'pages',
    pages: 'pdf',
  },

  { type: `${OOXML}.wordprocessingml.document`, extensions: ['docx'], name: 'Word', ...WORD },
  { type: 'application/vnd.ms-word.document.macroenabled.12', extensions: ['docm'], name: 'Word', ...WORD },
  { type: `${OOXML}.wordprocessingml.template`, extensions: ['dotx'], name: 'Word', ...WORD },
  { type: 'application/vnd.ms-word.template.macroenabled.12', extensions: ['dotm'], name: 'Word', ...WORD },
  { type: 'application/msword', extensions: ['doc', 'dot'], name: 'Word 97–2003', kind: 'document', ...OLDER },
  {
    type: 'application/vnd.apple.pages',
    extensions: ['pages'],
    name: 'Apple Pages',
    kind: 'document',
    detection: 'zip',
    parts: ['index.xml', 'Index/', 'Index.zip'],
    text: 'pages',
    pages: 'office',
  },
  { type: `${ODF}.text`, extensions: ['odt'], name: 'OpenDocument text', kind: 'document', ...OPEN },
  { type: `${ODF}.text-template`, extensions: ['ott'], name: 'OpenDocument text', kind: 'document', ...OPEN },
  { type: `${ODF}.text-flat-xml`, extensions: ['fodt'], name: 'OpenDocument text', kind: 'document', ...FLAT },
  { type: 'application/vnd.ms-publisher', extensions: ['pub'], name: 'Publisher', kind: 'document', ...SYSTEM },
  {
    type: 'application/rtf',
    extensions: ['rtf'],
    name: 'Rich Text Format',
    kind: 'document',
    detection: 'signature',
    text: 'pages',
    pages: 'office',
  },
  { type: 'text/plain', extensions: ['txt', 'log'], name: 'Plain text', ...TEXT, pages: 'text' },
  { type: 'text/markdown', extensions: ['md'], name: 'Markdown', ...TEXT, pages: 'markdown' },
  {
    type: 'text/html',
    extensions: ['html', 'htm'],
    name: 'HTML',
    kind: 'document',
    detection: 'text',
    text: 'html',
    pages: 'html',
  },

  { type: `${OOXML}.spreadsheetml.sheet`, extensions: ['xlsx'], name: 'Excel', ...EXCEL },
  { type: 'application/vnd.ms-excel.sheet.macroenabled.12', extensions: ['xlsm'], name: 'Excel', ...EXCEL },
  { type: `${OOXML}.spreadsheetml.template`, extensions: ['xltx'], name: 'Excel', ...EXCEL },
  { type: 'application/vnd.ms-excel.template.macroenabled.12', extensions: ['xltm'], name: 'Excel', ...EXCEL },
  {
    type: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    extensions: ['xlsb'],
    name: 'Excel binary',
    ...EXCEL,
    text: 'pages',
  },
  {
    type: 'application/vnd.ms-excel',
    extensions: ['xls', 'xlt'],
    name: 'Excel 97–2003',
    kind: 'spreadsheet',
    ...OLDER,
  },
  { type: `${ODF}.spreadsheet`, extensions: ['ods'], name: 'OpenDocument spreadsheet', kind: 'spreadsheet', ...OPEN },
  {
    type: `${ODF}.spreadsheet-template`,
    extensions: ['ots'],
    name: 'OpenDocument spreadsheet',
    kind: 'spreadsheet',
    ...OPEN,
  },
  {
    type: `${ODF}.spreadsheet-flat-xml`,
    extensions: ['fods'],
    name: 'OpenDocument spreadsheet',
    kind: 'spreadsheet',
    ...FLAT,
  },
  { type: 'text/csv', extensions: ['csv'], name: 'CSV', ...TABLE },
  { type: 'text/tab-separated-values', extensions: ['tsv'], name: 'Tab-separated values', ...TABLE },

  { type: `${OOXML}.presentationml.presentation`, extensions: ['pptx'], name: 'PowerPoint', ...POWERPOINT },
  {
    type: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    extensions: ['pptm'],
    name: 'PowerPoint',
    ...POWERPOINT,
  },
  {
    type: 'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
    extensions: ['ppsm'],
    name: 'PowerPoint',
    ...POWERPOINT,
  },
  {
    type: 'application/vnd.ms-powerpoint.template.macroenabled.12',
    extensions: ['potm'],
    name: 'PowerPoint',
    ...POWERPOINT,
  },
  { type: `${OOXML}.presentationml.slideshow`, extensions: ['ppsx'], name: 'PowerPoint', ...POWERPOINT },
  { type: `${OOXML}.presentationml.template`, extensions: ['potx'], name: 'PowerPoint', ...POWERPOINT },
  {
    type: 'application/vnd.ms-powerpoint',
    extensions: ['ppt', 'pps', 'pot'],
    name: 'PowerPoint 97–2003',
    kind: 'presentation',
    ...OLDER,
  },
  {
    type: `${ODF}.presentation`,
    extensions: ['odp'],
    name: 'OpenDocument presentation',
    kind: 'presentation',
    ...OPEN,
  },
  {
    type: `${ODF}.presentation-template`,
    extensions: ['otp'],
    name: 'OpenDocument presentation',
    kind: 'presentation',
    ...OPEN,
  },
  {
    type: `${ODF}.presentation-flat-xml`,
    extensions: ['fodp'],
    name: 'OpenDocument presentation',
    kind: 'presentation',
    ...FLAT,
  },

  { type: `${ODF}.graphics`, extensions: ['odg'], name: 'OpenDocument drawing', kind: 'drawing', ...OPEN },
  { type: `${ODF}.graphics-template`, extensions: ['otg'], name: 'OpenDocument drawing', kind: 'drawing', ...OPEN },
  {
    type: `${ODF}.graphics-flat-xml`,
    extensions: ['fodg'],
    name: 'OpenDocument drawing',
    kind: 'drawing',
    ...FLAT,
  },
  { type: 'application/vnd.visio', extensions: ['vsd', 'vst'], name: 'Visio 97–2010', kind: 'drawing', ...SYSTEM },
  {
    type: 'application/vnd.ms-visio.drawing',
    extensions: ['vsdx', 'vstx', 'vsdm', 'vstm'],
    name: 'Visio',
    kind: 'drawing',
    detection: 'zip',
    parts: ['visio/'],
    text: 'pages',
    pages: 'office',
    needsSystemOffice: true,
  },

  {
    type: 'message/rfc822',
    extensions: ['eml'],
    name: 'E-mail',
    kind: 'message',
    detection: 'text',
    text: 'mail',
    pages: 'mail',
  },
  {
    type: 'multipart/related',
    extensions: ['mhtml', 'mht'],
    name: 'Web archive',
    kind: 'document',
    detection: 'text',
    text: 'archive',
    pages: 'archive',
  },
  {
    type: 'application/vnd.ms-outlook',
    extensions: ['msg'],
    name: 'Outlook message',
    kind: 'message',
    detection: 'compound',
    text: 'mail',
    pages: 'mail',
  },

  { type: 'image/png', extensions: ['png'], name: 'PNG', ...IMAGE },
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg'], name: 'JPEG', ...IMAGE },
  { type: 'image/webp', extensions: ['webp'], name: 'WebP', ...IMAGE },
  { type: 'image/tiff', extensions: ['tif', 'tiff'], name: 'TIFF', ...IMAGE },
  { type: 'image/gif', extensions: ['gif'], name: 'GIF', ...IMAGE },
  { type: 'image/avif', extensions: ['avif'], name: 'AVIF', ...IMAGE },
  {
    type: 'image/bmp',
    extensions: ['bmp', 'dib'],
    name: 'Windows bitmap',
    kind: 'image',
    detection: 'signature',
    text: 'none',
    pages: 'bitmap',
  },
  { type: 'image/emf', extensions: ['emf'], name: 'Enhanced metafile', ...METAFILE },
  { type: 'image/wmf', extensions: ['wmf'], name: 'Windows metafile', ...METAFILE },
  {
    type: 'image/heic',
    extensions: ['heic'],
    name: 'HEIC',
    kind: 'image',
    detection: 'signature',
    text: 'none',
    pages: 'heif',
  },
  {
    type: 'image/svg+xml',
    extensions: ['svg'],
    name: 'SVG',
    kind: 'image',
    detection: 'text',
    text: 'svg',
    pages: 'svg',
  },

  {
    type: 'application/json',
    extensions: ['json'],
    name: 'JSON',
    kind: 'other',
    detection: 'text',
    text: 'plain',
    pages: 'code',
  },
  {
    type: 'application/xml',
    extensions: ['xml'],
    name: 'XML',
    kind: 'other',
    detection: 'text',
    text: 'xml',
    pages: 'code',
  },
  {
    type: 'image/vnd.dxf',
    extensions: ['dxf'],
    name: 'Drawing Exchange Format',
    kind: 'drawing',
    detection: 'text',
    text: 'pages',
    pages: 'office',
  },
  { type: 'image/vnd.dwg', extensions: ['dwg'], name: 'AutoCAD drawing', kind: 'drawing', ...UNREAD },
  { type: 'application/zip', extensions: ['zip'], name: 'ZIP archive', kind: 'archive', ...UNREAD },
  { type: 'application/x-7z-compressed', extensions: ['7z'], name: '7-Zip archive', kind: 'archive', ...UNREAD },
  { type: 'application/x-rar-compressed', extensions: ['rar'], name: 'RAR archive', kind: 'archive', ...UNREAD },
  { type: 'application/x-tar', extensions: ['tar'], name: 'tar archive', kind: 'archive', ...UNREAD },
  { type: 'application/gzip', extensions: ['gz', 'tgz'], name: 'gzip archive', kind: 'archive', ...UNREAD },
] as const satisfies readonly Format[]

type Row = (typeof FORMATS)[number]
/** The content types whose pages come about in these ways. */
export type TypeWith<Way extends PageWay> = Extract<Row, { pages: Way }>['type']
export type OwnText = Exclude<Row['text'], 'pages' | 'none'>
export type LaidOut = Extract<
  PageWay,
  { [Way in PageWay]: (typeof PAGES)[Way] extends { tool: 'layout' } ? Way : never }[PageWay]
>

const byType = new Map<string, Format>(FORMATS.map((format) => [format.type, format]))
const byExtension = new Map<string, Format>(
  FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
)

export const formatOf = (type: string): Format | undefined => byType.get(type)
export const formatOfExtension = (extension: string): Format | undefined => byExtension.get(extension)

/** Conversion and delivery of a type. A type that is not in the table has no pages. */
export const pagesOf = (type: string): Pages => PAGES[formatOf(type)?.pages ?? 'none']

/** Where the text of this type is read: in the file itself or in its pages. */
export function textSourceOf(type: string): 'file' | 'pages' | 'none' {
  const way = formatOf(type)?.text ?? 'none'
  return way === 'pages' || way === 'none' ? way : 'file'
}

/** Whether the service can make page images of this type. */
export const isViewable = (type: string): boolean => (formatOf(type)?.pages ?? 'none') !== 'none'
