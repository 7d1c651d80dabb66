/** Saves a text as a file. It begins with a byte order mark, by which spreadsheets recognize UTF-8. */
export const saveCsv = (name: string, text: string): void =>
  saveBlob(name, new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }))

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
