const WORDS: Record<string, string> = {
  pdf: 'PDF document',
  doc: 'Word document',
  docx: 'Word document',
  odt: 'Text document',
  rtf: 'Text document',
  txt: 'Plain text',
  md: 'Plain text',
  xls: 'Excel workbook',
  xlsx: 'Excel workbook',
  ods: 'Spreadsheet',
  csv: 'Table (CSV)',
  ppt: 'PowerPoint presentation',
  pptx: 'PowerPoint presentation',
  odp: 'Presentation',
  dwg: 'AutoCAD drawing',
  dxf: 'Drawing',
  zip: 'ZIP archive',
}

const FAMILIES: Record<string, string> = { image: 'picture', video: 'video', audio: 'recording', text: 'text' }

/** "PDF document", "PNG picture", "XYZ file". */
export function typeWords(fileName: string, contentType: string): string {
  const dot = fileName.lastIndexOf('.')
  const extension = dot > 0 ? fileName.slice(dot + 1).toLowerCase() : ''
  const family = FAMILIES[contentType.split('/')[0] ?? ''] ?? 'file'
  const known = WORDS[extension]
  if (known) return known
  if (extension === '' || extension.length > 5)
    return family === 'file' ? 'File' : `${family[0]?.toUpperCase()}${family.slice(1)}`
  return `${extension.toUpperCase()} ${family}`
}
