/** Types of zip containers by extension. The member that would identify the type may lie far behind the first bytes. */
const ZIP_TYPES: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  docm: 'application/vnd.ms-word.document.macroenabled.12',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  pptm: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
}

/** Types of the compound files of older office programs, by extension. */
const COMPOUND_TYPES: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
}

const CONTAINERS: Record<string, Record<string, string>> = {
  'application/zip': ZIP_TYPES,
  // Includes the newer formats, because password-protected ones are compound files.
  'application/x-cfb': { ...ZIP_TYPES, ...COMPOUND_TYPES },
}

export const TEXT_TYPES: Record<string, string> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  eml: 'message/rfc822',
}

/** Returns the type of what a container holds, by its extension. Other types are returned unchanged. */
export function unpackType(type: string, extension: string): string {
  return CONTAINERS[type]?.[extension] ?? type
}

const IMAGES = ['png', 'jpeg', 'webp', 'tiff', 'gif', 'avif', 'heic', 'svg+xml'].map((name) => `image/${name}`)
const TEXTS = ['text/plain', 'text/markdown', 'text/csv', 'text/html', 'message/rfc822']
const OFFICE = [...Object.values(ZIP_TYPES), 'application/msword', 'application/vnd.ms-excel', 'application/rtf']
const VIEWABLE = new Set(['application/pdf', 'application/vnd.ms-powerpoint', ...IMAGES, ...TEXTS, ...OFFICE])

/** Whether the service can make page images of this type. */
export const isViewable = (type: string): boolean => VIEWABLE.has(type)
