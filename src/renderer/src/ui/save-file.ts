/** Saves what is in `blob` as a file, where downloads go. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own hold on the blob by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Letters, digits and the like of a name, in any script. */
export function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/gu, '') || 'workspace'
}
